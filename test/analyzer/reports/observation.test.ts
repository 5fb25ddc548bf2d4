import { expect, test } from "vitest";
import { toContribution, withPlaced } from "../../../src/analyzer/reports/contribution.ts";
import type { Judgment } from "../../../src/analyzer/reports/judgment.ts";
import { toAwaited, toMajority, toPlaced } from "../../../src/analyzer/reports/observation.ts";

const predictions = [
  { provider: "gmail", folder: "promotions" },
  { provider: "yahoo", folder: "rejected" },
] as const;

test("an observed folder replaces the predicted one, followed by other mailboxes", () => {
  expect(
    toPlaced(predictions, [
      { provider: "imap:b@x.example", folder: "spam" },
      { provider: "yahoo", folder: "inbox" },
      { provider: "imap:a@x.example", folder: "inbox" },
    ]),
  ).toEqual([
    { provider: "gmail", folder: "promotions", isObserved: false },
    { provider: "yahoo", folder: "inbox", isObserved: true },
    { provider: "imap:a@x.example", folder: "inbox", isObserved: true },
    { provider: "imap:b@x.example", folder: "spam", isObserved: true },
  ]);
});

test.each([
  [["inbox"], "inbox", 1],
  [["inbox", "inbox", "spam"], "inbox", 2 / 3],
  [["inbox", "spam"], "spam", 1 / 2],
  [["promotions", "inbox"], "promotions", 1 / 2],
  [["inbox", "promotions", "spam"], "spam", 1 / 3],
] as const)("the folder for %j is %s", (folders, folder, share) => {
  expect(toMajority(folders)).toEqual({ folder, share });
});

test("there is no folder without a mailbox", () => {
  expect(toMajority([])).toBeNull();
});

test("a workspace without observations keeps the analyzed placement", () => {
  const made = toContribution(
    judged({ predictions: predictions.map((one) => ({ ...one, odds: { [one.folder]: 1 } })) }),
  );
  expect(JSON.stringify(withPlaced(made, toPlaced(predictions, [])))).toBe(JSON.stringify(made));
  expect(withPlaced(made, toPlaced(predictions, [{ provider: "gmail", folder: "spam" }]))).toEqual({
    ...made,
    folders: { gmail: "spam", yahoo: "rejected" },
    observed: ["gmail"],
    need: { issue: null, isCritical: false, lost: ["gmail", "yahoo"] },
  });
});

const judged = ({
  predictions = [],
  ...others
}: {
  predictions?: readonly object[];
  findings?: object[];
  plan?: object[];
}) =>
  ({
    score: { composite: 91.2 },
    placement: { predictions },
    findings: [],
    plan: [],
    ...others,
  }) as unknown as Judgment;
const finding = (id: string, severity: string, ownedBy: string | null = null) => ({ id, severity, ownedBy, cost: 1 });
const atGmail = (folder: string, spam: number) => ({ provider: "gmail", folder, odds: { rejected: 0, spam } });

test.each([
  [
    "with minor issues in the inbox",
    { findings: [finding("a.b", "minor")], predictions: [atGmail("inbox", 0.1)] },
    null,
  ],
  ["that could go to the inbox or spam", { predictions: [atGmail("spam", 0.55)] }, null],
  ["that is likely spam", { predictions: [atGmail("spam", 0.8)] }, { issue: null, isCritical: false, lost: ["gmail"] }],
  ["with a major issue", { findings: [finding("a.b", "major")] }, { issue: "a.b", isCritical: false, lost: [] }],
  [
    "with several issues: the gravest that its report says to fix first",
    {
      findings: [finding("a.b", "critical"), finding("c.d", "major"), finding("e.f", "minor")],
      plan: [{ finding: "e.f" }, { finding: "c.d" }, { finding: "a.b" }],
    },
    { issue: "c.d", isCritical: false, lost: [] },
  ],
  [
    "whose major issue has a minor cause",
    { findings: [finding("a.b", "major", "c.d"), finding("c.d", "minor")] },
    null,
  ],
])("a message %s has the right need", (_what, told, need) => {
  expect(toContribution(judged(told)).need).toEqual(need);
});

test("a message that was seen in the inbox isn't lost, whatever was predicted", () => {
  const made = toContribution(judged({ predictions: [atGmail("spam", 0.8)] }));
  const placed = toPlaced([{ provider: "gmail", folder: "spam" }], [{ provider: "gmail", folder: "inbox" }]);
  expect(withPlaced(made, placed).need).toBeNull();
});

const mailbox = {
  id: "int_1",
  account: "a@x.example",
  seed_provider: "gmail",
  connected_at: 1_000,
  status: "connected",
  status_since: 1_000,
};

test.each([
  ["connected just before the test", {}, 5_000, "pending"],
  ["within an hour of the test", {}, 13_999, "pending"],
  ["an hour after the test", {}, 14_000, "missing"],
  ["connected after the test", { connected_at: 4_001 }, 5_000, undefined],
  ["with an error all the time", { status: "trouble", status_since: 2_000 }, 20_000, undefined],
  ["that needs the user, while the message is awaited", { status: "reconnect", status_since: 2_000 }, 5_000, "pending"],
  ["whose error began later", { status: "trouble", status_since: 14_001 }, 20_000, "missing"],
])("the state is right for a mailbox %s", (_what, changes, now, state) => {
  const times = { receivedAt: 4_000, now, waitMs: 10_000 };
  expect(toAwaited([{ ...mailbox, ...changes }], new Set(), times)[0]?.state).toBe(state);
  expect(toAwaited([{ ...mailbox, ...changes }], new Set(["int_1"]), times)).toEqual([]);
});
