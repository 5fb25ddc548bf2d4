// Verifies that a chain is as it was written.

import { type AuditRow, hashEntry, noHash } from "../rules/entry.ts";
import { type AuditChain, readHead, readOnwards } from "./log.ts";
import type { AuditHeadsTable } from "./tables.ts";

export type Verdict = {
  readonly chain: string;
  readonly entries: number;
  /** Number and hash of the last entry. */
  readonly last: number;
  readonly hash: string;
  /** The first entry that isn't as it was written, and why. */
  readonly broken: { readonly entry: number; readonly why: string } | null;
};

const verifiedAtOnce = 500;
const mostTries = 5;

/** Entries that are appended meanwhile aren't verified. */
export async function verifyChain(place: AuditChain): Promise<Verdict> {
  for (let tries = 1; ; tries++) {
    const head = await readHead(place);
    const verdict = await walk(place, head);
    // Old entries may have been removed by age meanwhile.
    const isMoved = (await readHead(place))?.trimmed_seq !== head?.trimmed_seq;
    if (!isMoved || tries === mostTries) return verdict;
  }
}

async function walk(place: AuditChain, head: AuditHeadsTable | undefined): Promise<Verdict> {
  const first = (head?.trimmed_seq ?? 0) + 1;
  const progress = { last: first - 1, hash: head?.trimmed_hash ?? noHash, trim: null as AuditRow | null };
  const broken =
    head === undefined
      ? { entry: first, why: "the number and hash of the last entry are missing" }
      : ((await findStray(place, first)) ?? (await follow(place, head, progress)) ?? whyNoEnd(head, progress));
  const { last, hash } = progress;
  return { chain: place.chain, entries: last - first + 1, last, hash, broken };
}

async function findStray(place: AuditChain, first: number): Promise<Verdict["broken"]> {
  const [row] = await readOnwards(place, 0, 1);
  if (row === undefined || row.seq >= first) return null;
  return { entry: row.seq, why: "it was removed by age, but is there" };
}

type Progress = { last: number; hash: string; trim: AuditRow | null };

/** Up to the last entry, or the first one that is broken. */
async function follow(place: AuditChain, head: AuditHeadsTable, progress: Progress): Promise<Verdict["broken"]> {
  for (;;) {
    const rows = await readOnwards(place, progress.last, verifiedAtOnce);
    // What comes after the head was appended meanwhile.
    for (const { hash, ...row } of rows.filter(({ seq }) => seq <= head.seq)) {
      const why = whyBroken(row, hash, progress);
      if (why !== null) return { entry: progress.last + 1, why };
      Object.assign(progress, { last: row.seq, hash, ...(isOwnTrim(row) && { trim: row }) });
    }
    if (rows.length < verifiedAtOnce || progress.last >= head.seq) return null;
  }
}

function whyBroken(row: AuditRow, hash: string, { last, hash: previous }: Progress): string | null {
  if (row.seq !== last + 1) return "it is missing";
  if (hashEntry(previous, row) === hash) return null;
  return "it was changed, or another entry was put in its place";
}

/** What was removed by age must be what the newest entry about it says. */
function whyNoEnd(head: AuditHeadsTable, { last, hash, trim }: Progress): Verdict["broken"] {
  if (last < head.seq) return { entry: last + 1, why: "it is missing at the end" };
  if (hash !== head.hash) return { entry: last, why: "the hash of the last entry differs from the one noted" };
  if (head.trimmed_seq === 0) return null;
  const said = trim === null ? {} : (JSON.parse(trim.details) as { through?: number; hash?: string });
  if (said.through === head.trimmed_seq && said.hash === head.trimmed_hash) return null;
  return { entry: head.trimmed_seq + 1, why: "earlier entries are missing that were not removed by age" };
}

function isOwnTrim({ action, object_kind }: AuditRow): boolean {
  return action === "audit.trim" && object_kind === null;
}
