// Notifies listeners of events in a workspace. Events are published after the commit and held only in memory, because
// intake writes thousands a second and usually there are no listeners. After a restart or in another process, a listener
// gets a reset and reloads its lists, so no gap stays unnoticed.

import { overloaded, Refusal } from "../../../platform/errors.ts";
import { createSeries } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import type { WorkspaceEvent } from "../contract.ts";
import { createEventChannel, type EventChannel, type NumberedEvent } from "./channel.ts";

/** Call it once the change is on disk. Cheap without listeners. */
export type Publish = (workspaceId: string, event: WorkspaceEvent) => void;

export type Listener = {
  /** IDs of what its right to listen comes from: the workspace, the person, and the token or the session. */
  readonly rights: readonly string[];
  /** One of them was changed or has ended. */
  readonly recheck: () => void;
  /** New events are available. */
  readonly wake: () => void;
  /** No more events: this process is stopping. */
  readonly end: () => void;
};

export type Following = {
  /** The ID to resume from if no event was read. */
  readonly id: string;
  /** New events, oldest first. Undefined if some are no longer kept. */
  readonly take: () => readonly NumberedEvent[] | undefined;
  /** The next events are no longer kept. */
  readonly isBehind: () => boolean;
  readonly leave: () => void;
};

export type EventHub = {
  readonly publish: Publish;
  /** Events may have been missed, so every listener reloads its lists, and its rights are checked again. */
  readonly resetAll: () => void;
  /** Call it once a change of rights is on disk, with the IDs that it is about. */
  readonly recheck: (rights: readonly string[]) => void;
  /** `follower`: identifies the client, whose streams are limited. `afterId`: its last known event. */
  readonly follow: (
    place: { readonly workspaceId: string; readonly follower: string; readonly afterId: string | undefined },
    listener: Listener,
  ) => Following;
  readonly countFollowers: () => number;
  /** How often a stream sends a heartbeat. */
  readonly beatMs: number;
  /** How often a stream rechecks the listener's access. */
  readonly checkMs: number;
  readonly endAll: () => void;
};

export type EventHubBounds = {
  /** Each uses one of the server's 2,000 connections. */
  readonly followers: number;
  /** More windows and scripts than one person leaves open. */
  readonly perFollower: number;
  /** Per workspace: seconds of the heaviest intake, days of a normal one. At most twice as many are held. */
  readonly keptEvents: number;
  /** How long to keep a workspace's events after its last listener left, so that it can resume. */
  readonly keptForMs: number;
  /** Common proxies drop silent responses after 60 s. */
  readonly beatMs: number;
  /** Within this time, a stream notices that another program took the right away, such as a command on the server. */
  readonly checkMs: number;
  /** Minimum time between wake-ups, so that hundreds of listeners share the work of a burst. */
  readonly wakeEveryMs: number;
};

export const eventHubBounds: EventHubBounds = {
  followers: 500,
  perFollower: 20,
  keptEvents: 2_000,
  keptForMs: 120_000,
  beatMs: 20_000,
  checkMs: 5_000,
  wakeEveryMs: 100,
};

/** Limits a chunk of the stream to some tens of KB. */
const takenAtOnce = 200;

type Followed = EventChannel & {
  readonly listeners: Set<Listener>;
  wakeTimer: NodeJS.Timeout | null;
  forgetTimer: NodeJS.Timeout | null;
};

export function createEventHub(
  { now, random }: Pick<System, "now" | "random">,
  bounds: EventHubBounds = eventHubBounds,
): EventHub {
  const channels = new Map<string, Followed>();
  const countOf = new Map<string, number>();
  let followers = 0;
  let closed = false;

  function begin(workspaceId: string): Followed {
    const channel = createEventChannel(createSeries(random(8)), now(), bounds.keptEvents);
    const followed = { ...channel, listeners: new Set<Listener>(), wakeTimer: null, forgetTimer: null };
    channels.set(workspaceId, followed);
    return followed;
  }

  function notify(followed: Followed, event: WorkspaceEvent): void {
    followed.append(event, now());
    followed.wakeTimer ??= setTimeout(() => {
      followed.wakeTimer = null;
      for (const listener of [...followed.listeners]) listener.wake();
    }, bounds.wakeEveryMs);
  }

  function admit(follower: string): void {
    if (closed) throw overloaded("This server is shutting down");
    if ((countOf.get(follower) ?? 0) >= bounds.perFollower) {
      const why = `You already have ${bounds.perFollower} open event streams. Close one first.`;
      throw new Refusal("rate_limited", why, { retryAfterSeconds: 30 });
    }
    if (followers >= bounds.followers) throw overloaded("This server has no free event streams");
    countOf.set(follower, (countOf.get(follower) ?? 0) + 1);
    followers += 1;
  }

  function discount(follower: string): void {
    const left = (countOf.get(follower) ?? 0) - 1;
    if (left > 0) countOf.set(follower, left);
    else countOf.delete(follower);
    followers -= 1;
  }

  function forgetLater(workspaceId: string, followed: Followed): void {
    followed.forgetTimer = setTimeout(() => channels.delete(workspaceId), bounds.keptForMs).unref();
  }

  return {
    publish: (workspaceId, event) => {
      const followed = channels.get(workspaceId);
      if (followed) notify(followed, event);
    },
    resetAll: () => {
      for (const followed of channels.values()) notify(followed, { type: "reset" });
      recheck(channels, () => true);
    },
    recheck: (changed) => recheck(channels, ({ rights }) => rights.some((right) => changed.includes(right))),
    follow: ({ workspaceId, follower, afterId }, listener) => {
      admit(follower);
      const followed = channels.get(workspaceId) ?? begin(workspaceId);
      if (followed.forgetTimer) clearTimeout(followed.forgetTimer);
      followed.forgetTimer = null;
      followed.listeners.add(listener);
      const reader = createReader(followed, afterId);
      return {
        ...reader,
        leave: () => {
          if (!followed.listeners.delete(listener)) return;
          discount(follower);
          if (followed.listeners.size === 0) forgetLater(workspaceId, followed);
        },
      };
    },
    countFollowers: () => followers,
    beatMs: bounds.beatMs,
    checkMs: bounds.checkMs,
    endAll: () => {
      closed = true;
      for (const { listeners, wakeTimer, forgetTimer } of channels.values()) {
        if (wakeTimer) clearTimeout(wakeTimer);
        if (forgetTimer) clearTimeout(forgetTimer);
        for (const listener of [...listeners]) listener.end();
      }
      channels.clear();
    },
  };
}

function recheck(channels: ReadonlyMap<string, Followed>, isConcerned: (listener: Listener) => boolean): void {
  for (const { listeners } of channels.values())
    for (const listener of [...listeners]) if (isConcerned(listener)) listener.recheck();
}

/** A listener with an unknown ID first reads a reset, then new events. */
function createReader(channel: EventChannel, afterId: string | undefined): Omit<Following, "leave"> {
  const known = afterId === undefined ? channel.end() : channel.placeAfter(afterId);
  let place = known ?? channel.end();
  const id = channel.idAt(place);
  let isLost = known === undefined;
  return {
    id,
    isBehind: () => channel.read(place, 0) === undefined,
    take: () => {
      const events = channel.read(place, takenAtOnce);
      if (events === undefined) return undefined;
      const missed: NumberedEvent[] = isLost ? [{ id: channel.idAt(place), event: { type: "reset" } }] : [];
      isLost = false;
      place += events.length;
      return [...missed, ...events];
    },
  };
}
