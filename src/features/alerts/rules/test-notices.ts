// Describes a test's score, a stream's move, and a finished analysis.

import { toInnerTitle } from "../../../analyzer/checks/inner-title.ts";
import type { FoundMalware } from "../../../analyzer/reports/malware.ts";
import type { MoveCause } from "../../../analyzer/reports/stream.ts";
import type { AnalyzedData, LowScoreData, StreamData } from "./alert-event.ts";
import type { ChatNotice } from "./chat-notice.ts";
import { toName, toQuote, toSentence } from "./notice-text.ts";

/** The page has all of them. */
const shownChanges = 4;

export function lowScoreNotice({ test, stream = null }: LowScoreData, thresholdScore: number | null): ChatNotice {
  const below = thresholdScore === null ? "" : `, below ${thresholdScore}`;
  const results = [
    ["SPF", test.spf],
    ["DKIM", test.dkim],
    ["DMARC", test.dmarc],
  ].flatMap(([label, result]) => (result ? [`${label} ${toName(result)}`] : []));
  const { issues = [], malware = [] } = test;
  const infected = malware.map(toMalwareWords);
  const checked = `${Math.round(test.coverage * 100)}% of checks completed.`;
  const subject = toQuote("Subject", test.subject ?? "(none)");
  return {
    title: `${malware.length > 0 ? "Malware found: a" : "A"} test scored ${test.composite} of 100${below}`,
    tone: "worse",
    says: [
      ...infected,
      ...(stream === null || stream.usualScore === null ? [] : [toUsualWords(test.composite, stream)]),
      ...(results.length > 0 ? [`${results.join(", ")}.`] : []),
      ...(issues.length > 0
        ? [toSentence(`Fix first: ${issues.map(({ title }) => toInnerTitle(title)).join(", ")}.`)]
        : []),
      ...(test.coverage < 1 ? [checked] : []),
    ],
    quotes: [
      subject,
      toQuote("From", test.from ?? "(none)"),
      ...(test.label === null ? [] : [toQuote("Label", test.label)]),
    ],
    advice: malware.length > 0 ? malwareAdvice : reportAdvice,
    short: infected[0] ?? `Subject: ${subject.text}`,
    path: `/tests/${encodeURIComponent(test.id)}`,
  };
}

const reportAdvice = "The report shows what to fix first, and how many points each fix is worth.";
const malwareAdvice =
  "Don’t open the file. If your own system sent it, check where the file comes from. The report has its SHA-256.";

/** The file's name is the sender's own choice. */
function toMalwareWords({ signature, file }: FoundMalware): string {
  const place = file === null ? "the message, but not in an attachment" : `the attachment “${toName(file)}”`;
  return `ClamAV found ${toName(signature)} in ${place}.`;
}

/** Whether something has changed, or the whole stream is below the threshold. */
function toUsualWords(
  composite: number,
  { name, usualScore }: Pick<NonNullable<LowScoreData["stream"]>, "name" | "usualScore">,
): string {
  const usual = usualScore ?? 0;
  const distance = composite - usual;
  const way = distance <= -leastMove ? "low" : distance >= leastMove ? "high" : "as usual";
  return `This is ${way} for ${toName(name)}, which usually scores ${usual}.`;
}

/** As for streams: smaller differences are normal. */
const leastMove = 5;

const causeNames: Readonly<Record<MoveCause["cause"], string>> = {
  mail: "the message",
  infrastructure: "the delivery",
  dns: "DNS",
  circumstances: "the test conditions",
  rules: "Assay’s rules",
  variation: "normal variation",
};

export function streamNotice({ stream, test, usualScore, points, causes, changes }: StreamData): ChatNotice {
  const subject = toQuote("Subject", test.subject ?? "(none)");
  const shares = (causes ?? []).map((one) => `${toSigned(one.points)} from ${causeNames[one.cause]}`);
  const split = shares.length > 0 ? `${toSentence(shares.join(", "))}.` : null;
  return {
    title: `${toName(stream.name)}: score ${test.score}, usually ${usualScore}`,
    tone: points < 0 ? "worse" : "better",
    says: [...(split === null ? [] : [split]), ...changes.slice(0, shownChanges).map(({ says }) => toName(says))],
    quotes: [subject, toQuote("From", test.from ?? "(none)")],
    advice: points < 0 ? "The stream’s page shows when it changed, and what changed with it." : "",
    short: split ?? `Subject: ${subject.text}`,
    path: `/streams/${encodeURIComponent(stream.id)}`,
  };
}

function toSigned(points: number): string {
  return points < 0 ? `−${-points}` : `+${points}`;
}

export function analyzedNotice({ test: { id, composite, grade, label, verdicts } }: AnalyzedData): ChatNotice {
  const { critical, major, minor, passed } = verdicts;
  const score = composite === null ? "has no score" : `scored ${composite} of 100`;
  const counts = `${critical} critical, ${major} major, and ${minor} minor issues. ${passed} checks passed.`;
  return {
    title: `A test ${score}${grade === null ? "" : ` (grade ${grade})`}`,
    tone: "neutral",
    says: [counts],
    quotes: label === null ? [] : [toQuote("Label", label)],
    advice: "",
    short: label === null ? counts : `Label: ${toName(label)}`,
    path: `/tests/${encodeURIComponent(id)}`,
  };
}
