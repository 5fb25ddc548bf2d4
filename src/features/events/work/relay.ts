// Shares events among processes on one PostgreSQL. They are batched, because each NOTIFY waits for a global lock. If
// events could not be sent or may have been missed, the other processes reset their listeners. A starting process also
// sends a reset, because its predecessor may have died with unsent events.

import { parseJsonObject } from "../../../analyzer/json.ts";
import { maxNoticeBytes, type Notices } from "../../../platform/database/notices.ts";
import type { Store } from "../../../platform/database/store.ts";
import { messageOf } from "../../../platform/errors.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Intake } from "../../intake/rows/intake.ts";
import { type WorkspaceEvent, workspaceEvent } from "../contract.ts";
import { createEventHub, type EventHub, eventHubBounds, type Publish } from "./hub.ts";

type EventRelay = Pick<EventHub, "recheck"> & { readonly publish: Publish; readonly close: () => Promise<void> };

type EventRelayOptions = {
  readonly hub: EventHub;
  readonly notices: Notices;
  readonly system: Pick<System, "log">;
  /** Identifies this process. */
  readonly owner: string;
};

type Entry = readonly [workspaceId: string, event: WorkspaceEvent];

const gatherForMs = 100;
const tryAgainAfterMs = 1_000;
/** Unsent events. Beyond this, a reset replaces them. */
const maxWaiting = 10_000;

export function createEventRelay({ hub, notices, system, owner }: EventRelayOptions): EventRelay {
  let waiting: string[] = [];
  let changedRights: string[] = [];
  let mustReset = true;
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();
  let closed = false;

  const listening = notices.listen((text) => takeNotice(text, owner, hub), hub.resetAll);
  sendSoon(0);

  function sendSoon(afterMs: number): void {
    timer ??= setTimeout(() => {
      timer = null;
      sending = sending.then(send);
    }, afterMs);
  }

  async function send(): Promise<void> {
    const texts = [
      ...(mustReset ? [toReset(owner)] : []),
      ...toRights(changedRights, owner),
      ...toTexts(waiting, owner),
    ];
    waiting = [];
    changedRights = [];
    mustReset = false;
    if (texts.length === 0) return;
    try {
      await notices.send(texts);
    } catch (error) {
      mustReset = true;
      system.log.warn("events not sent to other processes", { problem: messageOf(error) });
      if (!closed) sendSoon(tryAgainAfterMs);
    }
  }

  return {
    publish: (workspaceId, event) => {
      hub.publish(workspaceId, event);
      if (waiting.length >= maxWaiting) {
        waiting = [];
        mustReset = true;
      }
      waiting.push(JSON.stringify([workspaceId, event] satisfies Entry));
      sendSoon(gatherForMs);
    },
    recheck: (rights) => {
      hub.recheck(rights);
      changedRights.push(...rights);
      sendSoon(0);
    },
    close: async () => {
      closed = true;
      if (timer) clearTimeout(timer);
      await sending;
      await send();
      await listening.close();
    },
  };
}

function toReset(owner: string): string {
  return JSON.stringify({ by: owner, reset: true });
}

/** An ID has 30 characters. */
const mostRights = 200;

function toRights(rights: readonly string[], owner: string): string[] {
  if (rights.length === 0) return [];
  const more = toRights(rights.slice(mostRights), owner);
  return [JSON.stringify({ by: owner, rights: rights.slice(0, mostRights) }), ...more];
}

/** For a command, which takes rights away beside the running processes. On SQLite, these look for themselves. */
export async function announceRights({ notices }: Pick<Store, "notices">, rights: readonly string[]) {
  await notices?.send(toRights(rights, "a command"));
}

/** Packs as many entries as fit into each notice. */
function toTexts(entries: readonly string[], owner: string): string[] {
  const toText = (some: readonly string[]) => `{"by":${JSON.stringify(owner)},"told":[${some.join(",")}]}`;
  const roomBytes = maxNoticeBytes - Buffer.byteLength(toText([]));
  const texts: string[] = [];
  let some: string[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const entryBytes = Buffer.byteLength(entry) + 1;
    if (some.length > 0 && bytes + entryBytes > roomBytes) {
      texts.push(toText(some));
      some = [];
      bytes = 0;
    }
    some.push(entry);
    bytes += entryBytes;
  }
  return some.length > 0 ? [...texts, toText(some)] : texts;
}

/**
 * Input is checked, because anyone with the database password can send notices, and newer versions may send unknown
 * events.
 */
function takeNotice(text: string, owner: string, hub: EventHub): void {
  const notice = parseJsonObject(text) ?? {};
  if (notice.by === owner) return;
  if (notice.reset === true) hub.resetAll();
  if (Array.isArray(notice.rights)) hub.recheck(notice.rights.filter((right) => typeof right === "string"));
  for (const entry of Array.isArray(notice.told) ? notice.told : []) {
    const [workspaceId, event]: readonly unknown[] = Array.isArray(entry) ? entry : [];
    const known = workspaceEvent.safeParse(event);
    if (typeof workspaceId === "string" && known.success) hub.publish(workspaceId, known.data);
  }
}

// This process's events and, on a shared database, those of other processes.

export type Events = EventHub & { readonly close: () => Promise<void> };

type EventsOptions = {
  readonly system: Pick<System, "now" | "random" | "log">;
  /** Undefined if no other process uses the database. */
  readonly notices: Notices | undefined;
  /** Identifies this process. */
  readonly owner: string;
};

export function createEvents({ system, notices, owner }: EventsOptions): Events {
  if (notices === undefined) {
    const hub = createEventHub(system);
    return { ...hub, close: async () => hub.endAll() };
  }
  // A process that takes rights away sends a notice, and so does a command.
  const hub = createEventHub(system, { ...eventHubBounds, checkMs: eventHubBounds.beatMs });
  const relay = createEventRelay({ hub, notices, system, owner });
  return { ...hub, ...relay };
}

/** Publishes each message once it is on disk. */
export function withEvents(intake: Intake, publish: Publish): Intake {
  return {
    insert: async (...asked) => {
      await intake.insert(...asked);
      const [messages] = asked;
      for (const { tests } of messages)
        for (const { id, workspaceId, label, isCanary } of tests)
          if (!isCanary) publish(workspaceId, { type: "test.received", id, label });
    },
  };
}
