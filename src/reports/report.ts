// What an analysis answers.

import type {
  Arc,
  Bimi,
  Dkim,
  Dmarc,
  DmarcResult,
  ResultWord,
  SpfRecord,
  SpfResult,
} from "../checks/authentication-facts.ts";
import type { Fact } from "../checks/fact.ts";
import type { History, Own } from "../checks/facts.ts";
import type { ListState, Row, ScannerResult, Surroundings } from "../checks/infrastructure-facts.ts";
import type { DnsAnswer } from "../dns/answer.ts";
import type { JudgedTime } from "../mail/headers/judged-time.ts";
import type { LineFacts } from "../mail/mime/line-facts.ts";
import type { Judgment } from "./judgment.ts";
import type { RecordedWords } from "./receiver-verdicts.ts";
import type { Timeline } from "./timeline.ts";

export type Authentication = {
  /** Of the envelope sender; of the HELO name for the null reverse-path. */
  readonly spf: Fact<SpfResult>;
  readonly spfHelo: Fact<SpfResult>;
  readonly spfRecord: Fact<SpfRecord>;
  readonly dkim: Fact<Dkim>;
  readonly dmarc: Fact<Dmarc>;
  readonly dmarcResult: Fact<DmarcResult>;
  readonly arc: Fact<Arc>;
  readonly bimi: Fact<Bimi>;
  /** What a trusted receiver recorded; absent where the person named none, or it left nothing. */
  readonly recorded?: RecordedWords;
};

export type Report = {
  readonly subject: string | null;
  readonly from: string | null;
  /** As its header says it. */
  readonly messageId: string | null;
  /** Alike for messages with the same body. */
  readonly bodyKey: string;
  /** The header section as received, as far as it is read. */
  readonly rawHeaders: string;
  readonly lines: LineFacts;
  readonly judgment: Judgment;
  readonly authentication: Authentication;
  readonly surroundings: Surroundings;
  readonly timeline: Timeline;
  /** What was there but was not read, in plain sentences: the report is a shortened one. */
  readonly shortened: readonly string[];
  readonly analysis: Evidence & {
    readonly version: string;
    /** Made from the evidence of an earlier report, with nobody asked. */
    readonly isReplay: boolean;
    readonly startedAt: number;
    /** By which moment signatures and clocks were judged; reports of earlier versions lack it. */
    readonly judgedAt?: number;
    readonly judgedFrom?: JudgedTime["from"];
    readonly durationMs: number;
  };
};

/** All that was heard of the world outside the message and its session. */
export type Evidence = {
  readonly dns: readonly DnsAnswer[];
  /** What a part of the analysis was not allowed to ask, though another may have been. */
  readonly unasked: readonly string[];
  /** Which lists were asked, and which of them could be believed. */
  readonly lists: readonly ListState[];
  readonly scanners: readonly Row<ScannerResult>[];
  /** What the workspace knew of earlier messages, and of its own domains. */
  readonly history: Fact<History>;
  readonly own: Fact<Own>;
};

/** The three words that lists show; null where it could not be found out. */
export function toResultWords({
  authentication: { spf, dkim, dmarcResult },
}: Report): Record<"spf" | "dkim" | "dmarc", ResultWord | null> {
  return {
    spf: spf.known ? spf.value.result : null,
    dkim: dkim.known ? toDkimWord(dkim.value) : null,
    dmarc: dmarcResult.known ? dmarcResult.value.result : null,
  };
}

const fromBest: readonly ResultWord[] = [
  "pass",
  "temperror",
  "policy",
  "neutral",
  "fail",
  "permerror",
  "softfail",
  "none",
];

/** The one word for all signatures: the best result, an aligned one first; "none" without a signature. */
export function toDkimWord({ signatures }: Dkim): ResultWord {
  const rank = ({ result, aligned }: Dkim["signatures"][number]) =>
    fromBest.indexOf(result) * 2 + (aligned.relaxed ? 0 : 1);
  const [best] = [...signatures].sort((left, right) => rank(left) - rank(right));
  return best?.result ?? "none";
}
