import { toPercent } from "../../analyzer/words/plain-words.ts";
import { answer, type Command, exitCodes, type Terminal, toExitCodeHelp } from "../../platform/cli/command.ts";
import { serverExitCodes, serverOptions } from "../../platform/cli/server.ts";
import { Refusal } from "../../platform/errors.ts";
import { toTable } from "../../platform/table.ts";
import { workspaceOption } from "../people/command/token.ts";
import { withServer } from "../server/command/with-server.ts";
import { type MonitorDetail, readMonitor } from "./contract/canaries.ts";
import { listMonitors, type MonitorItem } from "./contract/monitor-list.ts";
import { toSpanWords } from "./rules/canary.ts";
import { toCanaryWords, toExpectedWords } from "./words/monitor-terms-words.ts";
import { kindWords, outcomeWords, toShareBasis, toStateWord } from "./words/monitor-words.ts";

const failOption = { "fail-if-down": { doc: "Exit with 1 if a monitor is down. Paused ones don't count." } };

const details = () =>
  toExitCodeHelp({ 0: "OK", 1: "with --fail-if-down, a monitor is down", 2: "usage error", ...serverExitCodes });

export const monitorList: Command = {
  group: "use",
  name: "monitor list",
  summary: "List canaries and expected mail, those that are down first.",
  usage: "monitor list [options]",
  example: "assay monitor list --fail-if-down",
  positionals: { min: 0, max: 0 },
  options: { ...failOption, ...serverOptions, workspace: workspaceOption },
  details,
  run: (args, terminal) =>
    withServer(args, terminal, async (server) => {
      const { items } = await server.call(listMonitors);
      const code = answer(args, terminal, items, () => toList(items, terminal));
      return args.flag("fail-if-down") && items.some(isDown) ? exitCodes.failed : code;
    }),
};

const listed = "20";

export const monitorShow: Command = {
  group: "use",
  name: "monitor show",
  summary: "Show what a monitor expects, its state, its figures, and its newest runs.",
  usage: "monitor show <mon_…> [options]",
  example: "assay monitor show mon_01jd4m3xk2v9q8w7e6r5t4y3z2",
  positionals: { min: 1, max: 1 },
  options: {
    limit: { value: "number", doc: `How many runs to show, up to 50 (default ${listed}).` },
    ...failOption,
    ...serverOptions,
    workspace: workspaceOption,
  },
  details,
  run: (args, terminal) => {
    const limit = toLimit(args.option("limit") ?? listed);
    const [id = ""] = args.positionals;
    return withServer(args, terminal, async (server) => {
      const monitor = await server.call(readMonitor, { params: { id } });
      const shown = { ...monitor, runs: monitor.runs.slice(0, limit) };
      const code = answer(args, terminal, shown, () => toPage(shown, terminal));
      return args.flag("fail-if-down") && isDown(monitor) ? exitCodes.failed : code;
    });
  },
};

function toLimit(written: string): number {
  if (!/^(?:[1-9]|[1-4]\d|50)$/.test(written))
    throw new Refusal("invalid_request", "--limit must be a whole number from 1 to 50.");
  return Number(written);
}

function isDown({ enabled, state }: Pick<MonitorItem, "enabled" | "state">): boolean {
  return enabled && state === "down";
}

function toList(items: readonly MonitorItem[], { columns }: Terminal): string {
  if (items.length === 0) return "No monitors.";
  const rows = items.flatMap((item) => {
    const cells = [
      item.id,
      toStateWord(item.state, item.enabled),
      kindWords[item.kind],
      toShare(item.kind, item.uptime7d, item.runs7d),
    ];
    const row = [...cells, item.lastOkAt === null ? "never" : toTime(item.lastOkAt), item.name];
    return item.enabled && item.reason !== null ? [row, [...row.slice(1).map(() => ""), item.reason.says]] : [row];
  });
  return toTable([["ID", "STATE", "KIND", "OK, 7 DAYS", "LAST OK (UTC)", "NAME"], ...rows], columns);
}

function toPage(monitor: MonitorDetail, { columns }: Terminal): string {
  const { name, kind, canary, expected, runs, figures } = monitor;
  const terms = canary ? toCanaryWords(canary) : expected ? toExpectedWords(expected) : "";
  const isTimed = kind === "canary";
  const facts = toTable(
    [`${kindWords[kind]}: ${terms}`, ...toFacts(monitor)].map((line) => [line]),
    columns,
  );
  const sums = (["day", "week", "month"] as const).map((span) => {
    const { runs: count, failed, wrongWords, uptime, p50Ms, p95Ms, p99Ms } = figures[span];
    const rest = isTimed ? [p50Ms, p95Ms, p99Ms].map((ms) => (ms === null ? "?" : toSpanWords(ms))) : [`${wrongWords}`];
    const share = uptime === null ? toShareBasis(kind, count) : toPercent(uptime);
    return [spanNames[span], share, `${count}`, `${failed}`, ...rest];
  });
  const headings = isTimed
    ? ["LAST", "UPTIME", "RUNS", "FAILED", "MEDIAN", "95%", "99%"]
    : ["LAST", "ON TIME", "DUE TIMES", "LATE OR MISSING", "WRONG WORDS"];
  return [name, facts, "", toTable([headings, ...sums], columns), "", toRuns(runs, isTimed, columns)].join("\n");
}

const spanNames = { day: "24 hours", week: "7 days", month: "30 days" } as const;

function toFacts({ state, enabled, since, reason, ...monitor }: MonitorDetail): string[] {
  const { kind, lastOkAt, nextAt, dueAt } = monitor;
  const from = enabled && state !== "new" ? ` since ${toTime(since)} UTC` : "";
  const why = enabled && reason !== null ? `. ${outcomeWords[reason.code].word}: ${reason.says}` : "";
  const isCanary = kind === "canary";
  const next = isCanary ? nextAt : dueAt;
  return [
    `State: ${toStateWord(state, enabled)}${from}${why}`,
    `Last OK: ${lastOkAt === null ? "never" : `${toTime(lastOkAt)} UTC`}`,
    ...(!enabled || next === null ? [] : [`${isCanary ? "Next" : "Next check"}: ${toTime(next)} UTC`]),
  ];
}

function toRuns(runs: MonitorDetail["runs"], isTimed: boolean, columns: number | null): string {
  if (runs.length === 0) return "No runs yet.";
  const open = isTimed ? "Not back yet." : "Waiting for a matching message.";
  const rows = runs.map(({ beganAt, expectedBy, outcome, says, delayMs }) => {
    const words = outcome === null ? null : outcomeWords[outcome];
    const delay = delayMs === null ? "" : `${toSpanWords(Math.abs(delayMs))}${toWay(delayMs, isTimed)}`;
    const time = isTimed ? beganAt : (expectedBy ?? beganAt);
    return [toTime(time), words?.word ?? "Waiting", delay, says ?? words?.says ?? open];
  });
  const headings = [isTimed ? "SENT (UTC)" : "WHEN (UTC)", "RESULT", isTimed ? "DELAY" : "ARRIVED", "WHAT HAPPENED"];
  return toTable([headings, ...rows], columns);
}

function toWay(delayMs: number, isTimed: boolean): string {
  if (isTimed) return "";
  return delayMs > 0 ? " late" : " early";
}

function toShare(kind: MonitorItem["kind"], share: number | null, runs: number): string {
  const basis = toShareBasis(kind, runs);
  return share === null ? basis : `${toPercent(share)} ${basis}`;
}

function toTime(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}
