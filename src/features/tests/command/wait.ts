// For CI pipelines: send a message to a labeled seed address, then wait for its report. The pipeline sends first, so the test
// may be older than this command. `assay address` gives each run its own address, so that runs never find each other's
// messages.

import { setTimeout as pause } from "node:timers/promises";
import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import { matchDetail, matchSeedAddress } from "../../../analyzer/mail/headers/seed-address.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import {
  type Arguments,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCodes,
  type Terminal,
  toExitCodeHelp,
} from "../../../platform/cli/command.ts";
import { findServer, openServer, serverExitCodes, serverOptions } from "../../../platform/cli/server.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { beginningAt } from "../../../platform/ids.ts";
import { findWorkspace, workspaceOption } from "../../people/command/token.ts";
import { withStore } from "../../server/command/with-store.ts";
import { toReportFields } from "../contract/report.ts";
import { formatReport } from "../formats/format-report.ts";
import { toStyle } from "../formats/style.ts";
import type { ListedTest } from "../rows/listed.ts";
import { findTests } from "../rows/lists.ts";
import { readReport } from "../rows/reports.ts";
import { readTest } from "../rows/tests.ts";
import { notWhollyChecked, outputOptions, readOutput, type Subject, tellResult, toChecked } from "./output-options.ts";
import { openTests } from "./remote-tests.ts";

const defaultTimeoutSeconds = 60;
/** A label may have been used by an earlier run. */
const defaultSinceMinutes = { label: 5, unique: 1_440 };

export const timeoutOption = { value: "seconds", doc: `How long to wait (default ${defaultTimeoutSeconds}).` };

export const wait: Command = {
  group: "use",
  name: "wait",
  isFirst: true,
  summary: "Wait for a message's test and check its score, for CI.",
  usage: "wait --address <address> | --label <label> | --message-id <id> [options]",
  example: 'assay wait --address "$address" --timeout 120 --fail-under 85',
  options: {
    address: { value: "address", doc: "The address that assay address printed for this run." },
    label: {
      value: "label",
      doc: "The text after + in the seed address, or the run's token. Use a different one for each run.",
    },
    "message-id": { value: "id", doc: "The Message-ID header of the message." },
    timeout: timeoutOption,
    since: {
      value: "minutes",
      doc: `Also accept a test that arrived up to this long before the command started (default ${defaultSinceMinutes.label}; a day with --address and --message-id).`,
    },
    ...serverOptions,
    workspace: workspaceOption,
    ...outputOptions,
  },
  details: () =>
    "If several tests match, the newest is used. Without --url, run this on the server, because it reads the server's database.\n\n" +
    toExitCodeHelp(waitExitCodes),
  run: waitForTest,
};

export const waitExitCodes = {
  0: "OK",
  1: "score below --fail-under",
  2: "usage error",
  3: notWhollyChecked,
  4: "no test arrived or was analyzed in time",
  ...serverExitCodes,
} as const;

async function waitForTest(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const wanted = readWanted(args);
  const output = readOutput(args);
  const timeoutMs = readTimeout(args);
  const unless = defaultSinceMinutes[args.option("label") === undefined ? "unique" : "label"];
  const sinceMs = readNumber(args, "since", { unless, max: 525_600 }) * 60_000;
  const address = findServer(args, terminal);
  const until = Date.now() + timeoutMs;
  const follow = async (tests: TestSource, now: number) => {
    const subject = await followTest(tests, { ...wanted, since: now - sinceMs }, until);
    return await tellResult(subject, output, terminal);
  };
  if (address !== null) {
    const server = await openServer(address);
    return await follow(openTests(server), server.now());
  }
  return await withStore(args, terminal, async ({ store, system }) => {
    const { id } = await findWorkspace(store.read, args);
    return await follow(storedTests(store.read, id), system.now());
  });
}

export function readTimeout(args: Arguments): number {
  return readNumber(args, "timeout", { unless: defaultTimeoutSeconds, max: 86_400 }) * 1_000;
}

/** Which test is wanted. The conditions are combined. */
export type Wanted = {
  readonly label: string | null;
  /** The random part of the address (analyzer/mail/headers/seed-address.ts). */
  readonly run: string | null;
  readonly messageId: string | null;
  readonly sendId: string | null;
  readonly testId: string | null;
  readonly isIn: (recipients: readonly string[]) => boolean;
  /** For a person. */
  readonly words: string;
};

type WantedSince = Wanted & { readonly since: number };

const anywhere = { label: null, run: null, messageId: null, sendId: null, testId: null, isIn: () => true };

