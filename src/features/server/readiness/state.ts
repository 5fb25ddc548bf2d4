// The state of the service: what keeps mail from being received, and what is postponed. /readyz, the metrics, the log and
// the app all say it from here.

import { setTimeout as pause } from "node:timers/promises";
import { type PostponedWork, type TroubleCode, troubleTable } from "../../../platform/contract/server-state-words.ts";
import { isDamage } from "../../../platform/database/engine/damage.ts";
import { readMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { System } from "../../../platform/system/system.ts";
import { createDeferrals, type DeferralReason, type Deferrals, type Episode } from "./deferrals.ts";
import type { DiskGuard } from "./disk-guard.ts";
import type { Load } from "./load.ts";
import type { Room } from "./room.ts";

export type ServiceState = Pick<Deferrals, "note" | "noteTrouble"> & {
  /** What is in the way now, also if no mail has come yet. Never rejects. */
  readonly look: () => Promise<readonly Episode[]>;
  /** The same, as of the last look. */
  readonly episodes: Deferrals["episodes"];
  /** What a workspace's people should see, in words separated by spaces. Empty: nothing. */
  readonly summarize: (workspaceId: string | null) => string;
  readonly isDatabaseUp: () => Promise<boolean>;
  readonly isDiskFull: () => boolean;
  readonly isCrowded: Room["isCrowded"];
  /** Why there is no room for mail. */
  readonly whyNoRoom: () => Promise<DeferralReason>;
  readonly isPostponed: Load["isPostponed"];
  readonly postponed: () => readonly PostponedWork[];
};

type StateOptions = {
  readonly store: Pick<Store, "dialect" | "read" | "write" | "messages">;
  readonly system: Pick<System, "now" | "log">;
  readonly room: Room;
  readonly guard: Pick<DiskGuard, "isFull">;
  readonly load: (isMailDeferred: () => boolean) => Load;
  readonly count: (reason: DeferralReason) => void;
  readonly onDiskFull: () => void;
};

const lookEveryMs = 10_000;
const databaseWithinMs = 1_500;

export function createServiceState(
  options: StateOptions,
): ServiceState & { readonly start: () => void; readonly stop: () => void } {
  const { store, system, room, guard, count } = options;
  const findDatabaseTrouble = (): Promise<"database_unavailable" | "database_damaged" | null> =>
    Promise.race([
      readMeta(store.read, "installation_id").then(
        () => null,
        (error) => (isDamage(error) ? "database_damaged" : "database_unavailable"),
      ),
      pause(databaseWithinMs, "database_unavailable" as const, { ref: false }),
    ]);

  async function isOver({ code, workspaceId }: Episode): Promise<boolean> {
    switch (code) {
      case "connections_full":
        return !deferrals.episodes().some((one) => one.code === "connections_refused");
      case "connections_refused":
      case "smtp_not_listening":
        return true;
      // Other tables may still be written, but only a restore and a start repair this one.
      case "database_damaged":
        return false;
      case "workspace_backlog_full":
        return workspaceId === null || !room.isCrowded(workspaceId);
      case "disk_low":
      case "backlog_full":
        return !(await room.readTroubles()).includes(code);
      case "disk_full":
        if (store.dialect === "postgres") await writeSomething(store, system.now());
        return !guard.isFull();
      default:
        await writeSomething(store, system.now());
        return (await store.messages.findTrouble()) === null;
    }
  }

  const deferrals = createDeferrals({ system, isOver, count });
  // What a damaged database can still store is stored.
  const isDeferring = ({ code, deferred }: Episode) => code !== "database_damaged" || deferred > 0;
  const isMailDeferred = () => deferrals.episodes().some((one) => troubleTable[one.code].isOut && isDeferring(one));
  const load = options.load(isMailDeferred);
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<readonly Episode[]> {
    const [database, troubles] = await Promise.all([findDatabaseTrouble(), room.readTroubles()]);
    const found: readonly TroubleCode[] = database === null ? troubles : [database, ...troubles];
    for (const code of found) deferrals.noteTrouble(code);
    return deferrals.episodes();
  }

  return {
    note: (reason, about) => {
      if (reason === "disk_full") options.onDiskFull();
      deferrals.note(reason, about);
    },
    noteTrouble: deferrals.noteTrouble,
    look,
    episodes: deferrals.episodes,
    summarize: (workspaceId) => {
      const own = deferrals.episodes().filter((one) => one.workspaceId === null || one.workspaceId === workspaceId);
      const words = own.map(({ code }): string => code);
      return [...words, ...load.postponed().filter(isSeen)].join(" ");
    },
    isDatabaseUp: async () => (await findDatabaseTrouble()) === null,
    isDiskFull: guard.isFull,
    isCrowded: room.isCrowded,
    whyNoRoom: async () => (await room.readTroubles())[0] ?? "backlog_full",
    isPostponed: load.isPostponed,
    postponed: load.postponed,
    start: () => {
      timer = setInterval(() => void look(), lookEveryMs).unref();
    },
    stop: () => {
      clearInterval(timer);
      deferrals.close();
    },
  };
}

/** That analyses rest for a moment in a burst is no news. */
function isSeen(work: PostponedWork): boolean {
  return work === "exports" || work === "sweeps";
}

/** An empty transaction would also succeed on a full disk. */
export async function writeSomething({ write }: Pick<Store, "write">, now: number): Promise<void> {
  await write((db) => writeMeta(db, "write_probe", `${now}`));
}
