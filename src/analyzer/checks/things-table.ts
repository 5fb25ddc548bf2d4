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
const everyLink = [all("link")];
const file = [all("file")];
const image = [all("image")];
const html = [all("html")];
const spf = [all("spf record")];
const signature = [named("signature", "domain")];
const key = [named("key", "name")];
const everyKey = [all("key")];
const dmarc = [all("dmarc record")];
const bimi = [all("bimi record")];
const domain = [named("domain", "domain")];
const address = [all("client address")];
const helo = [all("helo name")];
const path = [all("path")];
const author = [all("author")];
const parts = [all("part")];
const header = (name: string): readonly About[] => [{ kind: "header", by: [`=${name}`] }];
const subject = [...header("subject"), all("subject")];

/** Keyed by check, or by one of its sentences: `check.finding`, `check.passed`. */
export const things: Readonly<Record<string, readonly About[]>> = {
  "link-blocklist": link,
  "link-credentials": link,
  "link-address": link,
  "link-lookalike": link,
  "link-text": link,
  "link-file": link,
  "link-shortener": link,
  "link-redirector": link,
  "link-scheme": link,
  "link-form": everyLink,
  "link-hosts": everyLink,
  "link-host-exists": everyLink,
  "link-names": everyLink,
  "unsubscribe-link": [...link, all("unsubscribe link")],
  "html-clipping.passed": [...html, all("unsubscribe link")],

  "attachment-refused": file,
  "attachment-disguise": file,
  "attachment-type": file,
  "attachment-virus": file,
  "attachment-risky": file,

  "image-alt": image,
  "image-formats": image,
  "image-weight": image,
  "inline-parts": image,

  "active-content": html,
  "client-support": html,
  "html-structure": html,
  "layout-width": html,
  "style-sheets": html,
  "html-clipping": html,

  placeholders: [all("template")],
  "template-text": [all("template")],

  "hidden-text": [all("look of the text"), all("hidden text")],
  "preheader.passed": [all("hidden text")],
  "text-contrast": [all("look of the text")],
  "text-size": [all("look of the text")],

  "spf-record": spf,
  "spf-syntax": spf,
  "spf-lookups": spf,
  "spf-void-lookups": spf,
  "spf-includes": spf,
  "spf-openness": spf,
  "spf-openness.anyone-passes": [...spf, all("spf pass")],
  "spf-end": spf,
  "spf-deprecated": spf,
  "spf-size": spf,
  "spf-result": [all("spf pass")],
  "spf-alignment": [all("spf pass")],

  "dkim-present": [named("signature", "domains")],
  "dkim-present.missing": [],
  "dkim-signature": signature,
  "dkim-times": signature,
  "dkim-canonicalization": signature,
  "dkim-identity": signature,
  "dkim-algorithm": signature,
  "dkim-body-length": signature,
  "dkim-signed-headers": signature,
  "dkim-alignment": signature,
  "dkim-alignment.provider-only": [],
  "dkim-extra-signature.passed": [all("signature")],
  "dkim-key": [named("key", "name"), named("signature", "signer")],
  "dkim-key.passed": [named("key", "names")],
  "dkim-key-strength": key,
  "dkim-key-strength.passed": everyKey,
  "dkim-testing": key,
  "dkim-testing.passed": [named("key", "names")],
  "dkim-selectors": everyKey,

  "dmarc-record": dmarc,
  "dmarc-syntax": dmarc,
  "dmarc-policy": dmarc,
  "dmarc-subdomains": dmarc,
  "dmarc-obsolete": dmarc,
  "dmarc-reports": dmarc,
  "dmarc-psd": dmarc,

  "dmarc-result.policy-reject": [...author, all("mailbox")],
  "dmarc-result.policy-quarantine": [...author, all("mailbox")],

  "bimi-record": bimi,
  "bimi-logo": bimi,
  "bimi-certificate": bimi,

  "from-domain": domain,
  "envelope-domain": domain,
  "mx-hosts": domain,
  "mta-sts": domain,
  "tls-rpt": domain,
  dnssec: domain,
  "dns-ttl": domain,
  "dns-wildcard": domain,
  "parked-domain": domain,
  nameservers: [named("domain", "zone")],
  "domain-blocklist": [named("domain", "domain", "domains")],
  "lookalike-domain": [...domain, ...author],
  dane: [named("mail host", "host")],
  "mx-hosts.not-a-host": [...domain, named("mail host", "host")],

  "reply-to": [named("mailbox", "address"), domainOf("address")],
  "reply-address": [named("mailbox", "address"), domainOf("address")],
  "envelope-sender": [named("mailbox", "mailFrom"), domainOf("mailFrom")],

  "ptr-record": address,
  fcrdns: address,
  "ptr-generic": address,
  "ip-blocklist": address,
  allowlist: address,
  "source-address": address,

  "helo-name": helo,
  "helo-resolves": helo,
  "spf-helo": helo,

  "received-path": path,
  "delivery-delay": path,
  "hop-clocks": path,

  "display-name": author,
  "invisible-characters": [...author, ...subject],
  "freemail-from": author,
  "from-header": [...header("from"), ...author],

  "mime-structure": parts,
  charset: parts,
  "transfer-encoding": parts,

  "date-header": header("date"),
  "date-header.old": [...header("date"), ...path],
  "date-header.very-old": [...header("date"), ...path],
  "message-id": header("message-id"),
  "subject-header": subject,
  "subject-style": [all("subject")],
  "fake-reply": [all("subject")],
  "to-header": header("to"),
  "mime-version": header("mime-version"),
  "thread-headers": [named("header", "header")],
  "list-id": header("list-id"),
  "list-headers": [named("header", "header")],
  "feedback-id": header("feedback-id"),
  "list-unsubscribe": header("list-unsubscribe"),
  "one-click": header("list-unsubscribe"),
  "encoded-words": [named("header", "header")],
  "header-8bit": [named("header", "header")],
  "single-headers": [named("header", "header")],
  "header-syntax.passed": [all("header")],
  "header-syntax": header("(a line that is none)"),
};
