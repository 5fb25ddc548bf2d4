// Which checks speak about the same thing, written down again beside the product's own table, so that neither can be wrong
// alone. Two sentences of a family are about the same thing when they name the same host, address or domain, or when one
// of them names none and so speaks of all.

export type Family = {
  readonly thing: string;
  readonly checks: RegExp;
  /** A report knows only one of these, whatever its sentences name. */
  readonly isSingle?: true;
};

const ofHeaders =
  "from-header|date-header|message-id|subject-header|to-header|mime-version|single-headers|thread-headers|list-headers|list-id|feedback-id";

export const families: readonly Family[] = [
  { thing: "a link", checks: /^(?:link-.*)$/ },
  { thing: "a file", checks: /^attachment-/, isSingle: true },
  { thing: "an image", checks: /^(?:image-alt|image-formats|image-weight|inline-parts)$/, isSingle: true },
  {
    thing: "the HTML",
    checks: /^(?:client-support|html-structure|style-sheets|layout-width|active-content)$/,
    isSingle: true,
  },
  {
    thing: "the SPF record",
    checks: /^spf-(?:record|syntax|lookups|void-lookups|includes|openness|end|deprecated|size)$/,
    isSingle: true,
  },
  {
    thing: "a signature",
    checks:
      /^dkim-(?:present|signature|times|canonicalization|identity|algorithm|body-length|signed-headers|alignment)$/,
  },
  { thing: "a key", checks: /^dkim-(?:key|key-strength|testing)$/ },
  { thing: "the DMARC record", checks: /^dmarc-(?!result)/, isSingle: true },
  { thing: "the BIMI record", checks: /^bimi-/, isSingle: true },
  {
    thing: "a domain",
    checks: /^(?:from-domain|envelope-domain|mx-hosts|domain-blocklist|lookalike-domain|nameservers|dnssec)$/,
  },
  { thing: "a mailbox", checks: /^(?:from-domain|envelope-domain|mx-hosts|reply-address|reply-to|envelope-sender)$/ },
  {
    thing: "the sending address",
    checks: /^(?:ptr-record|fcrdns|ptr-generic|ip-blocklist|allowlist|source-address)$/,
    isSingle: true,
  },
  { thing: "the HELO name", checks: /^(?:helo-name|helo-resolves|spf-helo)$/, isSingle: true },
  { thing: "the path", checks: /^(?:received-path|delivery-delay|hop-clocks)$/, isSingle: true },
  {
    thing: "the author",
    checks: /^(?:display-name|lookalike-domain|invisible-characters|freemail-from|from-header)$/,
    isSingle: true,
  },
  {
    thing: "the subject",
    checks: /^(?:subject-header|subject-style|fake-reply|invisible-characters)$/,
    isSingle: true,
  },
  { thing: "the unsubscribe header", checks: /^(?:list-unsubscribe|one-click)$/, isSingle: true },
];

/** About what is not there: the signature that it names is another one. */
export const ofAbsence: readonly string[] = ["dkim-alignment.provider-only"];

/** These praise all headers at once. */
export const allHeaders = new RegExp(`^(?:header-syntax|${ofHeaders})$`);
export const universalOfHeaders: readonly string[] = ["header-syntax", "single-headers"];

const name = /\[?(?:\d{1,3}\.){3}\d{1,3}\]?|(?:[\p{L}\d_-]+\.)+\p{L}{2,}/gu;

/** Hosts, domains and addresses that a sentence names. */
export function namesIn(sentence: string): Set<string> {
  return new Set([...sentence.toLowerCase().matchAll(name)].map(([found]) => found));
}
