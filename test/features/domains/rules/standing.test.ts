import { expect, test } from "vitest";
import {
  type StandingItem,
  toChangesStanding,
  toRecordsStanding,
  toStanding,
} from "../../../../src/features/domains/rules/standing.ts";

const item = (area: StandingItem["area"], state: StandingItem["state"], says = `${area} ${state}`): StandingItem => ({
  area,
  state,
  says,
  page: "#fix",
});
const checked = { trouble: null, isChecked: true, issues: [], silent: [], passing: ["SPF", "DKIM", "DMARC"] };
const spf = { severity: "critical", summary: "SPF fails: two records." };

test("a healthy domain is all good, and its areas are named", () => {
  const { says, items } = toStanding([item("senders", "fine"), item("records", "fine"), item("blocklists", "fine")]);
  expect(says).toBe("All good: blocklists, records, and senders.");
  expect(items.map(({ area }) => area)).toEqual(["blocklists", "records", "senders"]);
});

test("a listed address comes before everything that is as bad", () => {
  const listed = item("blocklists", "bad", "198.51.100.7 is on Spamhaus SBL. Stop the cause, then request removal.");
  const { says, items } = toStanding([item("senders", "bad"), item("records", "bad"), listed, item("streams", "fine")]);
  expect(says).toBe(listed.says);
  expect(items.map(({ area }) => area)).toEqual(["blocklists", "records", "senders", "streams"]);
});

test("a warning comes before what is unknown, and the next step after it", () => {
  const { says, items } = toStanding([
    item("policy", "next"),
    item("streams", "unknown"),
    item("senders", "warning", "Mail in your name fails."),
  ]);
  expect(says).toBe("Mail in your name fails.");
  expect(items.map(({ state }) => state)).toEqual(["warning", "unknown", "next"]);
});

test("what isn't known is never called good", () => {
  const { says } = toStanding([item("records", "fine"), item("senders", "unknown"), item("streams", "unknown")]);
  expect(says).toBe("No issues found, but 2 areas aren’t known yet.");
});

test("nothing is said to be fine before the first check", () => {
  const records = toRecordsStanding({ ...checked, isChecked: false, passing: [] });
  expect(toStanding([item("blocklists", "unknown"), { area: "records", ...records }]).says).toBe(
    "The first check is in progress.",
  );
});

test("the next step is what to do first only where nothing is wrong", () => {
  const next = item("policy", "next", "p=reject is safe to publish next.");
  expect(toStanding([item("records", "fine"), next]).says).toBe(
    "No issues found. Next: p=reject is safe to publish next.",
  );
  expect(toStanding([item("records", "bad", "SPF fails."), next]).says).toBe("SPF fails.");
});

test("the worst counts if two features know of one area", () => {
  const { items } = toStanding([item("records", "fine"), item("records", "bad"), item("records", "unknown")]);
  expect(items).toEqual([item("records", "bad")]);
});

test("everything wrong is everything told, the worst first", () => {
  const areas = ["policy", "streams", "changes", "senders", "complaints", "records", "blocklists"] as const;
  const { items } = toStanding(areas.map((area) => item(area, area === "streams" ? "warning" : "bad")));
  const others = [...areas].reverse().filter((area) => area !== "streams");
  expect(items.map(({ area }) => area)).toEqual([...others, "streams"]);
});

test("records say their worst issue, how many more there are, and what DNS didn't answer", () => {
  expect(toRecordsStanding({ ...checked, issues: [spf, spf, spf], silent: ["DKIM"] })).toEqual({
    state: "bad",
    says: "SPF fails: two records. 2 more issues. No DNS response for DKIM.",
    page: "#fix",
  });
  expect(toRecordsStanding({ ...checked, issues: [{ ...spf, severity: "minor" }] }).state).toBe("warning");
  expect(toRecordsStanding(checked)).toMatchObject({ state: "fine", says: "SPF, DKIM, and DMARC pass." });
});

test("records without an answer from DNS are unknown", () => {
  const silent = ["SPF", "DKIM", "DMARC", "BIMI"];
  expect(toRecordsStanding({ ...checked, silent, passing: [] })).toMatchObject({
    state: "unknown",
    says: "No DNS response for SPF, DKIM, DMARC, and BIMI.",
  });
  expect(toRecordsStanding({ ...checked, silent: ["SPF"] }).says).toBe(
    "No DNS response for SPF. No issues in the others.",
  );
  expect(toRecordsStanding({ ...checked, trouble: "Can't be checked: an error." })).toMatchObject({
    state: "unknown",
    says: "Can't be checked: an error.",
  });
});

test("a change for the worse is a warning, another one isn't", () => {
  const says = ["DMARC is looser."];
  expect(toChangesStanding({ isUnstable: false, isYoung: false, newest: { isWorse: true, says } })).toMatchObject({
    state: "warning",
    says: "Changed in the last 7 days: DMARC is looser.",
  });
  expect(toChangesStanding({ isUnstable: false, isYoung: false, newest: { isWorse: false, says } }).state).toBe("fine");
  expect(toChangesStanding({ isUnstable: true, isYoung: false, newest: null }).state).toBe("warning");
  expect(toChangesStanding({ isUnstable: false, isYoung: false, newest: null }).state).toBe("fine");
});
