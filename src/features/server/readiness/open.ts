// Opens the parts that decide whether mail is received, for a running server.

import { performance } from "node:perf_hooks";
import type { Store } from "../../../platform/database/store.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { readFreeBytes } from "../../../platform/system/data-directory.ts";
import type { System } from "../../../platform/system/system.ts";
import { readBacklogShares } from "../../tests/rows/backlog.ts";
import { countBacklog } from "../../tests/rows/tests.ts";
import type { DeferralReason } from "./deferrals.ts";
import { createDiskGuard, type DiskGuard, withReserve } from "./disk-guard.ts";
import { createLoad } from "./load.ts";
import { createRoom, type Room } from "./room.ts";
import { createServiceState, type ServiceState, writeSomething } from "./state.ts";

/** Less than the database writes in a few seconds. */
const leastBytes = 2_097_152;

type ServiceTerms = {
  readonly config: Config;
  readonly system: System;
  readonly store: Store;
  readonly count: (reason: DeferralReason) => void;
  readonly isResting: () => boolean;
};

type OpenService = {
  /** With the reserve. */
  readonly store: Store;
  readonly room: Room;
  readonly guard: DiskGuard;
  readonly service: ServiceState;
  readonly start: () => void;
  readonly stop: () => void;
};

export function openService({ config, system, store, count, isResting }: ServiceTerms): OpenService {
  const { dataDir, maxBacklog } = config;
  const { sqlite } = store;
  // The disk of a database server isn't ours.
  const noteFull = () => {
    if (sqlite) guard.noteFull();
  };
  const guard = createDiskGuard({
    dataDir,
    system,
    makeSpace: async () => {
      await sqlite?.shrink();
      await writeSomething(store, system.now());
    },
  });
  const room = createRoom({
    ...config,
    now: system.now,
    countBacklog: () => countBacklog(store.read),
    readShares: () => readBacklogShares(store.readInWorker),
    readFreeBytes: async () => {
      const bytes = await readFreeBytes(dataDir);
      if (bytes < leastBytes) noteFull();
      return bytes;
    },
    isDiskFull: guard.isFull,
  });
  const readBusy = createBusyMeter();
  const service = createServiceState({
    store,
    system,
    room,
    guard,
    count,
    onDiskFull: noteFull,
    load: (isMailDeferred) =>
      createLoad({
        now: system.now,
        maxBacklog,
        backlog: room.backlog,
        readBusy,
        isDiskFull: guard.isFull,
        isResting,
        isMailDeferred,
      }),
  });
  return {
    store: sqlite ? withReserve(store, guard) : store,
    room,
    guard,
    service,
    start: () => {
      if (sqlite) guard.start();
      service.start();
    },
    stop: () => {
      guard.stop();
      service.stop();
    },
  };
}

function createBusyMeter(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
