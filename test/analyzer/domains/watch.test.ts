import { expect, test } from "vitest";
import { toSnapshot } from "../../../src/analyzer/domains/snapshot.ts";
import { isUnstable, lastKnown, observe, parseWatch, watchFormat } from "../../../src/analyzer/domains/watch.ts";
import { broken } from "../facts/asking.ts";
import { reportOn, texts, thirdKeyRecord } from "./watched-domain.ts";
import { createWatcher, hour, minute, start } from "./watcher.ts";

const usual = await reportOn({});
const lax = await reportOn({ dmarc: texts.dmarc.replace("p=reject", "p=none") });
const middling = await reportOn({ dmarc: texts.dmarc.replace("p=reject", "p=quarantine") });
const stricter = await reportOn({ dmarc: texts.dmarc.replace("sp=quarantine", "sp=reject") });
const openSpf = await reportOn({ spf: texts.spf.replace("-all", "+all") });
const laxAndOpen = await reportOn({
  dmarc: texts.dmarc.replace("p=reject", "p=none"),
  spf: texts.spf.replace("-all", "+all"),
});
const withoutGoogle = await reportOn({ google: null });
const silentGoogle = await reportOn({ google: "servfail" });
const rotated = await reportOn({ google: thirdKeyRecord });
const down = await reportOn({}, broken("servfail"));

const reportedElsewhere = await Promise.all(
  ["one", "two", "three", "four"].map((name) => reportOn({ dmarc: texts.dmarc.replace("dmarc@", `${name}@`) })),
);

function watchFrom(report = usual) {
  const watcher = createWatcher();
  watcher.look(report, 0);
  return watcher;
}

test("the first check of a domain is never drift", () => {
  const watcher = createWatcher();
  expect(watcher.look(laxAndOpen, 0)).toMatchObject({ notice: null, confirmAt: null });
  watcher.sweep(laxAndOpen, hour);
  expect(watcher.told).toEqual([]);
});

test("a change is reported once, after a second check a minute later", () => {
  const watcher = watchFrom();
  expect(watcher.look(lax, hour)).toMatchObject({ notice: null, confirmAt: start + hour + minute });
  const { notice, confirmAt } = watcher.look(lax, hour + minute);
  expect(notice).toMatchObject({ kind: "drift", changes: [{ mechanism: "dmarc", kind: "policy_loosened" }] });
  expect(confirmAt).toBe(null);
  for (let hours = 2; hours < 40; hours++) watcher.sweep(lax, hours * hour);
  expect(watcher.told).toHaveLength(1);
});

test("a second check that is too early reports nothing and schedules another", () => {
  const watcher = watchFrom();
  watcher.look(lax, hour);
  expect(watcher.look(lax, hour + 10_000)).toMatchObject({ notice: null, confirmAt: start + hour + minute });
  expect(watcher.look(lax, hour + minute).notice).not.toBe(null);
});

test("a clock that was set back delays neither a second check nor the end of instability", () => {
  const watcher = watchFrom();
  const later = 30 * 24 * hour;
  watcher.look(lax, later);
  expect(watcher.look(lax, hour)).toMatchObject({ notice: null, confirmAt: start + hour + minute });
  expect(watcher.look(lax, hour + minute).notice).not.toBe(null);
  for (const [index, report] of [usual, lax, usual, lax].entries()) watcher.sweep(report, later + index * hour);
  expect(isUnstable(watcher.watch())).toBe(true);
  for (let hours = 2; hours < 12; hours++) watcher.sweep(lax, hours * hour);
  expect(isUnstable(watcher.watch())).toBe(false);
});

test("a suspected change that is gone at the second check is dropped", () => {
  const watcher = watchFrom();
  for (let hours = 1; hours < 20; hours++) {
    watcher.look(lax, hours * hour);
    expect(watcher.look(usual, hours * hour + minute)).toMatchObject({ notice: null, confirmAt: null });
  }
  expect(watcher.told).toEqual([]);
  expect(isUnstable(watcher.watch())).toBe(false);
});

test("a suspected change that differs at the second check is a new one", () => {
  const watcher = watchFrom();
  watcher.look(lax, hour);
  expect(watcher.look(middling, hour + minute)).toMatchObject({ notice: null, confirmAt: start + hour + 2 * minute });
  watcher.look(middling, hour + 2 * minute);
  expect(watcher.words()).toEqual(["drift dmarc policy_loosened"]);
  expect(watcher.told[0]?.changes[0]?.says).toContain("to quarantine");
});

test("a record that differs at each check does not cause endless second checks", () => {
  const watcher = watchFrom();
  const faces = [lax, middling, stricter];
  const wanted = Array.from({ length: 9 }, (_, index) => {
    const { confirmAt } = watcher.look(faces[index % 3] ?? lax, hour + index * minute);
    return confirmAt !== null;
  });
  expect(wanted).toEqual([true, true, true, false, false, false, false, false, false]);
  expect(watcher.told).toEqual([]);
});

