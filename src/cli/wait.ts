// For CI pipelines: send a message to a labeled seed address, then wait for its report. The pipeline sends first, so the test
// may be older than this command. Each run should use its own label (`build-4711`), or it may find the previous run's test.

import { setTimeout as pause } from "node:timers/promises";
import { toReportJson } from "../api/report.ts";
import { checkCatalog } from "../checks/catalog.ts";
import { Refusal } from "../errors.ts";
import type { Report } from "../reports/report.ts";
import { parseReport } from "../reports/stored-report.ts";
import type { Db } from "../store/schema/schema.ts";
import { inWorkspace } from "../store/scope.ts";
import type { ListedTest } from "../store/tests/listed.ts";
import { findTests } from "../store/tests/lists.ts";
import { readReport } from "../store/tests/reports.ts";
import { readTest } from "../store/tests/tests.ts";
import type { System } from "../system/system.ts";
import { toReportText } from "./analysis-text.ts";
import {
  type Arguments,
  type Command,
  type ExitCode,
  exitCodes,
  type Terminal,
  toExitCodeHelp,
} from "./command.ts";
import { toJunit } from "./junit.ts";
import { compareScore, isWhollyChecked, outputOptions, readFailUnder, readForm } from "./output-options.ts";
import { toSarif } from "./sarif.ts";
import { toStyle } from "./style.ts";
import { findWorkspace, workspaceOption } from "./token.ts";
import { withStore } from "./with-store.ts";

const lookEveryMs = 500;
const defaultTimeoutSeconds = 60;
const defaultSinceMinutes = 5;

export const wait: Command = {
  name: "wait",
  summary: "Wait for the test with a given label and check its score, for CI.",
  usage: "wait --label <label> [options]",
  example: "assay wait --label build-4711 --timeout 120 --fail-under 85",
  positionals: { min: 0, max: 0 },
  options: {
    label: {
      value: "label",
      doc: "The text after + in the seed address. Use a different label for each run.",
    },
    timeout: { value: "seconds", doc: `How long to wait (default ${defaultTimeoutSeconds}).` },
    since: {
      value: "minutes",
      doc: `Also accept a test that arrived up to this long before the command started (default ${defaultSinceMinutes}).`,
    },
    workspace: workspaceOption,
    ...outputOptions,
  },
  details: () =>
    "If several tests have the label, the newest is used. Run this on the server, because it reads the server's database.\n\n" +
    toExitCodeHelp({
      0: "OK",
      1: "score below --fail-under",
      2: "usage error",
      3: "authentication only partly checked, analysis failed, or no score",
      4: "no test arrived or was analyzed in time",
    }),
  run: waitForTest,
};

async function waitForTest(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const label = args.option("label");
  if (!label) throw new Refusal("invalid_request", "Missing option: --label <label>, the test to wait for.");
  const form = readForm(args);
  const failUnder = readFailUnder(args);
  const timeoutMs = readNumber(args, "timeout", { unless: defaultTimeoutSeconds, max: 86_400 }) * 1_000;
  const sinceMs = readNumber(args, "since", { unless: defaultSinceMinutes, max: 525_600 }) * 60_000;
  return await withStore(args, terminal, async ({ store, system }) => {
    const { id } = await findWorkspace(store.read, args);
    const now = system.now();
    const wanted = { workspaceId: id, label, since: now - sinceMs, until: now + timeoutMs };
    const test = await findFinished(store.read, wanted, system);
    if (typeof test === "string") {
      terminal.err(`${test}\n`);
      return exitCodes.nothingCame;
    }
    const json =
      test.status === "analyzed" ? await readReport(inWorkspace(store.read, id), test.id) : undefined;
    const report = json === undefined ? null : parseReport(json);
    if (report === null) {
      terminal.err(`Test ${test.id} has no report. ${test.failure ?? ""}\n`);
      return exitCodes.notWhollyChecked;
    }
    tell(form, test, report, terminal);
    const scored = compareScore(report.judgment, { failUnder, name: label }, terminal);
    if (scored !== exitCodes.fine) return scored;
    return isWhollyChecked(report) ? exitCodes.fine : exitCodes.notWhollyChecked;
  });
}

type Wanted = {
  readonly workspaceId: string;
  readonly label: string;
  readonly since: number;
  readonly until: number;
};

/** Stays with the first test that it sees, so that it ends even if tests with this label keep arriving. Returns a sentence if there is none. */
export async function findFinished(
  db: Db,
  wanted: Wanted,
  system: Pick<System, "now">,
): Promise<ListedTest | string> {
  let seen: ListedTest | undefined;
  for (;;) {
    // A message that turns out to be a bounce or report, or is deleted, is not found again.
    seen =
      (seen && (await readTest(inWorkspace(db, wanted.workspaceId), seen.id))) ??
      (await findNewest(db, wanted));
    if (seen?.status === "analyzed" || seen?.status === "failed") return seen;
    const leftMs = wanted.until - system.now();
    if (leftMs <= 0) break;
    await pause(Math.min(lookEveryMs, leftMs));
  }
  return seen
    ? `Test ${seen.id} arrived but was not analyzed in time.`
    : `No test with the label ${JSON.stringify(wanted.label)} arrived in time.`;
}

async function findNewest(db: Db, { workspaceId, label, since }: Wanted): Promise<ListedTest | undefined> {
  const { tests } = await findTests(db, workspaceId, { limit: 1 }, { label });
  const [newest] = tests;
  return newest && newest.received_at >= since ? newest : undefined;
}

function tell(form: ReturnType<typeof readForm>, test: ListedTest, report: Report, terminal: Terminal): void {
  const judged = [{ name: test.label ?? test.id, path: null, judgment: report.judgment }];
  const { id, label } = test;
  const received_at = new Date(test.received_at).toISOString();
  if (form === "junit") terminal.out(toJunit(judged));
  else if (form === "sarif") terminal.out(`${JSON.stringify(toSarif(judged))}\n`);
  else if (form === "json")
    terminal.out(`${JSON.stringify({ id, label, received_at, ...toReportJson(report, checkCatalog) })}\n`);
  else terminal.out(toReportText([["Test", id]], report, toStyle(terminal)));
}

function readNumber(args: Arguments, name: string, { unless, max }: { unless: number; max: number }): number {
  const written = args.option(name) ?? String(unless);
  const number = /^\d{1,6}$/.test(written) ? Number(written) : Number.NaN;
  if (number <= max) return number;
  throw new Refusal("invalid_request", `--${name} must be a whole number from 0 to ${max}.`);
}