function readWanted(args: Arguments): Wanted {
  const [label, messageId, address] = ["label", "message-id", "address"].map((name) => args.option(name));
  const given = [label, messageId, address].filter((value) => value !== undefined);
  if (given.length > 1 || given[0] === "" || given.length === 0)
    throw new Refusal(
      "invalid_request",
      "Say which test to wait for with one of --address <address>, --label <label>, and --message-id <id>.",
    );
  if (label !== undefined) return toLabeled(label);
  if (messageId !== undefined)
    return { ...anywhere, messageId, words: `with the Message-ID ${JSON.stringify(messageId)}` };
  const seed = matchSeedAddress(address ?? "");
  if (seed === undefined)
    throw new Refusal("invalid_request", "--address must be an address that assay address printed.");
  return { ...anywhere, ...seed, words: `to ${address}` };
}

export function toLabeled(label: string): Wanted {
  return { ...anywhere, ...matchDetail(label), words: `with the label ${JSON.stringify(label)}` };
}

export function toSent(sendId: string): Wanted {
  return { ...anywhere, sendId, words: "of the sample" };
}

export function toUploaded(testId: string): Wanted {
  return { ...anywhere, testId, words: "of the upload" };
}

/** A test as it is followed until it is analyzed. */
export type FollowedTest = { readonly id: string; readonly status: string; readonly failure: string | null };

/** Where tests are looked up: in the database, or at a server. */
export type TestSource = {
  readonly lookEveryMs: number;
  /** The newest of those that are wanted. */
  readonly find: (wanted: WantedSince) => Promise<FollowedTest | undefined>;
  readonly read: (id: string) => Promise<FollowedTest | undefined>;
  /** Undefined if it has no report. */
  readonly open: (id: string) => Promise<Subject | undefined>;
  /** Whether an error may pass. */
  readonly isPassing: (error: unknown) => boolean;
};

/** Waits until the test is analyzed. */
export async function followTest(tests: TestSource, wanted: WantedSince, until: number): Promise<Subject> {
  const { id, failure } = await findFinished(tests, wanted, until);
  const subject = await tests.open(id);
  if (subject !== undefined) return subject;
  const why = failure === null ? "" : ` ${failure}`;
  throw new CommandFailure(exitCodes.notWhollyChecked, `Test ${id} has no report.${why}`);
}

/** Stays with the first test that it sees, so that it ends even if matching tests keep arriving. */
export async function findFinished(tests: TestSource, wanted: WantedSince, until: number): Promise<FollowedTest> {
  let seen: FollowedTest | undefined;
  let problem: unknown;
  for (;;) {
    try {
      // A message that turns out to be a bounce or report, or is deleted, is not found again.
      seen = (seen && (await tests.read(seen.id))) ?? (await tests.find(wanted));
      problem = undefined;
    } catch (error) {
      if (!tests.isPassing(error)) throw error;
      problem = error;
    }
    if (seen?.status === "analyzed" || seen?.status === "failed") return seen;
    const leftMs = until - Date.now();
    if (leftMs <= 0) break;
    await pause(Math.min(tests.lookEveryMs, leftMs));
  }
  if (problem !== undefined) throw problem;
  throw new CommandFailure(
    exitCodes.nothingCame,
    seen ? `Test ${seen.id} arrived but was not analyzed in time.` : `No test ${wanted.words} arrived in time.`,
  );
}

/** The run sets parallel runs of one label apart, so these are few. */
const mostCandidates = 100;

function storedTests(db: Db, workspaceId: string): TestSource {
  const scope = inWorkspace(db, workspaceId);
  return {
    lookEveryMs: 500,
    isPassing: () => false,
    find: async ({ label, run, messageId, isIn, since }) => {
      const filter = {
        label: label ?? undefined,
        messageId: messageId ?? undefined,
        from: beginningAt("test", Math.max(since, 0)),
        terms: run === null ? [] : [{ isNot: false, field: "to" as const, value: `+${run}` }],
      };
      const { tests } = await findTests(db, workspaceId, { limit: mostCandidates }, filter);
      return tests.find(({ recipients }) => isIn(JSON.parse(recipients) as string[]));
    },
    read: (id) => readTest(scope, id),
    open: async (id) => {
      const [test, json] = await Promise.all([readTest(scope, id), readReport(scope, id)]);
      return test && json !== undefined ? toStoredSubject(test, json) : undefined;
    },
  };
}

function toStoredSubject(test: ListedTest, json: string): Subject | undefined {
  const report = parseReport(json);
  if (report === null) return undefined;
  return {
    name: test.label ?? test.id,
    checked: toChecked({ ...report.judgment.score, ...toReportFields(report, checkCatalog) }),
    write: (form, place) => formatReport(test, report, form, toStyle(place)),
  };
}

function readNumber(args: Arguments, name: string, { unless, max }: { unless: number; max: number }): number {
  const written = args.option(name) ?? String(unless);
  const number = /^\d{1,6}$/.test(written) ? Number(written) : Number.NaN;
  if (number <= max) return number;
  throw new Refusal("invalid_request", `--${name} must be a whole number from 0 to ${max}.`);
}
