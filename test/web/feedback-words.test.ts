// What the pages say about a domain before its reports say anything.

import { expect, test } from "vitest";
import { toFeedbackHeading, toPolicyLead, toPolicyTitle } from "../../src/features/feedback/page/feedback-words.ts";

type Coach = Parameters<typeof toPolicyTitle>[0];
type Feedback = Parameters<typeof toFeedbackHeading>[0];

const coach = {
  recordAt: null,
  ignoredRecords: [],
  present: null,
  next: null,
  isSafe: true,
  messages: 0,
  passed: 0,
  reports: 0,
  authenticatedReports: 0,
  reportDays: 0,
  reporters: 0,
  from: "2026-10-23",
  to: "2026-11-21",
  policy: { record: "v=DMARC1; p=reject", p: "reject", sp: "reject", np: "reject", testing: false },
} as unknown as Coach;

test("reports that don't count yet are mentioned as received", () => {
  expect(toPolicyLead(coach)).toBe("No authenticated DMARC reports from 23 Oct 2026 to 21 Nov 2026.");
  expect(toPolicyLead({ ...coach, reports: 3, authenticatedReports: 2 })).toBe(
    "2 authenticated DMARC reports from 23 Oct 2026 to 21 Nov 2026, not counted yet. A reporter counts once its reports about three days arrived on three days. 1 report doesn’t count, because SPF and DKIM don’t confirm who sent them.",
  );
});

test("DMARC reports without messages aren't called missing", () => {
  expect(toPolicyLead({ ...coach, reports: 9, authenticatedReports: 9, reporters: 1 })).toBe(
    "9 authenticated DMARC reports from 23 Oct 2026 to 21 Nov 2026, without any message.",
  );
});

test("a policy isn't called the strictest if subdomains have a weaker one", () => {
  const withPolicy = (more: object) => toPolicyTitle({ ...coach, policy: { ...coach.policy, ...more } } as Coach);
  expect(withPolicy({})).toBe("The policy is as strict as it gets");
  expect(withPolicy({ np: "none" })).toBe("p=reject is in force, but subdomains that don’t exist follow np=none");
});

test("without authenticated reports, the heading doesn't say that there are no problems", () => {
  const feedback = {
    problems: [],
    evaluatedAt: "2026-11-21T00:00:00.000Z",
    reports: 4,
    authenticatedReports: 0,
    reporters: 0,
    newReporters: 0,
    notices: 0,
    authenticatedNotices: 0,
  } as unknown as Feedback;
  expect(toFeedbackHeading(feedback)).toBe("Reports about this domain");
  const some = { ...feedback, authenticatedReports: 4, reporters: 2, newReporters: 2 };
  expect(toFeedbackHeading(some)).toBe("Reports about this domain");
  expect(toFeedbackHeading({ ...some, newReporters: 1 })).toBe("No open problems in reports");
  expect(toFeedbackHeading({ ...feedback, notices: 3 })).toBe("Reports about this domain");
  expect(toFeedbackHeading({ ...feedback, notices: 3, authenticatedNotices: 3 })).toBe("No open problems in reports");
});