test("a DNS error at the second check keeps the suspected change until the next sweep", () => {
  const watcher = watchFrom();
  watcher.look(lax, hour);
  expect(watcher.look(down, hour + minute)).toMatchObject({ notice: null, confirmAt: null });
  watcher.look(down, 2 * hour);
  expect(watcher.look(lax, 3 * hour).notice).toMatchObject({ kind: "drift" });
});

test("a DNS outage of several days is not reported, and the last verdicts keep their age", () => {
  const watcher = watchFrom();
  for (let hours = 1; hours < 50; hours++) watcher.sweep(down, hours * hour);
  expect(watcher.told).toEqual([]);
  expect(lastKnown(watcher.watch(), "dmarc")).toEqual({ verdict: "pass", at: start });
  watcher.sweep(usual, 50 * hour);
  expect(lastKnown(watcher.watch(), "dmarc")).toEqual({ verdict: "pass", at: start + 50 * hour });
  expect(watcher.told).toEqual([]);
});

test("the first answer after an outage is not a change", () => {
  const watcher = watchFrom(down);
  expect(lastKnown(watcher.watch(), "spf")).toBe(null);
  watcher.sweep(lax, hour);
  expect(watcher.told).toEqual([]);
  watcher.sweep(usual, 2 * hour);
  expect(watcher.words()).toEqual(["drift dmarc policy_tightened"]);
});

test("a verdict without an answer at the second check stays suspected", async () => {
  const many = Array.from({ length: 9 }, (_, index) => `include:i${index}._spf.esp.test`).join(" ");
  const zone = {
    "_spf.esp.test": { TXT: [`v=spf1 ${many} -all`] },
    "*._spf.esp.test": { TXT: ["v=spf1 ip4:198.51.100.1 -all"] },
  };
  const over = await reportOn({ zone });
  const halfHeard = await reportOn({ zone: { "_spf.esp.test": "timeout" } });
  const watcher = watchFrom();
  watcher.look(over, hour);
  watcher.look(halfHeard, hour + minute);
  expect(watcher.told).toEqual([]);
  watcher.look(over, 2 * hour);
  expect(watcher.words()).toEqual(["drift spf lookups_exceeded"]);
  watcher.sweep(halfHeard, 3 * hour);
  watcher.sweep(usual, 4 * hour);
  expect(watcher.words()).toEqual(["drift spf lookups_exceeded", "mended spf verdict_changed"]);
});

test("a record that changed while its verdict was unknown is reported once", async () => {
  const zone = { "_spf.esp.test": "timeout" } as const;
  const spf = texts.spf.replace("-all", "+all");
  const watcher = watchFrom();
  watcher.sweep(await reportOn({ spf, zone }), hour);
  expect(watcher.words()).toEqual(["drift spf all_loosened"]);
  watcher.sweep(openSpf, 2 * hour);
  expect(watcher.told).toHaveLength(1);
});

test("a fix is reported once", () => {
  const watcher = watchFrom();
  watcher.sweep(lax, hour);
  watcher.sweep(usual, 5 * hour);
  for (let hours = 6; hours < 20; hours++) watcher.sweep(usual, hours * hour);
  expect(watcher.words()).toEqual(["drift dmarc policy_loosened", "mended dmarc policy_tightened"]);
});

test("a partial fix is reported as a fix, even months later", () => {
  const watcher = watchFrom();
  watcher.sweep(lax, hour);
  watcher.sweep(middling, 2_000 * hour);
  expect(watcher.words()).toEqual(["drift dmarc policy_loosened", "mended dmarc policy_tightened"]);
});

test("undoing an improvement is not a fix", () => {
  const watcher = watchFrom();
  watcher.sweep(stricter, hour);
  watcher.sweep(usual, 9 * hour);
  expect(watcher.words()).toEqual(["drift dmarc policy_tightened", "drift dmarc policy_loosened"]);
});

test("undoing a fix is not a fix", () => {
  const watcher = watchFrom();
  watcher.sweep(rotated, hour);
  watcher.sweep(usual, 10 * hour);
  watcher.sweep(rotated, 20 * hour);
  expect(watcher.words().map((words) => words.split(" ")[0])).toEqual(["drift", "mended", "drift"]);
});

test("a new problem together with a fix is a single drift notice", () => {
  const watcher = watchFrom();
  watcher.sweep(lax, hour);
  watcher.sweep(openSpf, 8 * hour);
  expect(watcher.words()).toEqual(["drift dmarc policy_loosened", "drift spf all_loosened dmarc policy_tightened"]);
});

test("a record that keeps changing is reported as unstable once, and again when it is stable", () => {
  const watcher = watchFrom();
  for (let hours = 1; hours <= 30; hours++) watcher.sweep(hours % 2 ? lax : usual, hours * hour);
  const flapping = ["drift dmarc policy_loosened", "mended dmarc policy_tightened", "unstable dmarc policy_loosened"];
  expect(watcher.words()).toEqual(flapping);
  expect(watcher.told[2]?.changes[0]?.says).toContain("keeps changing");
  expect(isUnstable(watcher.watch())).toBe(true);
  for (let hours = 31; hours <= 35; hours++) watcher.sweep(usual, hours * hour);
  expect(isUnstable(watcher.watch())).toBe(true);
  for (let hours = 36; hours <= 50; hours++) watcher.sweep(usual, hours * hour);
  expect(isUnstable(watcher.watch())).toBe(false);
  expect(watcher.words()).toEqual([...flapping, "mended dmarc policy_tightened"]);
});

