// How a subject begins that says it answers, or passes on, another message.

import { prefixesByLanguage } from "./reply-prefix-table.ts";

export type SubjectPrefix = { readonly kind: "reply" | "forward"; readonly text: string };

const everyLanguage = Object.values(prefixesByLanguage);
const replies = new Set(everyLanguage.flatMap(({ reply }) => reply));
/** A prefix that answers in one language and forwards in another is the milder of both: an answer. */
const forwards = new Set(
  everyLanguage.flatMap(({ forward }) => forward).filter((word) => !replies.has(word)),
);

export function prefixOf(subject: string): SubjectPrefix | null {
  // A count may follow, as in "Re[2]:" or "AW (3):".
  const found = /^([\p{L}\p{M}][\p{L}\p{M} ]{0,20}?)\s?(?:\[\d{1,3}\]|\(\d{1,3}\))?\s?[:：]/u.exec(
    subject.trimStart(),
  );
  const [text, word = ""] = found ?? [];
  if (text === undefined) return null;
  const lower = word.toLowerCase().normalize("NFC");
  if (replies.has(lower)) return { kind: "reply", text };
  return forwards.has(lower) ? { kind: "forward", text } : null;
}
