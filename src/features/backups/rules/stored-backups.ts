// The names of scheduled backups, the note next to each, and which of them are kept. A backup counts only once its note
// is there, which is written after the backup was read again and compared.

import { parseJsonObject } from "../../../analyzer/json.ts";

export type BackupNote = {
  readonly name: string;
  /** When its copy began. */
  readonly at: number;
  /** The size of the stored file. */
  readonly bytes: number;
  readonly sha256: string;
  readonly version: string;
  readonly encrypted: boolean;
  readonly tests: number;
  readonly workspaces: number;
  readonly newestAt: number | null;
  /** Raw messages that are stored elsewhere and were left out. */
  readonly messagesOutside: number;
  /** Raw messages that were not at their place. */
  readonly messagesMissing: number;
  readonly tookMs: number;
  /** What became of its restore into a scratch folder. Null: an earlier version made it. */
  readonly drill: (typeof drills)[number] | null;
};

const drills = ["restored", "failed", "no room"] as const;

/** How many days, weeks, and months have their newest backup kept. */
type Keep = { readonly daily: number; readonly weekly: number; readonly monthly: number };

/** A week to notice a mistake, a month for a slow one, and half a year for questions. 17 backups at most. */
export const backupsKept: Keep = { daily: 7, weekly: 4, monthly: 6 };

const backupName = /^assay-([0-9a-f]{8})-(\d{8}T\d{6}Z)\.db(?:\.age)?$/;
const noteEnding = ".json";

/** `owner`: the installation's ID, because several may use one folder. */
export function toBackupName(owner: string, at: number, encrypted: boolean): string {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, "");
  return `assay-${toOwnerPart(owner)}-${time}.db${encrypted ? ".age" : ""}`;
}

/** Only hexadecimal digits of it. */
function toOwnerPart(owner: string): string {
  return Buffer.from(owner).toString("hex").slice(-8).padStart(8, "0");
}

export function isBackupName(name: string): boolean {
  return backupName.test(name);
}

/** When it was begun. */
export function timeOfBackup(name: string): number {
  const [, , time = ""] = backupName.exec(name) ?? [];
  return Date.parse(time.replace(/^(....)(..)(..T..)(..)/, "$1-$2-$3:$4:"));
}

export function isOfOwner(name: string, owner: string): boolean {
  return backupName.exec(name)?.[1] === toOwnerPart(owner);
}

export const toNoteName = (name: string) => name + noteEnding;

export function writeNote(note: BackupNote): string {
  const { at, newestAt, ...rest } = note;
  const times = { at: new Date(at).toISOString(), newestAt: newestAt && new Date(newestAt).toISOString() };
  return `${JSON.stringify({ ...rest, ...times }, null, 2)}\n`;
}

/** Written before the backup, so that what a killed process leaves is known to be no backup. */
export function writePendingNote(name: string): string {
  return `${JSON.stringify({ name, pending: true })}\n`;
}

export function isPendingNote(text: string): boolean {
  return parseJsonObject(text)?.pending === true;
}

/** Undefined unless it is the note of that file. Anyone who can write to the folder can write a note. */
export function readNote(
  text: string,
  file: { readonly name: string; readonly bytes: number },
): BackupNote | undefined {
  const note = parseJsonObject(text);
  if (note === undefined || note === null || note.name !== file.name || note.bytes !== file.bytes) return undefined;
  const at = Date.parse(String(note.at));
  if (Number.isNaN(at) || !sha256.test(String(note.sha256))) return undefined;
  const count = (value: unknown) => (typeof value === "number" && value >= 0 ? value : 0);
  const newestAt = Date.parse(String(note.newestAt));
  return {
    name: file.name,
    at,
    bytes: file.bytes,
    sha256: String(note.sha256),
    version: String(note.version ?? "").slice(0, 40),
    encrypted: note.encrypted === true,
    tests: count(note.tests),
    workspaces: count(note.workspaces),
    newestAt: Number.isNaN(newestAt) ? null : newestAt,
    messagesOutside: count(note.messagesOutside),
    messagesMissing: count(note.messagesMissing),
    tookMs: count(note.tookMs),
    drill: drills.find((drill) => drill === note.drill) ?? null,
  };
}

const sha256 = /^[0-9a-f]{64}$/;

/**
 * Those that are not the newest of any day, week, or month that is kept. The newest of all is always kept, and `made`, the
 * name of the one that was just made: after the clock was ahead, it isn't the newest.
 */
export function chooseRemoved<B extends { readonly name: string; readonly at: number }>(
  backups: readonly B[],
  keep: Keep,
  made?: string,
): readonly B[] {
  const newestFirst = backups.toSorted((one, other) => other.at - one.at);
  const kept = new Set<B>(newestFirst.slice(0, 1));
  for (const backup of newestOf(newestFirst, toDay).slice(0, keep.daily)) kept.add(backup);
  for (const backup of newestOf(newestFirst, toWeek).slice(0, keep.weekly)) kept.add(backup);
  for (const backup of newestOf(newestFirst, toMonth).slice(0, keep.monthly)) kept.add(backup);
  return newestFirst.filter((backup) => !kept.has(backup) && backup.name !== made);
}

function newestOf<B extends { readonly at: number }>(
  newestFirst: readonly B[],
  toSpan: (at: number) => string,
): readonly B[] {
  const spans = new Map<string, B>();
  for (const backup of newestFirst) {
    const span = toSpan(backup.at);
    if (!spans.has(span)) spans.set(span, backup);
  }
  return [...spans.values()];
}

const dayMs = 86_400_000;
/** 1 January 1970 was a Thursday. */
const firstMonday = 4 * dayMs;

const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);
const toWeek = (at: number) => String(Math.floor((at - firstMonday) / (7 * dayMs)));
const toMonth = (at: number) => new Date(at).toISOString().slice(0, 7);
