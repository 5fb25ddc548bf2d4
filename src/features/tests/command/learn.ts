// Fits the spam figure of the placement prediction to a team's own labeled mail. The messages stay on this machine: the
// server gets two numbers, and what they were learned from.

import { resolve } from "node:path";
import {
  type Accuracy,
  type Labeled,
  type Line,
  learnLine,
  measureLine,
  placeAgain,
  toFigure,
  unlearned,
} from "../../../analyzer/placement/learned.ts";
import { toPlainName } from "../../../analyzer/placement/provider.ts";
import {
  type Arguments,
  answer,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCodes,
  type Terminal,
  toExitCodeHelp,
} from "../../../platform/cli/command.ts";
import { readTrusted } from "../../../platform/cli/input-files.ts";
import { type Server, serverExitCodes, serverOptions } from "../../../platform/cli/server.ts";
import { Refusal } from "../../../platform/errors.ts";
import { toTable } from "../../../platform/table.ts";
import { workspaceOption } from "../../people/command/token.ts";
import { changeWorkspace, listWorkspaces, type Workspace } from "../../people/contract/workspaces.ts";
import { withServer } from "../../server/command/with-server.ts";
import { listTests, readTest, type TestReport } from "../contract/tests.ts";
import type { MailCounts } from "../work/labeled-mail.ts";

export const learn: Command = {
  group: "use",
  name: "learn",
  summary: "Fit the placement prediction to your own labeled mail, and show what changed.",
  usage: "learn [<mbox|folder>] [options]",
  example: "assay learn takeout.mbox",
  positionals: { min: 0, max: 1 },
  options: {
    spam: {
      value: "mbox|folder",
      isList: true,
      doc: "Contains only spam. Mail elsewhere without a label is then not spam.",
    },
    trust: {
      value: "host",
      isList: true,
      doc: "Trust what this mail server recorded in the messages, besides Gmail’s and Microsoft’s. Can be repeated.",
    },
    observed: { doc: "Learn from what your seed mailboxes showed." },
    "dry-run": { doc: "Only show what would change." },
    forget: { doc: "Undo it: predictions are again as if nothing was learned." },
    ...serverOptions,
    workspace: workspaceOption,
  },
  details: () =>
    "Labels are Gmail's (Takeout), Microsoft's spam confidence level, and the names of folders, such as Junk and Inbox.\nMessages are read on this machine, and nothing of them is sent. Without a path, shows what is in force.\n\n" +
    toExitCodeHelp({ 0: "OK", 1: "nothing was learned", 2: "usage error", ...serverExitCodes }),
  run: (args, terminal) => {
    const hasMail = args.positionals.length + args.list("spam").length > 0;
    const isLearning = hasMail || args.flag("observed");
    if (args.flag("forget") && (isLearning || args.flag("dry-run")))
      throw new Refusal("invalid_request", "--forget takes no mail and no --dry-run.");
    if (hasMail && args.flag("observed"))
      throw new Refusal("invalid_request", "--observed learns from tests alone. Run it without files and folders.");
    return withServer(args, terminal, async (server) => {
      const { items } = await server.call(listWorkspaces);
      const [workspace] = items;
      if (workspace === undefined) throw new CommandFailure(exitCodes.tokenRejected, "The token has no workspace.");
      if (args.flag("forget")) return await forget(args, terminal, { server, workspace });
      return isLearning
        ? await learnFrom(args, terminal, { server, workspace })
        : answer(args, terminal, workspace.learned, () => toState(workspace));
    });
  },
};

type Place = { readonly server: Server; readonly workspace: Workspace };

async function forget(args: Arguments, terminal: Terminal, { server, workspace }: Place): Promise<ExitCode> {
  await server.call(changeWorkspace, { params: { id: workspace.id }, body: { learned: null } });
  return answer(args, terminal, null, () =>
    workspace.learned === null ? "Nothing was learned." : "Forgotten. Later analyses predict as before.",
  );
}

function toState({ learned }: Workspace): string {
  if (!learned) return "Nothing is learned. To learn from labeled mail: assay learn <mbox|folder>";
  const { spam, wanted, brierBefore, brierAfter, at } = learned;
  return `Learned from ${spam + wanted} messages (${spam} spam, ${wanted} not spam) on ${at.slice(0, 10)}.\n${toWords(learned)}\nBrier score: ${brierBefore} before, ${brierAfter} after.\nTo undo it: assay learn --forget`;
}

function toWords({ slope, intercept }: Line): string {
  return `Log odds of spam: ${slope} times the figure, ${intercept < 0 ? "minus" : "plus"} ${Math.abs(intercept)}.`;
}

/** Fewer of a kind say too little. */
const fewest = 20;
/** The share of wanted mail that may be called spam, whatever else gets better. */
const tolerated = 0.01;
const mostCompared = 100;
const mostObserved = 500;

