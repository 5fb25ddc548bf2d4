// What the sentences of each check are about: a link, a record, a domain, a host. No sentence may praise a thing that
// another check finds fault with, and this table shows which sentences are about the same thing. A check that is not listed
// shares its subject with no other.

/**
 * A kind of thing, and the data or evidence fields with its name. Without `by`, or without a name in those fields, the
 * sentence is about all things of that kind.
 */
export type About = {
  readonly kind: string;
  readonly by?: readonly string[];
  /** The name is an email address, of which only the domain counts. */
  readonly isMailbox?: boolean;
};

const all = (kind: string): About => ({ kind });
const named = (kind: string, ...by: readonly string[]): About => ({ kind, by });
const domainOf = (...by: readonly string[]): About => ({ kind: "domain", by, isMailbox: true });

const link = [named("link", "href", "links")];
const html = [all("html")];
const spf = [all("spf record")];
const domain = [named("domain", "domain")];
const path = [all("path")];
const author = [all("author")];
const header = (name: string): readonly About[] => [{ kind: "header", by: [`=${name}`] }];
const subject = [...header("subject"), all("subject")];

const rows: readonly (readonly [about: readonly About[], sentences: string])[] = [
  [
    link,
    "link-blocklist link-credentials link-address link-lookalike link-text link-file link-shortener link-redirector link-scheme",
  ],
  [[all("link")], "link-form link-hosts link-host-exists link-names"],
  [[...link, all("unsubscribe link")], "unsubscribe-link"],
  [[...html, all("unsubscribe link")], "html-clipping.passed"],
  [[all("file")], "attachment-refused attachment-disguise attachment-type attachment-virus attachment-risky"],
  [[all("image")], "image-alt image-formats image-weight inline-parts"],
  [html, "active-content client-support html-structure layout-width style-sheets html-clipping"],
  [[all("template")], "placeholders template-text"],
  [[all("look of the text"), all("hidden text")], "hidden-text"],
  [[all("hidden text")], "preheader.passed"],
  [[all("look of the text")], "text-contrast text-size"],
  [spf, "spf-record spf-syntax spf-lookups spf-void-lookups spf-includes spf-openness spf-end spf-deprecated spf-size"],
  [[...spf, all("spf pass")], "spf-openness.anyone-passes"],
  [[all("spf pass")], "spf-result spf-alignment"],
  [[named("signature", "domains")], "dkim-present"],
  [[], "dkim-present.missing dkim-alignment.provider-only"],
  [
    [named("signature", "domain")],
    "dkim-signature dkim-times dkim-canonicalization dkim-identity dkim-algorithm dkim-body-length dkim-signed-headers dkim-alignment",
  ],
  [[all("signature")], "dkim-extra-signature.passed"],
  [[named("key", "name"), named("signature", "signer")], "dkim-key"],
  [[named("key", "names")], "dkim-key.passed dkim-testing.passed"],
  [[named("key", "name")], "dkim-key-strength dkim-testing"],
  [[all("key")], "dkim-key-strength.passed dkim-selectors"],
  [
    [all("dmarc record")],
    "dmarc-record dmarc-syntax dmarc-policy dmarc-subdomains dmarc-obsolete dmarc-reports dmarc-psd",
  ],
  [[...author, all("mailbox")], "dmarc-result.policy-reject dmarc-result.policy-quarantine"],
  [[all("bimi record")], "bimi-record bimi-logo bimi-certificate"],
  [domain, "from-domain envelope-domain mx-hosts mta-sts tls-rpt dnssec dns-ttl dns-wildcard parked-domain"],
  [[named("domain", "zone")], "nameservers"],
  [[named("domain", "domain", "domains")], "domain-blocklist"],
  [[...domain, ...author], "lookalike-domain"],
  [[named("mail host", "host")], "dane"],
  [[...domain, named("mail host", "host")], "mx-hosts.not-a-host"],
  [[named("mailbox", "address"), domainOf("address")], "reply-to reply-address"],
  [[named("mailbox", "mailFrom"), domainOf("mailFrom")], "envelope-sender"],
  [[all("client address")], "ptr-record fcrdns ptr-generic ip-blocklist allowlist source-address"],
  [[all("helo name")], "helo-name helo-resolves spf-helo"],
  [path, "received-path delivery-delay hop-clocks"],
  [author, "display-name freemail-from"],
  [[...author, ...subject], "invisible-characters"],
  [[...header("from"), ...author], "from-header"],
  [[all("part")], "mime-structure charset transfer-encoding"],
  [header("date"), "date-header"],
  [[...header("date"), ...path], "date-header.old date-header.very-old"],
  [header("message-id"), "message-id"],
  [subject, "subject-header"],
  [[all("subject")], "subject-style fake-reply"],
  [header("to"), "to-header"],
  [header("mime-version"), "mime-version"],
  [[named("header", "header")], "thread-headers list-headers encoded-words header-8bit single-headers"],
  [header("list-id"), "list-id"],
  [header("feedback-id"), "feedback-id"],
  [header("list-unsubscribe"), "list-unsubscribe one-click"],
  [[all("header")], "header-syntax.passed"],
  [header("(a line that is none)"), "header-syntax"],
];

/** Keyed by check, or by one of its sentences: `check.finding`, `check.passed`. */
export const things: ReadonlyMap<string, readonly About[]> = new Map(
  rows.flatMap(([about, sentences]) => sentences.split(" ").map((sentence) => [sentence, about])),
);
