// The result of an analysis.

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
import type { ListState, MalwareScan, Row, ScannerResult, Surroundings } from "../checks/infrastructure-facts.ts";
import type { DnsAnswer } from "../dns/answer.ts";
import type { DmarcPolicy } from "../dns/dmarc.ts";
import type { JudgedTime } from "../mail/headers/judged-time.ts";
import type { LineFacts } from "../mail/mime/line-facts.ts";
import type { Assumed, Outgoing } from "../mail/session/outgoing.ts";
import type { Learned } from "../placement/learned.ts";
import type { ReportedDoor } from "./door.ts";
import { type Grade, type Scored, toGrade } from "./grade-words.ts";
import type { Judgment } from "./judgment.ts";
import type { RecordedWords } from "./receiver-verdicts.ts";
import type { Timeline } from "./timeline.ts";

export type Authentication = {
  /** For the envelope sender, or the HELO name if the return path is empty. */
  readonly spf: Fact<SpfResult>;
  readonly spfHelo: Fact<SpfResult>;
  readonly spfRecord: Fact<SpfRecord>;
  readonly dkim: Fact<Dkim>;
  readonly dmarc: Fact<Dmarc>;
  readonly dmarcResult: Fact<DmarcResult>;
  readonly arc: Fact<Arc>;
  readonly bimi: Fact<Bimi>;
  /** What was assumed of the workspace's outgoing server, for a message that came here without it. */
  readonly assumed?: Assumed;
  /** Results of a trusted receiver; missing if the user named none or it recorded nothing. */
  readonly recorded?: RecordedWords;
};

export type Report = {
  readonly subject: string | null;
  readonly from: string | null;
  /** As in the header. */
  readonly messageId: string | null;
  /** The same for messages with the same body. */
  readonly bodyKey: string;
  /** Missing in old reports. */
  readonly attachments?: number;
  /** The hosts of all links, sorted. Missing in old reports, and for more hosts than anyone would compare. */
  readonly linkHosts?: readonly string[];
  /** The headers as received, up to the read limit. */
  readonly rawHeaders: string;
  readonly lines: LineFacts;
  /** How it came in, unless Assay saw the sender's session. Missing in old reports. */
  readonly door?: ReportedDoor;
  readonly judgment: Judgment;
  readonly authentication: Authentication;
  readonly surroundings: Surroundings;
  readonly timeline: Timeline;
  /** Sentences about parts that were not read because the message is over a limit. */
  readonly shortened: readonly string[];
  readonly analysis: Evidence & {
    readonly version: string;
    /** Made from the evidence of an earlier report, without new lookups. */
    readonly isReplay: boolean;
    readonly startedAt: number;
    /** The time by which signatures and clocks were judged. Missing in old reports. */
    readonly judgedAt?: number;
    readonly judgedFrom?: JudgedTime["from"];
    readonly durationMs: number;
  };
};

/** All answers from outside the message and its session. */
export type Evidence = {
  readonly dns: readonly DnsAnswer[];
  /** Lookups that one part of the analysis had to skip, although another part may have made them. */
  readonly unasked: readonly string[];
  /** Which lists were queried, and which of them gave usable answers. */
  readonly lists: readonly ListState[];
  readonly scanners: readonly Row<ScannerResult>[];
  /** Missing in old reports. */
  readonly malware?: Fact<MalwareScan>;
  /** What the workspace knew about earlier messages and its own domains. */
  readonly history: Fact<History>;
  readonly own: Fact<Own>;
  /** What the workspace said about its outgoing server. Missing if it said nothing. */
  readonly outgoing?: Outgoing;
  /** What the prediction used of the workspace's own mail. Missing if nothing. */
  readonly learned?: Learned;
};

/** The three results that lists show; null if unknown. */
export function toResultWords({
  authentication: { spf, dkim, dmarcResult },
}: Pick<Report, "authentication">): Record<"spf" | "dkim" | "dmarc", ResultWord | null> {
  return {
    spf: spf.known ? spf.value.result : null,
    dkim: dkim.known ? toDkimWord(dkim.value) : null,
    dmarc: dmarcResult.known ? dmarcResult.value.result : null,
  };
}

/** A report of a message, or of a domain, which has no authentication. */
export type Judged = Pick<Report, "judgment"> & Partial<Pick<Report, "authentication">>;

/** `score`: what it would be under another type. */
export function gradeOf({ judgment, authentication }: Judged, score: Scored = judgment.score): Grade | null {
  return toGrade(score, authentication ? toResultWords({ authentication }) : null);
}

/** What the policy in force asks receivers to do with the message. Null if that is unknown or there is no policy. */
export function toPolicyAction({
  authentication: { dmarc, dmarcResult },
}: Pick<Report, "authentication">): DmarcPolicy | null {
  if (!dmarc.known || !dmarcResult.known) return null;
  const { result } = dmarcResult.value;
  if (result === "pass") return "none";
  return result === "fail" ? dmarc.value.effective : null;
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

/** One result for all signatures: the best one, an aligned one first; "none" without a signature. */
export function toDkimWord({ signatures }: Dkim): ResultWord {
  const rank = ({ result, aligned }: Dkim["signatures"][number]) =>
    fromBest.indexOf(result) * 2 + (aligned.relaxed ? 0 : 1);
  const [best] = [...signatures].sort((left, right) => rank(left) - rank(right));
  return best?.result ?? "none";
}