async function learnFrom(args: Arguments, terminal: Terminal, { server, workspace }: Place): Promise<ExitCode> {
  const recent = await readRecent(server, args.flag("observed") ? mostObserved : mostCompared);
  const read = args.flag("observed") ? toObserved(recent) : await readMail(args);
  const { labeled, counts } = read;
  const spam = labeled.filter(({ isSpam }) => isSpam).length;
  const wanted = labeled.length - spam;
  if (Math.min(spam, wanted) < fewest)
    throw new CommandFailure(
      exitCodes.failed,
      `Nothing was learned: at least ${fewest} messages of each kind are needed, and these are ${spam} spam and ${wanted} not spam. ${toSentence(read)}`,
    );
  const line = learnLine(labeled);
  const { before, after } = measureLine(labeled);
  const moved = toMoved(recent.slice(0, mostCompared), line);
  const learned = { ...line, spam, wanted, brierBefore: before.brier, brierAfter: after.brier };
  const mostInSpam = Math.max(before.wantedInSpam, wanted * tolerated);
  const isBetter = after.brier < before.brier && after.wantedInSpam <= mostInSpam;
  const isStored = isBetter && !args.flag("dry-run");
  if (isStored) await server.call(changeWorkspace, { params: { id: workspace.id }, body: { learned } });
  const compared = Math.min(recent.length, mostCompared);
  answer(args, terminal, { counts, before, after, learned, compared, moved, isStored }, () =>
    [
      toSentence(read),
      toAccuracyTable(before, after),
      toWords(line),
      toMovedText(moved, compared, terminal),
      isStored
        ? "Learned. It applies to later analyses. To undo it: assay learn --forget"
        : isBetter
          ? "Nothing was stored, because of --dry-run."
          : after.wantedInSpam > mostInSpam
            ? "Nothing was stored: more of the mail that isn't spam would be called spam."
            : "Nothing was stored: the figure would not fit this mail better.",
    ].join("\n\n"),
  );
  return isBetter ? exitCodes.fine : exitCodes.failed;
}

type Read = { readonly labeled: readonly Labeled[]; readonly counts: Readonly<MailCounts> };

async function readMail(args: Arguments): Promise<Read> {
  const trusted = readTrusted(args.list("trust"));
  const { readLabeledMail } = await import("../work/labeled-mail.ts");
  const servers = trusted.map((name) => name.toLowerCase());
  const without = args.list("spam").map((path) => resolve(path));
  const spam = args.list("spam").map((path) => ({ path, areSpam: true, servers }) as const);
  const others = args.positionals.map((path) => ({ path, othersAreWanted: spam.length > 0, without, servers }));
  return await readLabeledMail([...spam, ...others], trusted);
}

function toSentence({ labeled, counts }: Read): string {
  const { messages, spam, wanted, unlabeled, unreadable, disputed } = counts;
  return [
    `Read ${messages} messages: ${spam} spam, ${wanted} not spam, ${unlabeled} without a label, ${unreadable} unreadable.`,
    ...(labeled.length < spam + wanted ? [`${labeled.length} of them were judged.`] : []),
    ...(disputed > 0 ? [`In ${disputed}, folder and headers disagree. The folder counts.`] : []),
  ].join(" ");
}

function toAccuracyTable(before: Accuracy, after: Accuracy): string {
  const row = (name: string, key: keyof Accuracy) => [name, String(before[key]), String(after[key])];
  return toTable([
    ["EACH JUDGED WITHOUT LEARNING FROM IT", "BEFORE", "AFTER"],
    row("Brier score (0 is perfect)", "brier"),
    row("Spam called inbox", "spamInInbox"),
    row("Inbox called spam", "wantedInSpam"),
  ]);
}

// The newest tests, with what was predicted and seen.

type Recent = { readonly subject: string; readonly line: Line; readonly results: Results };
type Results = NonNullable<TestReport["placement_results"]>;

async function readRecent(server: Server, most: number): Promise<Recent[]> {
  const recent: Recent[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < most / mostCompared; page++) {
    const { items, next } = await server.call(listTests, { query: { limit: mostCompared, cursor } });
    for (const { id, status } of items) {
      if (status !== "analyzed") continue;
      const { subject, placement_results: results, analysis } = await server.call(readTest, { params: { id } });
      if (results) recent.push({ subject: subject ?? "(none)", results, line: analysis?.learned ?? unlearned });
    }
    if (next === null) break;
    cursor = next;
  }
  return recent;
}

function toObserved(recent: readonly Recent[]): Read {
  const labeled = recent.flatMap(({ results, line }) => {
    const generic = results.find(({ provider }) => provider === "generic")?.predicted;
    const seen = results.filter(
      ({ method, folder }) => method === "observed" && folder !== "pending" && folder !== "missing",
    );
    const logOdds = generic ? toFigure(generic, line) : null;
    if (logOdds === null || seen.length === 0) return [];
    const inSpam = seen.filter(({ folder }) => folder === "spam").length;
    return [{ logOdds, isSpam: inSpam * 2 >= seen.length }];
  });
  const spam = labeled.filter(({ isSpam }) => isSpam).length;
  const kinds = { spam, wanted: labeled.length - spam, unlabeled: recent.length - labeled.length };
  return { labeled, counts: { messages: recent.length, ...kinds, disputed: 0, unreadable: 0 } };
}

type Moved = { readonly subject: string; readonly changes: readonly string[] };

function toMoved(recent: readonly Recent[], to: Line): Moved[] {
  return recent.flatMap(({ subject, results, line }) => {
    const byChange = new Map<string, string[]>();
    for (const { provider, predicted } of results) {
      const folder = predicted && placeAgain(predicted, line, to);
      if (predicted === null || folder === predicted.folder) continue;
      const change = `${predicted.folder} → ${folder}`;
      byChange.set(change, [...(byChange.get(change) ?? []), toPlainName(provider)]);
    }
    const changes = [...byChange].map(([change, names]) => `${change} (${names.join(", ")})`);
    return changes.length === 0 ? [] : [{ subject, changes }];
  });
}

const mostShown = 5;

function toMovedText(moved: readonly Moved[], compared: number, { columns }: Terminal): string {
  const head = `${moved.length} of your last ${compared} tests would be placed elsewhere${moved.length > 0 ? ":" : "."}`;
  const rows = moved.slice(0, mostShown).map(({ subject, changes }) => [`  ${subject}`, changes.join(", ")]);
  return rows.length === 0 ? head : `${head}\n${toTable(rows, columns)}`;
}
