// What receivers mean by the codes that people ask about, and what to do.

import rows from "./reply-codes.json" with { type: "json" };

type ReplyCode = {
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

/** The row that fits the words of reply-code.ts best. Null if none fits. */
export function findReplyCode(words: string): ReplyCode | null {
  const given = words.toLowerCase().split(/[\s+]+/);
  const status = given.find((word) => /^\d\.\d+\.\d+$/.test(word)) ?? null;
  const pointsOf = ({ codes, tags = [], by }: ReplyCode) => {
    const hasTag = tags.some((tag) => given.includes(tag.toLowerCase()));
    if (!hasTag && !codes.some((code) => code.split(" ")[1] === status)) return 0;
    const isWhole = codes.some((code) => code.split(" ").every((part) => given.includes(part)));
    const isBy = given.some((word) => by.toLowerCase().replace("outlook.com", "microsoft").includes(word));
    return 4 + (hasTag ? 8 : tags.length > 0 ? -1 : 0) + (isWhole ? 1 : 0) + (isBy ? 2 : 0);
  };
  const [best] = replyCodes.toSorted((a, b) => pointsOf(b) - pointsOf(a));
  return best !== undefined && pointsOf(best) > 0 ? best : null;
}
