// Which handbook page helps with a finding. Every check has a page. A finding has a different one if another page
// explains its cause. test/laws/handbook.test.ts compares this table with the list of checks.

import { toPagePath } from "./pages.ts";

const checksOfPage: Readonly<Record<string, readonly string[]>> = {
  "fix-reverse-dns": ["ptr-record", "fcrdns", "ptr-generic"],
  "fix-helo": ["helo-name", "helo-resolves", "spf-helo"],
  "fix-tls": ["tls-used"],
  "fix-blocklists": [
    ...["ip-blocklist", "domain-blocklist", "sender-blocklist", "link-blocklist", "allowlist"],
    "second-opinions",
  ],
  "fix-mx": ["mx-hosts", "from-domain", "envelope-domain", "envelope-sender", "reply-address"],
  "fix-mta-sts": ["mta-sts", "tls-rpt", "dane"],
  "fix-dns": ["dnssec", "nameservers", "dns-wildcard", "dns-ttl", "parked-domain"],
  "fix-delivery-path": [
    ...["received-path", "delivery-delay", "hop-clocks", "smtp-conduct", "source-address", "arc-chain"],
    "auto-reply-conduct",
  ],
  "fix-spf": [
    ...["spf-record", "spf-syntax", "spf-result", "spf-end", "spf-openness", "spf-deprecated", "spf-size"],
  ],
  "fix-spf-lookups": ["spf-lookups", "spf-void-lookups", "spf-includes"],
  "fix-dkim": ["dkim-present", "dkim-extra-signature", "dkim-selectors"],
  "fix-dkim-key": ["dkim-key", "dkim-key-strength", "dkim-algorithm", "dkim-testing"],
  "fix-dkim-signature": [
    ...["dkim-signature", "dkim-body-length", "dkim-signed-headers", "dkim-identity", "dkim-times"],
    "dkim-canonicalization",
  ],
  "fix-alignment": ["dmarc-result", "dkim-alignment", "spf-alignment"],
  "fix-dmarc": ["dmarc-record", "dmarc-syntax", "dmarc-obsolete", "dmarc-psd"],
  "fix-dmarc-policy": ["dmarc-policy", "dmarc-subdomains"],
  "fix-dmarc-reports": ["dmarc-reports"],
  "fix-bimi": ["bimi-record", "bimi-logo", "bimi-certificate"],
  "fix-unsubscribe-link": ["unsubscribe-link"],
  "fix-list-unsubscribe": ["list-unsubscribe", "list-id", "list-headers", "feedback-id"],
  "fix-one-click": ["one-click"],
  "fix-sender-identity": [
    ...["display-name", "lookalike-domain", "invisible-characters", "reply-to", "sender-header"],
    ...["fake-reply", "freemail-from"],
  ],
  "fix-headers": [
    ...["from-header", "date-header", "subject-header", "to-header", "single-headers", "header-syntax"],
    ...["header-8bit", "encoded-words", "header-size", "stray-headers", "urgent-flags", "recipient-shown"],
  ],
  "fix-message-id": ["message-id", "thread-headers"],
  "fix-plain-text": ["text-part"],
  "fix-encoding": [
    ...["charset", "transfer-encoding", "mime-version", "mime-structure", "line-length", "line-endings"],
    ...["inline-parts", "message-size"],
  ],
  "fix-links": [
    ...["link-text", "link-address", "link-shortener", "link-credentials", "link-lookalike", "link-scheme"],
    ...["link-form", "link-hosts", "link-redirector", "link-host-exists", "link-file"],
  ],
  "fix-images": ["image-alt", "image-balance", "image-formats", "image-weight", "tracking"],
  "fix-html-size": ["html-clipping", "style-sheets"],
  "fix-rendering": [
    ...["client-support", "html-structure", "layout-width", "dark-mode", "amp-part", "active-content"],
  ],
  "fix-accessibility": [
    ...["html-lang", "html-dir", "html-title", "table-roles", "text-contrast", "text-size", "link-names"],
    "headings",
  ],
  "fix-wording": [
    ...["subject-style", "preheader", "wording", "placeholders", "hidden-text", "postal-address"],
  ],
  "fix-attachments": [
    ...["attachment-refused", "attachment-disguise", "attachment-type", "attachment-risky"],
  ],
};

/** Findings that another page explains better than that of their check. */
const pageOfFinding: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "received-path.unencrypted-hop": "fix-tls",
    "bimi-record.policy-too-weak": "fix-dmarc-policy",
    "reply-address.no-reply": "fix-sender-identity",
  }),
);

const pageOfCheck = new Map(
  Object.entries(checksOfPage).flatMap(([page, checks]) => checks.map((check) => [check, page] as const)),
);

/** The path of the page that says how to fix a finding (`check.finding`); null for an id that no check has. */
export function helpPageOf(findingId: string): string | null {
  const page = slugOf(findingId);
  return page === undefined ? null : toPagePath(page);
}

/** The findings of a list that a page explains, in the list's order. */
export function findingsOfPage(slug: string, findingIds: readonly string[]): string[] {
  return findingIds.filter((id) => slugOf(id) === slug);
}

function slugOf(findingId: string): string | undefined {
  return pageOfFinding.get(findingId) ?? pageOfCheck.get(findingId.split(".")[0] ?? "");
}
