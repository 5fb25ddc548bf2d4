// Corrected DMARC records, ready to paste.

import { parseTagList } from "../../dns/tag-list.ts";

type DmarcChange = { readonly set?: Readonly<Record<string, string>>; readonly remove?: readonly string[] };

/** Tags keep their order, except that p follows the version. New tags come last. What is not a tag is dropped. */
export function rewriteDmarc(record: string, { set = {}, remove = [] }: DmarcChange): string {
  const tags = new Map<string, string>();
  for (const { name, value } of parseTagList(record).tags)
    if (!remove.includes(name) && !tags.has(name)) tags.set(name, value);
  for (const [name, value] of Object.entries(set)) tags.set(name, value);
  const rest = [...tags].filter(([name]) => name !== "p" && name.toLowerCase() !== "v");
  const policy = tags.get("p");
  const written = [...(policy === undefined ? [] : [["p", policy]]), ...rest];
  return ["v=DMARC1", ...written.map(([name, value]) => `${name}=${value}`)].join("; ");
}

/** The separator before a tag, which should be a semicolon. */
const joint = /(?<![;,\s])[;,\s]+(?=(?:p|sp|np|adkim|aspf|fo|rua|ruf|pct|t|psd|ri|rf)\s{0,3}=)/g;
const maxLength = 2_000;

/** Corrects a record if its policy can be read. Otherwise returns a minimal valid record. */
export function mendDmarc(text: string, domain: string): string {
  const plain = text
    .slice(0, maxLength)
    .replace(/[“”„‟"'‘’‚`\\]/g, "")
    .replace(joint, "; ")
    .replace(/^\s{0,9}v?\s{0,9}=?\s{0,9}d\W?marc\s{0,9}1?\s{0,9};?/i, "v=DMARC1;");
  const written = parseTagList(plain).tags.find(({ name }) => name === "p")?.value ?? "";
  const [policy] = /^(?:none|quarantine|reject)\b/i.exec(written) ?? [];
  if (policy !== undefined) return rewriteDmarc(plain, { set: { p: policy.toLowerCase() } });
  const kept = plain.startsWith("v=DMARC1;") ? plain : "";
  const hasReports = parseTagList(kept).tags.some(({ name }) => name === "rua");
  const reports = hasReports ? {} : { rua: `mailto:${reportAddressOf(domain)}` };
  return rewriteDmarc(kept, { set: { p: "none", ...reports } });
}

/** An example of a report address. It works once the mailbox exists. */
export function reportAddressOf(domain: string): string {
  return `dmarc@${domain}`;
}
