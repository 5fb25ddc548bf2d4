import { expect, test } from "vitest";
import {
  type BackupNote,
  chooseRemoved,
  isBackupName,
  isOfOwner,
  readNote,
  toBackupName,
  writeNote,
} from "../../../../src/features/backups/rules/stored-backups.ts";
import { backupTarget } from "../../../../src/platform/settings/backup-kinds.ts";

const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1, 3, 15);
const daily = (days: number) =>
  Array.from({ length: days }, (_, day) => ({ name: `day ${day}`, at: start + day * dayMs }));

function keptOf(backups: ReturnType<typeof daily>, keep: Parameters<typeof chooseRemoved>[1]): string[] {
  const removed = new Set(chooseRemoved(backups, keep));
  return backups.filter((backup) => !removed.has(backup)).map(({ at }) => new Date(at).toISOString().slice(0, 10));
}

test("the newest backup of each kept day, week, and month stays", () => {
  expect(keptOf(daily(120), { daily: 3, weekly: 2, monthly: 3 })).toEqual([
    "2026-02-28",
    "2026-03-31",
    "2026-04-26",
    "2026-04-28",
    "2026-04-29",
    "2026-04-30",
  ]);
});

test("the newest of several backups on one day stays, and so does the newest of all", () => {
  const backups = [0, 1, 2].map((hour) => ({ name: String(hour), at: start + hour * 3_600_000 }));
  expect(chooseRemoved(backups, { daily: 7, weekly: 4, monthly: 6 }).map(({ name }) => name)).toEqual(["1", "0"]);
  expect(chooseRemoved(backups, { daily: 0, weekly: 0, monthly: 0 })).toHaveLength(2);
  expect(chooseRemoved([], { daily: 1, weekly: 1, monthly: 1 })).toEqual([]);
});

test("the latest backup stays even if older ones have a later time", () => {
  const backups = [start + 900 * dayMs, start].map((at) => ({ name: String(at), at }));
  for (const count of [0, 1])
    expect(chooseRemoved(backups, { daily: count, weekly: 0, monthly: 0 }, String(start))).toEqual([]);
});

test("nightly rotation keeps the configured number of backups", () => {
  const keep = { daily: 7, weekly: 4, monthly: 6 };
  let kept: ReturnType<typeof daily> = [];
  for (const backup of daily(500)) {
    const removed = new Set(chooseRemoved([...kept, backup], keep));
    kept = [...kept, backup].filter((each) => !removed.has(each));
  }
  expect(kept.length).toBeGreaterThanOrEqual(14);
  expect(kept.length).toBeLessThanOrEqual(17);
  expect(new Set(kept.map(({ at }) => new Date(at).toISOString().slice(0, 7))).size).toBe(6);
});

test("a file name contains the installation and the time, and other names are ignored", () => {
  const name = toBackupName("0123abcd", start, true);
  expect(name).toMatch(/^assay-[0-9a-f]{8}-20260101T031500Z\.db\.age$/);
  expect(isBackupName(name)).toBe(true);
  expect(isOfOwner(name, "0123abcd")).toBe(true);
  expect(isOfOwner(name, "0123abce")).toBe(false);
  for (const other of [`../${name}`, `.unfinished-${name}`, `${name}.json`, "assay.db", `${name}/x`, ""])
    expect(isBackupName(other)).toBe(false);
});

test("a note counts only for the file that it describes", () => {
  const note: BackupNote = {
    name: toBackupName("x", start, false),
    at: start,
    bytes: 10,
    sha256: "a".repeat(64),
    version: "0.1.0",
    encrypted: false,
    tests: 3,
    workspaces: 1,
    newestAt: start - 1,
    messagesOutside: 0,
    messagesMissing: 0,
    tookMs: 12,
    drill: "restored",
  };
  expect(readNote(writeNote(note), note)).toEqual(note);
  expect(readNote(writeNote(note), { ...note, bytes: 9 })).toBeUndefined();
  expect(readNote(writeNote(note), { ...note, name: "other" })).toBeUndefined();
  for (const text of ["", "[]", "{}", "null", "x", writeNote(note).slice(0, -20)])
    expect(readNote(text, note)).toBeUndefined();
});

test("a backup target is an absolute path or a bucket", () => {
  expect(backupTarget.read("/mnt/backup")).toEqual({ folder: "/mnt/backup" });
  expect(backupTarget.read("s3://backups")).toEqual({ bucket: "backups", prefix: "" });
  expect(backupTarget.read("s3://backups/assay/one/")).toEqual({ bucket: "backups", prefix: "assay/one" });
  for (const wrong of ["backup", "s3://", "s3://B", "s3://backups/../x", "s3://backups//x", "https://x", "/a\0b"])
    expect(backupTarget.read(wrong)).toBeUndefined();
});
