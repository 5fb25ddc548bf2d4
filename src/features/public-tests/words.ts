// What the public page says.

import { toNumber, toPlural } from "../../analyzer/count-words.ts";
import type { Counted } from "./rules/counts.ts";
import type { PublicPage } from "./rules/page.ts";

export const headline = "Test your email";

export const lead =
  "Send one message to an address made just for you. Seconds later, you see whether mail servers can trust it, what to fix, and how it looks.";

export function toStoredWords({ stored, keepDays }: Pick<PublicPage, "stored" | "keepDays">): string {
  return (
    stored ??
    `Your message and its report stay on this server for at most ${toPlural(keepDays, "day", "days")}, or until you delete them. Only people with the link can read the report. This page sets no cookies and loads nothing from other servers.`
  );
}

/** Why visitors or their mail were refused. */
const refusedWords: Readonly<Partial<Record<Counted, string>>> = {
  "refused.network": "too many from one network",
  "refused.all": "too many at once",
  "refused.proof": "no proof of work",
  "refused.full": "no space left",
  "refused.busy": "too many waited",
  "refused.sender": "messages of a client that sent too many",
  "refused.spent": "second messages to an address",
  "refused.unknown": "messages to unknown addresses",
};

export function toRefusedWords(numbers: Partial<Record<Counted, number>>): string {
  return Object.entries(refusedWords)
    .flatMap(([what, says]) => {
      const number = numbers[what as Counted] ?? 0;
      return number === 0 ? [] : [`${toNumber(number)} ${says}`];
    })
    .join(", ");
}
