// The reply that a report predicts for a receiver, as an SMTP reply. It is read from the same prediction and the same gates
// that the report shows, so the rehearsal and the report never disagree.

import type { Gate } from "../../../analyzer/checks/check.ts";
import { consequenceOf } from "../../../analyzer/checks/gate-reply.ts";
import type { Receiver } from "../../../analyzer/mail/headers/rehearsal-address.ts";
import { type Provider, providerTable } from "../../../analyzer/placement/provider.ts";
import type { Judgment } from "../../../analyzer/reports/judgment.ts";
import type { Reply } from "../../intake/rules/answers.ts";

export type Status = {
  readonly code: number;
  /** RFC 3463. X.0.0 (undefined) if the receiver publishes none. */
  readonly enhanced: string;
  /** The receiver's own mark, such as `[HME1]`. */
  readonly mark: string | null;
};

type Verdict = {
  /** As in the report. */
  readonly reply: string;
  /** One for each attempt of the same message; the last one stays. */
  readonly statuses: readonly Status[];
  /** Null if the report no longer lists it. */
  readonly finding: string | null;
  readonly title: string;
  /** Whose rule it is. */
  readonly provider: Gate["provider"];
};

type Judged = Pick<Judgment, "findings" | "placement" | "kind" | "volume">;

/** Null: the receiver would accept the message. `isIpv6`: of the client, because one rule depends on it. */
export function predictReply(judgment: Judged, receiver: Receiver, isIpv6: boolean): Verdict | null {
  return receiver === "strict" ? strictest(judgment, isIpv6) : ofProvider(judgment, receiver, isIpv6);
}

function ofProvider(judgment: Judged, provider: Exclude<Provider, "generic">, isIpv6: boolean): Verdict | null {
  const prediction = judgment.placement?.predictions.find((one) => one.provider === provider);
  const { gate } = providerTable[provider];
  const own = actingGates(judgment, provider);
  if (prediction?.folder === "rejected" && prediction.smtpReply !== null) {
    const { smtpReply: reply } = prediction;
    const surest = prediction.reasons.find(({ finding }) => finding !== null)?.finding;
    const same = own.filter((one) => one.gate.reply === reply);
    const named = same.find((one) => one.finding.id === surest) ?? same[0];
    if (named !== undefined) return toVerdict(named, isIpv6);
    const title = "see the report";
    return { reply, statuses: toStatuses(reply, isIpv6), finding: surest ?? null, title, provider: gate };
  }
  // A deferral is no prediction, but the report shows it among the provider's rules.
  const deferring = own.find((one) => consequenceOf(one.gate) === "deferral");
  return deferring === undefined ? null : toVerdict(deferring, isIpv6);
}

/** Whether the rule concerns this message. Rules for bulk senders count as in the prediction. */
export function actsOn(gate: Gate, { kind, volume }: Pick<Judged, "kind" | "volume">, receiver: Receiver): boolean {
  if (gate.may === true) return false;
  const isBulk = kind?.kind === "bulk" && (receiver === "strict" || volume === "large");
  const isOwn = receiver === "strict" || gate.provider === providerTable[receiver].gate;
  return isOwn && (gate.sender === "any" || isBulk);
}

/** Rejections before deferrals; the findings come with the worst first. */
function strictest(judgment: Judged, isIpv6: boolean): Verdict | null {
  const acting = actingGates(judgment, "strict");
  const worst =
    acting.find(({ gate }) => consequenceOf(gate) === "refusal") ??
    acting.find(({ gate }) => consequenceOf(gate) === "deferral");
  return worst === undefined ? null : toVerdict(worst, isIpv6);
}

type Acting = { readonly finding: Judged["findings"][number]; readonly gate: Gate };

function actingGates(judgment: Judged, receiver: Receiver): Acting[] {
  return judgment.findings.flatMap((finding) =>
    finding.gates.filter((gate) => actsOn(gate, judgment, receiver)).map((gate) => ({ finding, gate })),
  );
}

function toVerdict({ finding, gate }: Acting, isIpv6: boolean): Verdict {
  return {
    reply: gate.reply,
    statuses: toStatuses(gate.reply, isIpv6),
    finding: finding.id,
    title: finding.title,
    provider: gate.provider,
  };
}

const status = /\b([45]\d\d)(?: (\d\.\d{1,3}\.\d{1,3}))?(?: (\[[A-Z0-9]+\]|[A-Z]{2}-\d{3}))?/g;

/** Reads the notation of gates: `421 4.7.0, then 550 5.7.25 (over IPv6 550 5.7.1)`, `550 5.7.29 (421 4.7.29 first)`. */
export function toStatuses(reply: string, isIpv6: boolean): readonly Status[] {
  const [main = "", aside = ""] = reply.split(" (", 2);
  const own = readStatuses(main);
  const others = readStatuses(aside);
  if (/\bfirst\)$/.test(aside)) return [...others, ...own];
  if (isIpv6 && aside.startsWith("over IPv6")) return [...own.slice(0, -1), ...others];
  if (/\bthen refusal\b|^rejection$/.test(main)) return [...own, { code: 550, enhanced: "5.0.0", mark: null }];
  return own;
}

function readStatuses(text: string): Status[] {
  return [...text.matchAll(status)].map(([, code = "", enhanced, mark]) => ({
    code: Number(code),
    enhanced: enhanced ?? `${code[0]}.0.0`,
    mark: mark ?? null,
  }));
}

/** As in "Rehearsal of Gmail". */
export function toReceiverName(receiver: Receiver): string {
  return receiver === "strict" ? "a strict receiver" : providerTable[receiver].name;
}

// The lines of a reply. They have only our own words: nothing of the message, and no name that a sender chose.

/** RFC 5321 §4.5.3.1.5, with the code, the separator, and the line break. */
const longestLine = 512 - "550-".length - "\r\n".length;

/** `link`: of the report, or the test's ID. */
export function toReply({ code, enhanced, mark }: Status, words: string, link: string): Reply {
  const first = [enhanced, mark, toAscii(words)].filter((part) => part !== null).join(" ");
  const second = `${enhanced} Report: ${toAscii(link)}`;
  return { code, lines: [cut(first), ...(second.length > longestLine ? [] : [second])] };
}

/** A reply is ASCII unless the client asked for more (RFC 6531 §3.5). */
function toAscii(text: string): string {
  return text.replaceAll("’", "'").replace(/[^ -~]/g, "?");
}

function cut(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine - 3)}...` : line;
}
