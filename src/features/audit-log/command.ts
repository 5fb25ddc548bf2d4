import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { parseJsonObject } from "../../analyzer/json.ts";
import { toVisible } from "../../analyzer/visible-text.ts";
import { listChains, readHead, readOnwards } from "../../platform/audit/rows/log.ts";
import { type Verdict, verifyChain } from "../../platform/audit/rows/verify.ts";
import { serverChain } from "../../platform/audit/rules/entry.ts";
import { type Arguments, answer, type Command, exitCodes, toExitCodeHelp } from "../../platform/cli/command.ts";
import type { Db } from "../../platform/database/schema.ts";
import { Refusal } from "../../platform/errors.ts";
import { withStore } from "../server/command/with-store.ts";
import { exportLines } from "./work/entries.ts";
import { auditKeptMs } from "./work/trim.ts";

const chosen = {
  workspace: { value: "wsp_…", doc: "Only the log of this workspace. It may be deleted." },
  server: { doc: "Only the server's log." },
};

export const auditVerify: Command = {
  group: "maintain",
  name: "audit verify",
  summary: "Verify that no entry of the audit log was changed, removed, or moved.",
  usage: "audit verify [--against <file>] [--workspace <wsp_…> | --server] [--json]",
  example: "assay audit verify --against audit.jsonl",
  options: {
    against: {
      value: "file",
      doc: "An earlier export. Every entry in it must still be there unchanged, unless it was removed by age.",
    },
    ...chosen,
  },
  details: () =>
    `Someone who can write to the database can also write a new log with valid hashes. To notice that, keep exports\nelsewhere, and use --against.\n\n${toExitCodeHelp({ 0: "all entries are as they were written", 1: "an entry is not, and the first one is named" })}`,
  run: (args, terminal) =>
    withStore(args, terminal, async ({ store: { readInWorker: db }, system }) => {
      const verdicts: Verdict[] = [];
      for (const chain of await chooseChains(db, args)) verdicts.push(await verifyChain({ db, chain }));
      const file = args.option("against");
      const keptSince = system.now() - auditKeptMs;
      const changed = file === undefined ? null : await findChanged(db, file, keptSince);
      answer(args, terminal, { logs: verdicts, ...(file !== undefined && { against: changed }) }, () =>
        [
          ...verdicts.map(toVerdictWords),
          ...(file === undefined ? [] : [toComparedWords(file, changed)]),
          ...(verdicts.length === 0 ? ["The audit log is empty."] : []),
        ].join("\n"),
      );
      const isBroken = changed !== null || verdicts.some(({ broken }) => broken !== null);
      return isBroken ? exitCodes.failed : exitCodes.fine;
    }),
};

export const auditExport: Command = {
  group: "maintain",
  name: "audit export",
  summary: "Print the audit log as JSON lines, oldest first.",
  usage: "audit export [--workspace <wsp_…> | --server]",
  example: "assay audit export > audit.jsonl",
  options: chosen,
  run: (args, terminal) =>
    withStore(
      args,
      terminal,
      async ({ store: { readInWorker: db } }) => {
        for (const chain of await chooseChains(db, args))
          for await (const line of exportLines({ db, chain })) terminal.out(line);
        return exitCodes.fine;
      },
      { action: "export.audit", effect: "outside", log: "server", request: { workspace: args.option("workspace") } },
    ),
};

async function chooseChains(db: Db, args: Arguments): Promise<readonly string[]> {
  const workspace = args.option("workspace");
  if (args.flag("server") && workspace !== undefined)
    throw new Refusal("invalid_request", "Use either --workspace or --server.");
  if (args.flag("server")) return [serverChain];
  const chains = await listChains(db);
  if (workspace === undefined) return chains;
  if (chains.includes(workspace)) return [workspace];
  throw new Refusal("not_found", "This workspace has no audit log. Check its ID: assay workspace list.");
}

type Changed = { readonly log: string; readonly entry: number; readonly isRemoved: boolean };

/**
 * The first entry of the export that isn't in the log any more. What the log says was removed by age counts only if it is
 * older than `keptSince`, because someone who removes entries can also write that.
 */
async function findChanged(db: Db, file: string, keptSince: number): Promise<Changed | null> {
  const heads = new Map<string, number>();
  for await (const line of readLines(file)) {
    const { log, number, hash, at } = parseJsonObject(line) ?? {};
    if (typeof log !== "string" || typeof number !== "number" || typeof hash !== "string")
      throw new Refusal("invalid_request", `${toVisible(file)} is not an export of the audit log.`);
    const place = { db, chain: log };
    // A deleted workspace's log ends with its last entry.
    const trimmed = heads.get(log) ?? (await readHead(place))?.trimmed_seq ?? Number.POSITIVE_INFINITY;
    heads.set(log, trimmed);
    if (number <= trimmed && Date.parse(String(at)) < keptSince) continue;
    const [row] = await readOnwards(place, number - 1, 1);
    if (row?.seq !== number) return { log, entry: number, isRemoved: true };
    if (row.hash !== hash) return { log, entry: number, isRemoved: false };
  }
  return null;
}

async function* readLines(file: string): AsyncGenerator<string> {
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
      if (line !== "") yield line;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal("invalid_request", `Cannot read ${JSON.stringify(file)}.`);
  }
}

function toVerdictWords({ chain, entries, last, hash, broken }: Verdict): string {
  const log = chain === serverChain ? "Server" : `Workspace ${toVisible(chain)}`;
  if (broken !== null) return `${log}: entry ${broken.entry} is broken: ${broken.why}.`;
  const count = entries === 1 ? "1 entry" : `${entries} entries`;
  return `${log}: ${count} verified. Last: ${last}, ${hash}`;
}

function toComparedWords(file: string, changed: Changed | null): string {
  if (changed === null) return `All entries of ${toVisible(file)} are there unchanged, or were removed by age.`;
  const { log, entry, isRemoved } = changed;
  if (isRemoved)
    return `Entry ${entry} of the log ${toVisible(log)} is in ${toVisible(file)}, but not here. It was not removed by age, because it is younger than a year.`;
  return `Entry ${entry} of the log ${toVisible(log)} is not what ${toVisible(file)} says.`;
}
