// What is odd about a file, in words.

import type { Eml } from "./content.tsx";
import type { Remark } from "./listing.tsx";

type Told = { readonly tone: Remark["tone"]; readonly says: (value: string) => string };

const words: Readonly<Record<string, Told>> = {
  "gmail-refuses": {
    tone: "critical",
    says: (ending) => `Gmail refuses every message with .${ending} in it.`,
  },
  "gmail-refuses-inside": { tone: "critical", says: (name) => `Gmail refuses it for ${name} inside.` },
  "archive-in-encrypted": {
    tone: "critical",
    says: () => "An archive in a locked archive, which Gmail refuses.",
  },
  "outlook-blocks": { tone: "major", says: (ending) => `Outlook does not let people open .${ending}.` },
  "hidden-ending": { tone: "major", says: (ending) => `Its true ending, .${ending}, stands behind another.` },
  "direction-override": {
    tone: "major",
    says: () => "A sign in its name turns letters round and hides the ending.",
  },
  "hidden-characters": { tone: "minor", says: () => "Its name holds characters that cannot be seen." },
  "two-names": { tone: "minor", says: (name) => `It has a second name: ${name}.` },
  "type-mismatch": { tone: "minor", says: (type) => `By its bytes it is ${type}.` },
  "outlook-only": { tone: "minor", says: () => "Only Outlook can open it." },
  page: { tone: "minor", says: () => "A web page: it opens in a browser, as forged log-in pages do." },
  macros: { tone: "major", says: () => "It holds macros." },
  encrypted: { tone: "minor", says: () => "It is locked, so that nobody can look into it on the way." },
  bomb: { tone: "major", says: () => "It unpacks to far more than it is." },
  damaged: { tone: "minor", says: () => "It is damaged." },
  "not-opened": { tone: "unknown", says: () => "Not looked into: there was too much before it." },
};

export function toFileRemarks({ warnings }: Eml["attachments"][number]): Remark[] {
  return warnings.map(({ warning, value }) => {
    const known = words[warning];
    return known === undefined
      ? { tone: "minor", text: warning.replaceAll("-", " ") }
      : { tone: known.tone, text: known.says(value ?? "it") };
  });
}
