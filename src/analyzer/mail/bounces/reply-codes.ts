// What receivers mean by the codes that people ask about, and what to do.

import rows from "./reply-codes.json" with { type: "json" };

export type ReplyCode = {
  /** As receivers write them: reply code and status. The first one names the row. */
  readonly codes: readonly string[];
  /** The receiver's own names of its replies. */
  readonly tags?: readonly string[];
  readonly by: string;
  /** Markdown, as is `todo`. */
  readonly means: string;
  readonly todo: string;
  /** A citation (references-table.ts). */
  readonly source: string;
};

export const replyCodes: readonly ReplyCode[] = rows;

export function nameOf({ codes: [code = ""], tags: [tag = code] = [], by }: ReplyCode): string {
  return `${code.includes(tag) ? code : `${code} [${tag}]`} from ${by}`;
}

const anyone = "any receiver";

/**
 * The row that fits the words of reply-code.ts best. Null if none fits. Receivers mean different things by one status, so
 * the row of one receiver needs its name, unless no other row has the status.
 */
export function findReplyCode(words: string): ReplyCode | null {
  const given = words
    .toLowerCase()
    .trim()
    .split(/[\s+]+/);
  const status = given.find((word) => /^\d\.\d+\.\d+$/.test(word)) ?? "";
  const reply = given.find((word) => /^[45]\d\d$/.test(word)) ?? "";
  const withStatus = replyCodes.filter(({ codes }) => codes.some((code) => code.split(" ")[1] === status));
  const pointsOf = ({ codes, tags = [], by }: ReplyCode) => {
    const isBy = given.some((word) => by.toLowerCase().replace("outlook.com", "microsoft").includes(word));
    if (tags.some((tag) => given.includes(tag.toLowerCase()))) return isBy ? 9 : 8;
    const alike = codes.filter((code) => code.endsWith(` ${status}`) && code.startsWith(reply.slice(0, 1)));
    const isWhole = alike.some((code) => code.startsWith(reply));
    const isMeant = isBy || by === anyone || withStatus.length === 1;
    const isTagged = tags.length > 0;
    if (alike.length === 0 || !isMeant || (isTagged && !isWhole)) return 0;
    return 2 + 2 * Number(isBy) + Number(isWhole) - Number(isTagged);
  };
  const fitting = replyCodes.map((row) => ({ row, points: pointsOf(row) })).filter(({ points }) => points > 0);
  return fitting.toSorted((a, b) => b.points - a.points)[0]?.row ?? null;
}
