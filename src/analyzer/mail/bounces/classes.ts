// Maps the reason for a failed delivery to one of our classes. The most exact evidence decides: words that name the
// cause, then a status code that does, then words that hint, then the remaining codes. The status can't come first,
// because MTAs that know only "no" fill in 5.0.0, 5.1.1 or 5.7.1. Words alone aren't enough, because many diagnostics
// have none.

import type { BounceClass } from "../reports/mail-class.ts";
import {
  type CodeRow,
  hintWords,
  plainWords,
  replyRows,
  statusRows,
  vagueStatusRows,
  type WordRow,
} from "./class-tables.ts";
import { readReply, readStatus } from "./reply-code.ts";

type Evidence = {
  /** The Status field of RFC 3463. */
  readonly status: string | null;
  /** What the MTA says about this recipient, nearest first: the diagnostic, the lines about it, the whole notice. */
  readonly texts: readonly string[];
};

type Verdict = { readonly class: BounceClass; readonly status: string | null };

const longestText = 2_000;

export function classify(evidence: Evidence): Verdict {
  const texts = evidence.texts.filter((text) => text !== "").map(toComparable);
  const [nearest = ""] = texts;
  const reply = readReply(nearest) ?? readReply(texts[1] ?? "");
  const status = mostExact(readStatus(nearest), evidence.status) ?? (readStatus(texts[1] ?? "") || null);
  const isAnswer = readReply(nearest) !== null;
  const found =
    classOf(plainWords, nearest) ??
    (status === null ? undefined : rowOf(statusRows, status)) ??
    (isAnswer ? classOf(hintWords, nearest) : undefined) ??
    firstClass(plainWords, texts.slice(1)) ??
    firstClass(hintWords, texts) ??
    (status === null ? undefined : rowOf(vagueStatusRows, status)) ??
    (reply === null ? undefined : rowOf(replyRows, reply));
  return { class: found ?? "unknown", status: status ?? (reply === null ? null : `${reply[0]}.0.0`) };
}

/**
 * Unknown addresses and hosts stay unknown, and a mailbox that its host calls disabled (X.2.1) stays disabled.
 * Everything else may pass. Moved users and null MX have these classes too.
 */
export function isHard({ class: bounceClass, status }: Verdict, action: string | null): boolean {
  const isFinal = action === null || action === "failed";
  const isGone = bounceClass === "user_unknown" || bounceClass === "host_unknown";
  return isFinal && (isGone || (bounceClass === "disabled" && status === "5.2.1"));
}

/** x.0.0 carries no information. */
function mostExact(one: string | null, other: string | null): string | null {
  return one !== null && !/\.0\.0$/.test(one) ? one : other !== null && !/\.0\.0$/.test(other) ? other : (other ?? one);
}

function toComparable(text: string): string {
  return text
    .slice(0, longestText * 2)
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, longestText);
}

function classOf(rows: readonly WordRow[], text: string): BounceClass | undefined {
  return rows.find(({ words }) => words.some((pattern) => pattern.test(text)))?.class;
}

function firstClass(rows: readonly WordRow[], texts: readonly string[]): BounceClass | undefined {
  return texts.map((text) => classOf(rows, text)).find((found) => found !== undefined);
}

function rowOf(rows: readonly CodeRow[], code: string): BounceClass | undefined {
  return rows.find(([, pattern]) => pattern.test(code))?.[0];
}
