// The dashboard and the alert rules that come with Assay.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { addBackupGauges } from "../../src/features/backups/gauges.ts";
import { troubleCodes, troubleTable } from "../../src/platform/contract/server-state-words.ts";
import { startHttpWorld } from "../http/http-world.ts";

const folder = join(import.meta.dirname, "..", "..", "src", "handbook");
const dashboard = JSON.parse(readFileSync(join(folder, "grafana-dashboard.json"), "utf8"));
const rules = parse(readFileSync(join(folder, "prometheus-rules.yml"), "utf8"));

type Target = { readonly expr: string };
type Panel = { readonly id: number; readonly title: string; readonly type: string; readonly targets?: Target[] };
type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
};
const panels: readonly Panel[] = dashboard.panels;
const alertRules: readonly Rule[] = rules.groups.flatMap((group: { rules: Rule[] }) => group.rules);
const expressions = [
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.flatMap(({ type, query }: { type: string; query: string }) =>
    type === "query" ? [query] : [],
  ),
  ...alertRules.map(({ expr }) => expr),
];

test("each metric in the dashboard and the alert rules exists in /metrics with its labels", async () => {
  const world = await startHttpWorld();
  addBackupGauges(world.metrics, world.store);
  const text = await (await fetch(`${world.base}/metrics`)).text();
  const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const used = new Set(expressions.flatMap((expr) => expr.match(/\b(?:assay|process|nodejs)_\w+/g) ?? []));
  const toFamily = (name: string) => (known.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, ""));
  expect(used.size).toBeGreaterThan(15);
  expect([...used].filter((name) => !known.has(toFamily(name)))).toEqual([]);
});

test("the readiness alert has exactly the reasons that make a server not ready", () => {
  const { expr = "" } = alertRules.find(({ alert }) => alert === "AssayNotReady") ?? {};
  const left = /reason!~"([\w|]+)"/.exec(expr)?.[1]?.split("|");
  expect(left?.sort()).toEqual(troubleCodes.filter((code) => !troubleTable[code].isOut).sort());
});

test("each alert has a severity, a sentence with its server, and instructions", () => {
  expect(new Set(alertRules.map(({ alert }) => alert)).size).toBe(alertRules.length);
  for (const { alert, labels, annotations } of alertRules) {
    expect(["critical", "warning"], alert).toContain(labels.severity);
    expect(annotations.summary, alert).toContain("{{ $labels.instance }}");
    expect(annotations.description?.length, alert).toBeGreaterThan(20);
  }
});

test("each dashboard panel has its own ID, a query, and the selected data source", () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { title, type, targets = [] } of panels) expect(type === "row" || targets.length > 0, title).toBe(true);
  expect(JSON.stringify(dashboard).match(/"uid":"(?!\$\{datasource\}|assay-overview)/g)).toBeNull();
  for (const expr of panels.flatMap(({ targets = [] }) => targets.map((target) => target.expr)))
    expect(expr).toContain('{job=~"$job",instance=~"$instance"');
});

test("the server offers both files", async () => {
  const world = await startHttpWorld();
  for (const file of ["grafana-dashboard.json", "prometheus-rules.yml"]) {
    const answer = await fetch(`${world.base}/docs/files/${file}`);
    expect(await answer.text()).toBe(readFileSync(join(folder, file), "utf8"));
    expect(answer.headers.get("content-type")).toMatch(/^(?:application\/json|text\/plain)/);
  }
});

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

/** Debian: the package prometheus. */
test.runIf(hasPromtool)("promtool accepts the rules, and each alert fires when it should", () => {
  const own = import.meta.dirname;
  const args = ["test", "rules", join(own, "prometheus-rules.test.yml")];
  const { status, stdout, stderr } = spawnSync("promtool", args, { cwd: own, encoding: "utf8" });
  expect(stdout + stderr).toContain("SUCCESS");
  expect(status).toBe(0);
});
