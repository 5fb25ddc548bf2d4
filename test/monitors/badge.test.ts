import { expect, test } from "vitest";
import { toBadgeJson, toBadgeState, toBadgeSvg } from "../../src/monitors/badge.ts";

const hourMs = 3_600_000;
const good = {
  enabled: true,
  state: "up",
  dueAt: hourMs,
  periodMs: hourMs,
  staleAt: null,
  lastOutcome: "ok",
} as const;

test.each([
  ["is up", {}, "up"],
  ["is up before its first run ended", { lastOutcome: null }, "up"],
  ["is down", { state: "down", lastOutcome: "missing" }, "down"],
  ["is paused", { enabled: false, dueAt: null }, "paused"],
  ["is new", { state: "new", lastOutcome: null }, "unknown"],
  ["was not checked for two intervals", { dueAt: -hourMs - 1 }, "unknown"],
  ["was not checked for two intervals while down", { state: "down", dueAt: -hourMs - 1 }, "unknown"],
  ["was interrupted", { lastOutcome: "interrupted" }, "unknown"],
  ["was in maintenance", { lastOutcome: "maintenance" }, "unknown"],
  ["has no due time", { dueAt: null }, "unknown"],
  ["has run lately", { staleAt: 1 }, "up"],
  ["is due, but has not run for two intervals", { staleAt: -1 }, "unknown"],
  ["has not run for two intervals since it went down", { state: "down", staleAt: -1 }, "down"],
] as const)("a monitor that %s", (_, differing, state) => {
  expect(toBadgeState({ ...good, ...differing }, 0)).toBe(state);
});

test("a badge's name is text in the image and in the JSON", () => {
  const name = `<script>alert("1")</script>&`;
  const svg = toBadgeSvg(name, "up");
  expect(svg).not.toContain("<script>");
  expect(svg).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;");
  expect(JSON.parse(toBadgeJson(name, "down"))).toEqual({
    ...{ schemaVersion: 1, label: name, message: "down", color: "critical" },
  });
});
