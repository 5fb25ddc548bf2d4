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
  readonly analysis: Evidence & {
    readonly version: string;
    /** Made from the evidence of an earlier report, with nobody asked. */
    readonly isReplay: boolean;
    readonly startedAt: number;
    readonly durationMs: number;
  };
};

/** All that was heard of the world outside the message and its session. */
export type Evidence = { readonly dns: readonly DnsAnswer[] };

/** The three words that lists show; null where it could not be found out. */
export function toResultWords({
  authentication,
}: Report): Record<"spf" | "dkim" | "dmarc", ResultWord | null> {
  const verdicts = authentication.known ? authentication.value : null;
  return {
    spf: verdicts?.spf?.result ?? null,
    dkim: verdicts ? dkimResult(verdicts.dkim) : null,
    dmarc: verdicts?.dmarc?.result ?? null,
  };
}

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
