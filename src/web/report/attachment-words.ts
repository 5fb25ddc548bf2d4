// Warnings about an attachment.

import { toWhy } from "../../analyzer/words/plain-words.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import type { Eml } from "./content.tsx";
import type { Remark } from "./listing.tsx";

type WarningWords = { readonly tone: Remark["tone"]; readonly says: (value: string) => string };

const words: Readonly<Record<string, WarningWords>> = {
  "gmail-refuses": { tone: "critical", says: (ending) => `Gmail rejects messages with .${ending} files.` },
  "gmail-refuses-inside": {
    tone: "critical",
    says: (name) => `Gmail rejects messages with this file, because it contains ${name}.`,
  },
  "archive-in-encrypted": {
    tone: "critical",
    says: () => "Archive inside an encrypted archive. Gmail rejects messages with these.",
  },
  "outlook-blocks": { tone: "major", says: (ending) => `Outlook blocks .${ending} files.` },
  "hidden-ending": { tone: "major", says: (ending) => `Double extension: the real one is .${ending}.` },
  "direction-override": {
    tone: "major",
    says: () => "A text-direction character in the name hides the real extension.",
  },
  "hidden-characters": { tone: "minor", says: () => "Invisible characters in the name." },
  "two-names": { tone: "minor", says: (name) => `Second file name: ${name}.` },
  "type-mismatch": { tone: "minor", says: (type) => `The actual file type is ${type}.` },
  "outlook-only": { tone: "minor", says: () => "Only Outlook can open this file." },
  page: { tone: "minor", says: () => "HTML file that opens in a browser, a common phishing trick." },
  macros: { tone: "major", says: () => "Contains macros." },
  encrypted: { tone: "minor", says: () => "Encrypted, so receivers can’t scan it." },
  bomb: { tone: "major", says: () => "Unpacks to many times its size." },
  damaged: { tone: "minor", says: () => "Damaged." },
  "not-opened": { tone: "unknown", says: () => "Not scanned because earlier files used up the limit." },
};

export function toFileRemarks({ warnings }: Eml["attachments"][number]): Remark[] {
  return warnings.map(({ warning, value }) => {
    const known = words[warning];
    return known === undefined
      ? { tone: "minor", text: warning.replaceAll("-", " ") }
      : { tone: known.tone, text: known.says(value ?? "unknown") };
  });
}

type Malware = NonNullable<TestReport["surroundings"]>["malware"];

/** What the malware scan of this file found. Nothing if no scanner is set up. */
export function toMalwareRemarks(malware: Malware | undefined, part: string): Remark[] {
  if (!malware?.known) return [];
  const fact = malware.value.files.find(({ of }) => of === part)?.fact;
  if (fact === undefined) return [];
  if (!fact.known)
    return [{ tone: "unknown", text: `Not scanned for malware: ${toWhy(fact.why as Parameters<typeof toWhy>[0])}.` }];
  const { signature } = fact.value;
  const by = malware.value.scanner ?? "ClamAV";
  return signature === null
    ? [{ tone: "info", text: `${by} found no malware.` }]
    : [{ tone: "critical", text: `${by} found ${signature}.` }];
}
