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

test("the first check is never drift", () => {
  const watcher = createWatcher();
  expect(watcher.look(laxAndOpen, 0)).toMatchObject({ notice: null, confirmAt: null });
  watcher.sweep(laxAndOpen, hour);
  expect(watcher.told).toEqual([]);
});

test("a change is told by the second look, a minute later, and not again", () => {
  const watcher = watchFrom();
  expect(watcher.look(lax, hour)).toMatchObject({ notice: null, confirmAt: start + hour + minute });
  const { notice, confirmAt } = watcher.look(lax, hour + minute);
  expect(notice).toMatchObject({ kind: "drift", changes: [{ mechanism: "dmarc", kind: "policy_loosened" }] });
  expect(confirmAt).toBe(null);
  for (let hours = 2; hours < 40; hours++) watcher.sweep(lax, hours * hour);
  expect(watcher.told).toHaveLength(1);
});

test("a second look that comes too soon tells nothing, and wants another in time", () => {
  const watcher = watchFrom();
  watcher.look(lax, hour);
  expect(watcher.look(lax, hour + 10_000)).toMatchObject({ notice: null, confirmAt: start + hour + minute });
  expect(watcher.look(lax, hour + minute).notice).not.toBe(null);
});

test("a clock that was set back delays no second look and no end of what is unstable", () => {
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

test("a suspicion that is gone at the second look is forgotten", () => {
  const watcher = watchFrom();
  for (let hours = 1; hours < 20; hours++) {
    watcher.look(lax, hours * hour);
    expect(watcher.look(usual, hours * hour + minute)).toMatchObject({ notice: null, confirmAt: null });
  }
  expect(watcher.told).toEqual([]);
  expect(isUnstable(watcher.watch())).toBe(false);
});

test("a suspicion that differs again is a new one", () => {
  const watcher = watchFrom();
  watcher.look(lax, hour);
  expect(watcher.look(middling, hour + minute)).toMatchObject({ notice: null, confirmAt: start + hour + 2 * minute });
  watcher.look(middling, hour + 2 * minute);
  expect(watcher.words()).toEqual(["drift dmarc policy_loosened"]);
  expect(watcher.told[0]?.changes[0]?.says).toContain("to quarantine");
});

test("what shows another face at each look is not looked at for ever", () => {
  const watcher = watchFrom();
  const faces = [lax, middling, stricter];
  const wanted = Array.from({ length: 9 }, (_, index) => {
    const { confirmAt } = watcher.look(faces[index % 3] ?? lax, hour + index * minute);
    return confirmAt !== null;
  });
  expect(wanted).toEqual([true, true, true, false, false, false, false, false, false]);
  expect(watcher.told).toEqual([]);
});

test("DNS trouble at the second look keeps the suspicion until the next sweep", () => {
  const watcher = watchFrom();
  watcher.look(lax, hour);
  expect(watcher.look(down, hour + minute)).toMatchObject({ notice: null, confirmAt: null });
  watcher.look(down, 2 * hour);
  expect(watcher.look(lax, 3 * hour).notice).toMatchObject({ kind: "drift" });
});

test("a server that is down for days tells nothing, and its last verdicts keep their age", () => {
  const watcher = watchFrom();
  for (let hours = 1; hours < 50; hours++) watcher.sweep(down, hours * hour);
  expect(watcher.told).toEqual([]);
  expect(lastKnown(watcher.watch(), "dmarc")).toEqual({ verdict: "pass", at: start });
  watcher.sweep(usual, 50 * hour);
  expect(lastKnown(watcher.watch(), "dmarc")).toEqual({ verdict: "pass", at: start + 50 * hour });
  expect(watcher.told).toEqual([]);
});

test("what was never known is learned without a word", () => {
  const watcher = watchFrom(down);
  expect(lastKnown(watcher.watch(), "spf")).toBe(null);
  watcher.sweep(lax, hour);
  expect(watcher.told).toEqual([]);
  watcher.sweep(usual, 2 * hour);
  expect(watcher.words()).toEqual(["drift dmarc policy_tightened"]);
});

test("a verdict that could not be reached at the second look stays suspected", async () => {
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

test("a record that changed while its verdict was open is told once, not again for the verdict", async () => {
  const zone = { "_spf.esp.test": "timeout" } as const;
  const spf = texts.spf.replace("-all", "+all");
  const watcher = watchFrom();
  watcher.sweep(await reportOn({ spf, zone }), hour);
  expect(watcher.words()).toEqual(["drift spf all_loosened"]);
  watcher.sweep(openSpf, 2 * hour);
  expect(watcher.told).toHaveLength(1);
});

test("what is mended is told once as mended", () => {
  const watcher = watchFrom();
  watcher.sweep(lax, hour);
  watcher.sweep(usual, 5 * hour);
  for (let hours = 6; hours < 20; hours++) watcher.sweep(usual, hours * hour);
  expect(watcher.words()).toEqual(["drift dmarc policy_loosened", "mended dmarc policy_tightened"]);
});

test("what is mended in part is told as mended too, months later as well", () => {
  const watcher = watchFrom();
  watcher.sweep(lax, hour);
  watcher.sweep(middling, 2_000 * hour);
  expect(watcher.words()).toEqual(["drift dmarc policy_loosened", "mended dmarc policy_tightened"]);
});

test("to take back what was better is no mending", () => {
  const watcher = watchFrom();
  watcher.sweep(stricter, hour);
  watcher.sweep(usual, 9 * hour);
  expect(watcher.words()).toEqual(["drift dmarc policy_tightened", "drift dmarc policy_loosened"]);
});

test("to undo a mending is no mending", () => {
  const watcher = watchFrom();
  watcher.sweep(rotated, hour);
  watcher.sweep(usual, 10 * hour);
  watcher.sweep(rotated, 20 * hour);
  expect(watcher.words().map((words) => words.split(" ")[0])).toEqual(["drift", "mended", "drift"]);
});

test("what breaks while another thing is mended is one notice of drift", () => {
  const watcher = watchFrom();
  watcher.sweep(lax, hour);
  watcher.sweep(openSpf, 8 * hour);
  expect(watcher.words()).toEqual(["drift dmarc policy_loosened", "drift spf all_loosened dmarc policy_tightened"]);
});

test("a record that goes to and fro is told once to be unstable, and then left until it is still", () => {
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

test("what comes to rest as it was told last is not told again", () => {
  const watcher = watchFrom();
  for (let hours = 1; hours <= 9; hours++) watcher.sweep(hours % 2 ? lax : usual, hours * hour);
  for (let hours = 10; hours <= 40; hours++) watcher.sweep(lax, hours * hour);
  expect(watcher.words()).toHaveLength(3);
  expect(isUnstable(watcher.watch())).toBe(false);
});

test("another mechanism that changes while one flaps is told", () => {
  const watcher = watchFrom();
  for (let hours = 1; hours <= 8; hours++) watcher.sweep(hours % 2 ? lax : usual, hours * hour);
  for (let hours = 9; hours <= 20; hours++) watcher.sweep(hours % 2 ? laxAndOpen : openSpf, hours * hour);
  expect(watcher.words().slice(3)).toEqual(["drift spf all_loosened"]);
});

test("a change back and a new one days apart are no flapping", () => {
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

test("four different states within six hours are unstable, though none comes back", () => {
  const watcher = watchFrom();
  const states = reportedElsewhere.entries();
  for (const [index, report] of states) watcher.sweep(report, (index + 1) * hour);
  expect(watcher.words().at(-1)).toMatch(/^unstable/);
});

test("a selector that is silent hides no other, and is not taken for gone", () => {
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

test("a selector that is no longer asked for, and is again, was not added", async () => {
  const named = await reportOn({ world: { configured: ["s2"] } });
  const watcher = watchFrom();
  watcher.sweep(named, hour);
  watcher.sweep(usual, 2 * hour);
  expect(watcher.told).toEqual([]);
});

test("what was stored by another version, or by nobody, is a first check", () => {
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

test("what is kept of a domain stays within bounds, whatever it publishes", async () => {
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
