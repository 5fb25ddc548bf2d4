// What an analysis answers: the first slice of the report, authentication verdicts with the DNS answers behind them.

import type { DnsAnswer } from "../dns/answer.ts";
import type { LineFacts } from "../mail/line-facts.ts";

/** An RFC 8601 result word. */
export type ResultWord =
  | "pass"
  | "fail"
  | "softfail"
  | "neutral"
  | "none"
  | "policy"
  | "temperror"
  | "permerror";

export type SpfVerdict = {
  readonly result: ResultWord;
  readonly domain: string | null;
  readonly explanation: string | null;
  readonly record: string | null;
};

export type DkimVerdict = {
  readonly result: ResultWord;
  readonly domain: string | null;
  readonly selector: string | null;
  readonly aligned: boolean;
  readonly explanation: string | null;
};

export type DmarcVerdict = {
  readonly result: ResultWord;
  readonly policy: string | null;
  readonly domain: string | null;
  readonly record: string | null;
};

export type Authentication = {
  /** Null where the client's address is not known. */
  readonly spf: SpfVerdict | null;
  readonly dkim: readonly DkimVerdict[];
  /** Null where DKIM did not pass it and SPF, which might have, is not known. */
  readonly dmarc: DmarcVerdict | null;
};

/** Not knowing is an answer of its own: never a pass, never a fault. */
export type Known<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly why: string };

export type Report = {
  readonly subject: string | null;
  readonly from: string | null;
  /** As its header says it. */
  readonly messageId: string | null;
  /** The name that the client's address bears in DNS; null: none. */
  readonly reverseName: Known<string | null>;
  readonly lines: LineFacts;
  readonly authentication: Known<Authentication>;
  readonly analysis: {
    readonly version: string;
    readonly startedAt: number;
    readonly durationMs: number;
    readonly dns: readonly DnsAnswer[];
  };
};

/** The one word for all signatures: the best result, an aligned one first; "none" without a signature. */
export function dkimResult(verdicts: readonly DkimVerdict[]): ResultWord {
  const order: readonly ResultWord[] = [
    "pass",
    "temperror",
    "policy",
    "neutral",
    "fail",
    "permerror",
    "softfail",
    "none",
  ];
  const rank = (verdict: DkimVerdict) => order.indexOf(verdict.result) * 2 + (verdict.aligned ? 0 : 1);
  const best = [...verdicts].sort((left, right) => rank(left) - rank(right))[0];
  return best?.result ?? "none";
}
