import { toInnerTitle } from "../checks/inner-title.ts";
import type { LowScoreData } from "./alert-event.ts";
import type { ChatNotice } from "./chat-notice.ts";
import { toName, toQuote } from "./shown-text.ts";

export function lowScoreNotice({ test }: LowScoreData, thresholdScore: number | null): ChatNotice {
  const below = thresholdScore === null ? "" : `, below ${thresholdScore}`;
  const results = [
    ["SPF", test.spf],
    ["DKIM", test.dkim],
    ["DMARC", test.dmarc],
  ].flatMap(([label, result]) => (result ? [`${label} ${toName(result)}`] : []));
  const { issues = [] } = test;
  const checked = `${Math.round(test.coverage * 100)}% of what the score stands on could be checked.`;
  const subject = toQuote("Subject", test.subject ?? "(none)");
  return {
    title: `A test scored ${test.composite} of 100${below}`,
    tone: "worse",
    says: [
      ...(results.length > 0 ? [`${results.join(", ")}.`] : []),
      ...(issues.length > 0
        ? [`Fix first: ${issues.map(({ title }) => toInnerTitle(title)).join(", ")}.`]
        : []),
      ...(test.coverage < 1 ? [checked] : []),
    ],
    quotes: [
      subject,
      toQuote("From", test.from ?? "(none)"),
      ...(test.label === null ? [] : [toQuote("Label", test.label)]),
    ],
    advice: "The report says what to mend first, and how much each gives.",
    short: `Subject: ${subject.text}`,
    path: `/tests/${encodeURIComponent(test.id)}`,
  };
}
