// One record of a DMARC aggregate report (RFC 9990 §3.1.1.6), put together as its elements come.

import type { XmlVisitor } from "../text/xml-leaves.ts";
import type {
  Disposition,
  OverrideReason,
  ReportedSignature,
  ReportedSource,
  ReportedSpf,
} from "./mail-class.ts";
import { toCount, toReportedWord } from "./report-values.ts";

export type Texts = Map<string, string>;

/** Texts of the record itself. Not every receiver writes `row`. */
const ownKeys = new Map([
  ...["row", "record"].flatMap((parent) => [
    [`${parent}/source_ip`, "sourceIp"] as const,
    [`${parent}/count`, "count"] as const,
  ]),
  ["policy_evaluated/disposition", "disposition"],
  ["policy_evaluated/dkim", "dkimAligned"],
  ["policy_evaluated/spf", "spfAligned"],
  ["identifiers/header_from", "headerFrom"],
  // So the drafts called it.
  ["identities/header_from", "headerFrom"],
]);
/** Parts that there may be several of. */
const partKeys: ReadonlySet<string> = new Set([
  "auth_results/dkim",
  "auth_results/spf",
  "policy_evaluated/reason",
  "row/reason",
]);
/** What is read of a part: a stranger may write any other names in it, as many as fit. */
const leafKeys: ReadonlySet<string> = new Set([
  ...["dkim/domain", "dkim/selector", "dkim/result"],
  ...["spf/domain", "spf/scope", "spf/result"],
  ...["reason/type", "reason/comment"],
]);
/** Of one kind, of one record. */
const mostParts = 10;

const longestAddress = 64;
const longestDomain = 253;
const longestWord = 64;
const longestComment = 200;

export function readDmarcRecord(): XmlVisitor & { readonly finish: () => ReportedSource } {
  const texts: Texts = new Map();
  /** Of the part that is being read. */
  let part: Texts | null = null;
  const dkim: ReportedSignature[] = [];
  const spf: ReportedSpf[] = [];
  const reasons: OverrideReason[] = [];
  return {
    begin: (key) => {
      if (partKeys.has(key)) part = new Map();
    },
    leaf: (key, text) => {
      const name = ownKeys.get(key);
      if (text === "") return;
      if (name !== undefined) keepFirst(texts, name, text);
      else if (part && leafKeys.has(key)) keepFirst(part, key, text);
    },
    end: (key) => {
      if (part === null || !partKeys.has(key)) return;
      if (key.endsWith("/dkim")) keep(dkim, toSignature(part));
      else if (key.endsWith("/spf")) keep(spf, toSpf(part));
      else keep(reasons, toReason(part));
      part = null;
    },
    finish: () => ({
      sourceIp: textOf(texts, "sourceIp")?.slice(0, longestAddress) ?? null,
      messages: toCount(textOf(texts, "count")),
      disposition: toDisposition(textOf(texts, "disposition")),
      dkimAligned: isPass(textOf(texts, "dkimAligned")),
      spfAligned: isPass(textOf(texts, "spfAligned")),
      headerFrom: domainOf(texts, "headerFrom"),
      dkim,
      spf,
      reasons,
    }),
  };
}

export function textOf(texts: Texts, key: string): string | null {
  return texts.get(key) ?? null;
}

function keepFirst(texts: Texts, key: string, text: string): void {
  if (!texts.has(key)) texts.set(key, text);
}

function keep<Part>(parts: Part[], part: Part | null): void {
  if (part !== null && parts.length < mostParts) parts.push(part);
}

function toSignature(part: Texts): ReportedSignature | null {
  const domain = domainOf(part, "dkim/domain");
  if (domain === null) return null;
  return {
    domain,
    selector: wordOf(part, "dkim/selector", longestDomain),
    result: wordOf(part, "dkim/result"),
  };
}

function toSpf(part: Texts): ReportedSpf | null {
  const domain = domainOf(part, "spf/domain");
  if (domain === null) return null;
  return { domain, scope: wordOf(part, "spf/scope"), result: wordOf(part, "spf/result") };
}

function toReason(part: Texts): OverrideReason | null {
  const type = wordOf(part, "reason/type");
  const comment = textOf(part, "reason/comment")?.slice(0, longestComment) ?? null;
  return type === null ? null : { type, comment };
}

function wordOf(texts: Texts, key: string, maxLength = longestWord): string | null {
  const text = textOf(texts, key);
  return text === null ? null : toReportedWord(text, maxLength);
}

function domainOf(texts: Texts, key: string): string | null {
  return wordOf(texts, key, longestDomain);
}

function isPass(text: string | null): boolean {
  return text?.toLowerCase() === "pass";
}

const dispositionWords = new Map<string, Disposition>([
  ["none", "none"],
  ["pass", "none"],
  ["quarantine", "quarantine"],
  ["reject", "reject"],
]);

function toDisposition(text: string | null): Disposition | null {
  return dispositionWords.get(text?.toLowerCase() ?? "") ?? null;
}