test("a record that settles in its last reported state is not reported again", () => {
  const watcher = watchFrom();
  for (let hours = 1; hours <= 9; hours++) watcher.sweep(hours % 2 ? lax : usual, hours * hour);
  for (let hours = 10; hours <= 40; hours++) watcher.sweep(lax, hours * hour);
  expect(watcher.words()).toHaveLength(3);
  expect(isUnstable(watcher.watch())).toBe(false);
});

test("a change of another mechanism is reported while one is unstable", () => {
  const watcher = watchFrom();
  for (let hours = 1; hours <= 8; hours++) watcher.sweep(hours % 2 ? lax : usual, hours * hour);
  for (let hours = 9; hours <= 20; hours++) watcher.sweep(hours % 2 ? laxAndOpen : openSpf, hours * hour);
  expect(watcher.words().slice(3)).toEqual(["drift spf all_loosened"]);
});

test("changes that are days apart are not unstable", () => {
  const watcher = watchFrom();
  for (let days = 1; days <= 6; days++) watcher.sweep(days % 2 ? lax : usual, days * 24 * hour);
  expect(watcher.words().map((words) => words.split(" ")[0])).toEqual([
    "drift",
    "mended",
    "drift",
    "mended",
    "drift",
    "mended",
  ]);
});

test("four different states within six hours are unstable", () => {
  const watcher = watchFrom();
  const states = reportedElsewhere.entries();
  for (const [index, report] of states) watcher.sweep(report, (index + 1) * hour);
  expect(watcher.words().at(-1)).toMatch(/^unstable/);
});

test("a selector without an answer is not removed, and does not hide other changes", () => {
  const watcher = watchFrom();
  watcher.sweep(silentGoogle, hour);
  expect(watcher.told).toEqual([]);
  watcher.look(withoutGoogle, 2 * hour);
  watcher.look(silentGoogle, 2 * hour + minute);
  expect(watcher.told).toEqual([]);
  watcher.sweep(withoutGoogle, 3 * hour);
  expect(watcher.words()).toEqual(["drift dkim selector_removed"]);
  watcher.sweep(usual, 4 * hour);
  expect(watcher.words()).toEqual(["drift dkim selector_removed", "mended dkim selector_added"]);
});

test("a selector that is configured again was not added", async () => {
  const named = await reportOn({ world: { configured: ["s2"] } });
  const watcher = watchFrom();
  watcher.sweep(named, hour);
  watcher.sweep(usual, 2 * hour);
  expect(watcher.told).toEqual([]);
});

test("a stored state of another version, or none, makes the next check the first", () => {
  const { watch } = observe(null, toSnapshot(usual, null), start);
  const text = JSON.stringify(watch);
  expect(parseWatch(text)).toEqual(JSON.parse(text));
  const others = [
    "",
    "null",
    "[]",
    "{",
    '{"baseline":{}}',
    JSON.stringify({ ...watch, format: watchFormat + 1 }),
    JSON.stringify({ ...watch, baseline: { ...watch.baseline, spf: { verdict: "maybe" } } }),
    JSON.stringify({ ...watch, suspects: { spf: 1 } }),
    JSON.stringify({ ...watch, moves: { spf: [{}] } }),
    JSON.stringify({ ...watch, unsteady: null }),
    `${text}${" ".repeat(3_000_000)}`,
  ];
  for (const other of others) expect(parseWatch(other)).toBe(null);
});

test("the stored state of a domain has a limited size, whatever the domain publishes", async () => {
  const selectors = Array.from({ length: 40 }, (_, index) => `s${index}`);
  const zone = Object.fromEntries(
    selectors.map((selector) => [`${selector}._domainkey.a.example`, { TXT: ["p=".padEnd(60_000, "A")] }]),
  );
  const hostile = await reportOn({
    zone,
    spf: `v=spf1 ${"a ".repeat(30_000)}`,
    dmarc: `v=DMARC1; p=none; rua=${"mailto:a@b.test,".repeat(4_000)}`,
    bimi: `v=BIMI1; l=https://a.example/${"x".repeat(60_000)}`,
    policy: Array.from({ length: 4_000 }, (_, index) => `mx: h${index}.test`),
    world: { configured: selectors.slice(0, 20), seen: selectors.slice(20) },
  });
  const watcher = watchFrom();
  for (let hours = 1; hours < 30; hours++) watcher.sweep(hours % 2 ? hostile : usual, hours * hour);
  expect(JSON.stringify(watcher.watch()).length).toBeLessThan(200_000);
});
