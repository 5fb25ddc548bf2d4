// The marks by which a copy of a message is recognized elsewhere: the header X-Assay-Id, and `assay-…` in the body. A
// sender may write either; our own samples carry a token that only we can create (send-token.ts).

import type { Message } from "./message.ts";

export const markHeader = "x-assay-id";
/** One is usual. More are read, because a gateway may add its own. */
export const mostMarks = 4;

/** Lower case. Null if it isn't a mark. */
export function toMark(text: string): string | null {
  const mark = text.trim().toLowerCase();
  return /^[!-~]{1,100}$/.test(mark) ? mark : null;
}

export function readAssayMarks({ headers, text, html }: Pick<Message, "headers" | "text" | "html">): string[] {
  const named = headers.filter(({ key }) => key === markHeader).flatMap(({ value }) => toMark(value) ?? []);
  const bodies = [text, html].flatMap((body) => findBodyTokens(body?.text ?? ""));
  return [...new Set([...named, ...bodies])].slice(0, mostMarks);
}

const beginning = "assay-";
/** Most pages that mention us do so once or twice. */
const mostLookedAt = 1_000;

/** At most `mostMarks`, each once, in lower case, because systems on the way may change case. */
export function findBodyTokens(text: string): string[] {
  // Nearly no message has one, and lowercasing a long text is slow.
  if (!/assay-/i.test(text)) return [];
  const body = text.toLowerCase();
  const found = new Set<string>();
  let looked = 0;
  for (let at = body.indexOf(beginning); at >= 0; at = body.indexOf(beginning, at + 1)) {
    if (found.size >= mostMarks || ++looked > mostLookedAt) break;
    const [token] = /^assay-[a-z0-9-]{8,65}/.exec(body.slice(at, at + longestLook)) ?? [];
    const isApart = !/[a-z0-9-]/.test(body.charAt(at - 1));
    if (token && isApart && token.length <= longestToken) found.add(token);
  }
  return [...found];
}

const longestToken = beginning.length + 64;
const longestLook = longestToken + 1;
