// Whether there is room for another message. Checked at most once a second instead of per message, because the figures
// change slowly.

import { setTimeout as pause } from "node:timers/promises";
import { reread } from "../../../platform/work/reread.ts";

/** For a message to this workspace, or to any. */
export type IntakeRoom = (workspaceId?: string) => Promise<boolean>;

type RoomTrouble = "disk_full" | "disk_low" | "backlog_full";

export type Room = {
  readonly hasRoom: IntakeRoom;
  /** What is in the way. Waits no longer than a second for the database. */
  readonly readTroubles: () => Promise<readonly RoomTrouble[]>;
  /** As last counted. Null: not known. */
  readonly backlog: () => number | null;
  /** Whether only this workspace has too many messages waiting. */
  readonly isCrowded: (workspaceId: string) => boolean;
};

type Shares = {
  readonly waiting: ReadonlyMap<string, number>;
  /** There is only one workspace, so it delays no other. */
  readonly isSole: boolean;
};

type RoomOptions = {
  readonly now: () => number;
  readonly maxBacklog: number;
  readonly minFreeBytes: number;
  readonly countBacklog: () => Promise<number>;
  readonly readShares: () => Promise<Shares>;
  readonly readFreeBytes: () => Promise<number>;
  /** A write failed because the disk is full, and there is no space yet. */
  readonly isDiskFull: () => boolean;
};

const checkEveryMs = 1_000;
const longestWaitMs = 1_000;

export function createRoom(options: RoomOptions): Room {
  const { now, maxBacklog, minFreeBytes, isDiskFull } = options;
  const readFreeBytes = reread(checkEveryMs, now, options.readFreeBytes);
  const countBacklog = reread(checkEveryMs, now, async () => {
    backlog = null;
    backlog = await options.countBacklog();
    followShares(backlog);
    return backlog;
  });
  let backlog: number | null = null;
  let shares: Shares | null = null;
  let isCounting = false;

  /** While less than half of the backlog is used, no workspace can have more than its share. */
  function followShares(total: number): void {
    if (total < maxBacklog / 2) shares = null;
    else if (!isCounting) {
      isCounting = true;
      options
        .readShares()
        .then(
          (counted) => {
            shares = counted;
          },
          () => {},
        )
        .finally(() => {
          isCounting = false;
        });
    }
  }

  /** So one workspace takes at most half, two take at most a third each, and there is always room for another. */
  function isCrowded(workspaceId: string): boolean {
    if (shares === null || backlog === null || shares.isSole) return false;
    return (shares.waiting.get(workspaceId) ?? 0) >= maxBacklog - backlog;
  }

  return {
    hasRoom: async (workspaceId) => {
      if (isDiskFull()) return false;
      const [waiting, freeBytes] = await Promise.all([countBacklog(), readFreeBytes()]);
      if (waiting >= maxBacklog || freeBytes < minFreeBytes) return false;
      return workspaceId === undefined || !isCrowded(workspaceId);
    },
    readTroubles: async () => {
      const waiting = Promise.race([countBacklog(), pause(longestWaitMs, 0, { ref: false })]).catch(() => 0);
      const [known, freeBytes] = await Promise.all([waiting, readFreeBytes().catch(() => minFreeBytes)]);
      const isFull = isDiskFull();
      return [
        ...(isFull ? (["disk_full"] as const) : []),
        ...(!isFull && freeBytes < minFreeBytes ? (["disk_low"] as const) : []),
        ...(known >= maxBacklog ? (["backlog_full"] as const) : []),
      ];
    },
    backlog: () => backlog,
    isCrowded,
  };
}
