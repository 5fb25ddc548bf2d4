// Who is told what happens in a workspace. Told after the commit of what is told, in this process's memory: no row an
// event, because intake writes thousands a second and mostly nobody listens. The price is that a listener who comes back
// after a restart, or to another process, is told to read its lists again: never a silent gap.

import type { WorkspaceEvent } from "../../api/events.ts";
import { overloaded, Refusal } from "../../errors.ts";
import { createSeries } from "../../ids.ts";
import type { System } from "../../system/system.ts";
import { createEventChannel, type EventChannel, type NumberedEvent } from "./channel.ts";

/** Called once what is told is on disk. It costs a look-up where nobody listens. */
export type Publish = (workspaceId: string, event: WorkspaceEvent) => void;

export type Listener = {
  /** There is something to take. */
  readonly wake: () => void;
  /** Nothing more will come: this process stops. */
  readonly end: () => void;
};

export type Following = {
  /** The id to come back with, as long as nothing has been taken. */
  readonly id: string;
  /** What is new, the oldest first; undefined when it is more than is kept. */
  readonly take: () => readonly NumberedEvent[] | undefined;
  /** What would be taken next is no longer kept. */
  readonly isBehind: () => boolean;
  readonly leave: () => void;
};

export type EventHub = {
  readonly publish: Publish;
  /** Something may have been missed: every listener is to read its lists again. */
  readonly resetAll: () => void;
  /** `follower`: who it is, of whom only so many are let in. `afterId`: the last event that they know. */
  readonly follow: (
    place: { readonly workspaceId: string; readonly follower: string; readonly afterId: string | undefined },
    listener: Listener,
  ) => Following;
  readonly countFollowers: () => number;
  /** How often a listener is to hear something, and its right to listen is looked at. */
  readonly beatMs: number;
  /** Nobody is told any more. */
  readonly endAll: () => void;
};

export type EventHubBounds = {
  /** Each holds a connection, of which the server takes 2,000. */
  readonly followers: number;
  /** More browser windows and programs than one person leaves open. */
  readonly perFollower: number;
  /** Events of a workspace: some seconds of the heaviest intake, days of an ordinary one. At most twice as many are held. */
  readonly keptEvents: number;
  /** For how long after its last listener has gone a workspace's events are kept, so that it can come back. */
  readonly keptForMs: number;
  /** Well under the 60 s after which common proxies let go of a silent answer, and in which a right that ended is noticed. */
  readonly beatMs: number;
  /** Listeners are woken at most so often: hundreds of them share the work of a burst. */
  readonly wakeEveryMs: number;
};

export const eventHubBounds: EventHubBounds = {
  followers: 500,
  perFollower: 20,
  keptEvents: 2_000,
  keptForMs: 120_000,
  beatMs: 20_000,
  wakeEveryMs: 100,
};

/** A chunk of a stream is some tens of KB. */
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

  function tell(followed: Followed, event: WorkspaceEvent): void {
    followed.append(event, now());
    followed.wakeTimer ??= setTimeout(() => {
      followed.wakeTimer = null;
      for (const listener of [...followed.listeners]) listener.wake();
    }, bounds.wakeEveryMs);
  }

  function admit(follower: string): void {
    if (closed) throw overloaded("This server is about to stop");
    if ((countOf.get(follower) ?? 0) >= bounds.perFollower) {
      const why = `You follow ${bounds.perFollower} event streams already: end one of them first.`;
      throw new Refusal("rate_limited", why, { retryAfterSeconds: 30 });
    }
    if (followers >= bounds.followers) throw overloaded("All event streams of this server are taken");
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
      if (followed) tell(followed, event);
    },
    resetAll: () => {
      for (const followed of channels.values()) tell(followed, { type: "reset" });
    },
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

/** One who comes back to a place that is not known here reads a reset, and then what comes. */
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
