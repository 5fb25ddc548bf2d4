// What needs you, in words: the sentence at the top of Home, and a line for each thing that isn't a message.

import { judgedMechanisms, listFailing } from "../../../analyzer/words/failing-words.ts";
import type { Tone } from "../../../analyzer/words/plain-words.ts";
import { toCount, toDay, toList, toPlural, toSentence } from "../../../web/client/words.ts";
import { toProviderName } from "../../../web/report/placement-row.ts";
import { toMoveWords, toSplitWords } from "../../tests/page/stream-words.ts";
import type { DashboardSummary } from "../contract.ts";

export type Line = {
  readonly tone: Tone;
  readonly title: string;
  /** What to do, or why. */
  readonly says: string | null;
  readonly to: string;
};

/** The worst first. */
export function toLines(summary: DashboardSummary): readonly Line[] {
  const { domains, feedback, newestFailed, window, bounces7d, complaints7d } = summary;
  const further = domains.failing - domains.worst.filter((domain) => listFailing(domain).length > 0).length;
  const returned = [
    ...(bounces7d > 0 ? [toPlural(bounces7d, "bounce", "bounces")] : []),
    ...(complaints7d > 0 ? [toPlural(complaints7d, "complaint", "complaints")] : []),
  ];
  const lines = [
    ...summary.downMonitors.map(({ id, name, says }) =>
      line("critical", `Monitor “${name}” is down`, says, `/monitors/${id}`),
    ),
    ...domains.worst.map(toDomainLine),
    further > 0 &&
      line("critical", `${toPlural(further, "more domain fails", "more domains fail")} DNS checks`, null, "/domains"),
    ...feedback.newest.map(({ domain: { id, domain }, title }) =>
      line("major", `${domain}: ${title}`, "Receivers reported it.", `/domains/${id}#feedback`),
    ),
    feedback.open > feedback.newest.length &&
      line("major", `${feedback.open - feedback.newest.length} more problems in reports`, null, "/feedback"),
    newestFailed !== null &&
      newestFailed.received_at >= window.from &&
      line("major", "The analysis of a message failed", "Analyze it again, or download it.", "/tests?q=status:failed"),
    // A higher score is no problem.
    ...summary.movedStreams.map(
      ({ id, name, lastMove }) =>
        lastMove !== null &&
        lastMove.points < 0 &&
        line("minor", `${name} scored ${toMoveWords(lastMove)}`, toSplitWords(lastMove), `/streams/${id}`),
    ),
    returned.length > 0 && line("minor", toList(returned), "In the last 7 days.", "/feedback/bounces"),
  ];
  return lines.filter((one) => one !== false);
}

function line(tone: Tone, title: string, says: string | null, to: string): Line {
  return { tone, title, says: says && toSentence(says), to };
}

/** As its page names them, so that neither says more than the other. */
function toDomainLine(domain: DashboardSummary["domains"]["worst"][number]): Line {
  const failing = listFailing(domain);
  const missing = failing.filter((one) => domain[one] === "missing");
  const failed = failing.filter((one) => domain[one] !== "missing");
  const words = [
    ...(failed.length > 0 ? [`${toNames(failed)} ${failed.length === 1 ? "fails" : "fail"}`] : []),
    ...(missing.length > 0 ? [`${toNames(missing)} ${missing.length === 1 ? "is" : "are"} missing`] : []),
  ];
  const silent = judgedMechanisms.filter((one) => domain[one] === "error");
  const to = `/domains/${domain.id}`;
  if (words.length > 0)
    return line("critical", `${domain.domain}: ${words.join(", ")}`, "Publish the records that its page proposes.", to);
  if (silent.length > 0) return line("unknown", `${domain.domain}: no DNS response for ${toNames(silent)}`, null, to);
  return line(
    "minor",
    `${domain.domain}: DNS records changed`,
    "In the last 24 hours. Check that you made the change.",
    to,
  );
}

function toNames(mechanisms: readonly string[]): string {
  return toList(mechanisms.map((name) => name.toUpperCase()));
}

type Sentence = { readonly tone: Tone | null; readonly text: string; readonly lead: string };

/** `things`: how many lines there are. */
export function toHeadline({ needsYou, testCount, recentTests, window }: DashboardSummary, things: number): Sentence {
  const { tests } = needsYou;
  const also = things === 0 ? "" : ` ${toPlural(things, "other thing needs", "other things need")} you, too.`;
  if (tests > 0)
    return {
      tone: "major",
      text:
        testCount === 1
          ? "1 message needs you."
          : `${toCount(tests)} of ${toCount(testCount)} messages ${tests === 1 ? "needs" : "need"} you.`,
      lead: `${tests === 1 ? "It" : "Each"} has a critical or major issue, or would likely go to spam or be rejected somewhere.${also}`,
    };
  const week = `${toPlural(testCount, "message", "messages")} in the last 7 days`;
  if (things > 0)
    return {
      tone: "major",
      text: things === 1 ? "One thing needs you." : `${toCount(things)} things need you.`,
      lead: testCount === 0 ? "No messages in the last 7 days." : `${week}, none of which needs you.`,
    };
  if (testCount > 0)
    return {
      tone: "good",
      text: "Nothing needs you.",
      lead: `${week}: no critical or major issues found, and none likely in spam.`,
    };
  return toSilence(recentTests, window.from);
}

function toSilence([newest]: DashboardSummary["recentTests"], since: string): Sentence {
  if (newest?.status === "received" || newest?.status === "analyzing")
    return { tone: "info", text: "A message has arrived.", lead: "Assay is analyzing it." };
  const last = newest === undefined ? "" : `The last message was on ${toDay(newest.received_at)}.`;
  if (newest !== undefined && isUpload(newest) && newest.received_at >= since)
    return {
      tone: null,
      text: "Only uploads in the last 7 days.",
      lead: "They aren’t counted here, because they may be other people’s mail.",
    };
  return { tone: null, text: "No mail in the last 7 days.", lead: last };
}

type Test = DashboardSummary["recentTests"][number];

/** Its mail came through no address of the workspace. */
export function isUpload({ to }: Pick<Test, "to">): boolean {
  return to.length === 0;
}

/** What a message needs first. */
export function toNeedWords({ issue, lost }: DashboardSummary["needsYou"]["newest"][number]): string {
  if (issue !== null) return issue.title;
  const [first] = lost;
  if (first === undefined) return "An issue to fix";
  return lost.length === 1 ? `Likely spam at ${toProviderName(first)}` : `Likely spam at ${lost.length} providers`;
}

/** What is in order, with the page that shows it. */
export function toFine({
  domains,
  monitors,
}: DashboardSummary): readonly { readonly text: string; readonly to: string }[] {
  return [
    ...(domains.fine > 0 ? [{ text: toPlural(domains.fine, "domain", "domains"), to: "/domains" }] : []),
    ...(monitors.up > 0 ? [{ text: toPlural(monitors.up, "monitor", "monitors"), to: "/monitors" }] : []),
  ];
}
