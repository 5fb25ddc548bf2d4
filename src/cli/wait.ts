// For pipelines: send a message to a labelled seed address, then wait for its report. The test may have come before the
// command began, because a pipeline sends first; so a label should be of one run (`build-4711`), or a test of the run
// before may be taken for this one's.

import { setTimeout as pause } from "node:timers/promises";
import { toReportJson } from "../api/report.ts";
import { checkCatalog } from "../checks/catalog.ts";
import { Refusal } from "../errors.ts";
import type { Report } from "../reports/report.ts";
import { parseReport } from "../reports/stored-report.ts";
import type { Db } from "../store/schema/schema.ts";
import { inWorkspace } from "../store/scope.ts";
import { findTests, type ListedTest } from "../store/tests/lists.ts";
import { readReport } from "../store/tests/reports.ts";
import { readTest } from "../store/tests/tests.ts";
import type { System } from "../system/system.ts";
import { toReportText } from "./analysis-text.ts";
import { type Arguments, type Command, type ExitCode, exitCodes, type Terminal } from "./command.ts";
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
  summary: "Wait for the test with a label, and judge by it: for pipelines.",
  usage:
    "wait --label <label> [--timeout <seconds>] [--since <minutes>] [--workspace <wsp_…>] [--json|--junit|--sarif] [--fail-under <score>]",
  example: "assay wait --label build-4711 --timeout 120 --fail-under 85",
  positionals: { min: 0, max: 0 },
  options: {
    label: { value: "label", doc: "What stands behind the plus of the seed address; best one for each run." },
    timeout: { value: "seconds", doc: `How long to wait; ${defaultTimeoutSeconds} unless told.` },
    since: {
      value: "minutes",
      doc: `Take a test, too, that came so long before the start; ${defaultSinceMinutes} unless told.`,
    },
    workspace: workspaceOption,
    ...outputOptions,
  },
  details: () =>
    "Of several tests with the label the newest is taken. It works beside a running server, from the same database.\n" +
    "Exit status: 0 fine, 1 under the score of --fail-under, 2 wrong use, 3 authentication not wholly checked, the analysis\n" +
    "failed, or no score to compare, 4 nothing came, or was not analysed, in time.",
  run: waitForTest,
};

async function waitForTest(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const label = args.option("label");
  if (!label) throw new Refusal("invalid_request", "Say with --label which test to wait for.");
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
      terminal.err(`${test.id} has no report. ${test.failure ?? ""}\n`);
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

/** The first that is seen is held on to, so that a stream of tests with one label ends. Otherwise why there is none. */
async function findFinished(
  db: Db,
  wanted: Wanted,
  system: Pick<System, "now">,
): Promise<ListedTest | string> {
  let seen: ListedTest | undefined;
  for (;;) {
    // What turns out to be no test, or is deleted, is not found again.
    seen =
      (seen && (await readTest(inWorkspace(db, wanted.workspaceId), seen.id))) ??
      (await findNewest(db, wanted));
    if (seen?.status === "analyzed" || seen?.status === "failed") return seen;
    const leftMs = wanted.until - system.now();
    if (leftMs <= 0) break;
    await pause(Math.min(lookEveryMs, leftMs));
  }
  return seen
    ? `${seen.id} came, but was not analysed in time.`
    : `No test with the label ${JSON.stringify(wanted.label)} came in time.`;
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
  throw new Refusal("invalid_request", `--${name} takes a whole number up to ${max}.`);
}
