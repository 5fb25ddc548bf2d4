// The latest events of one workspace, by position, so that a listener can resume or learn that it cannot. Positions
// belong to this process and channel. IDs from another process or from before a restart belong to another series and
// are never mistaken for positions here.

import { createSerialId, readSerialId } from "../../../platform/ids.ts";
import type { WorkspaceEvent } from "../contract.ts";

export type NumberedEvent = { readonly id: string; readonly event: WorkspaceEvent };

export type EventChannel = {
  readonly append: (event: WorkspaceEvent, nowMs: number) => void;
  /** The position after the newest event. */
  readonly end: () => number;
  /** The position after this event; undefined if the ID is unknown here. */
  readonly placeAfter: (id: string) => number | undefined;
  /** The ID for a position: that of the event before it. */
  readonly idAt: (place: number) => string;
  /** Up to `limit` events from a position; undefined if the first of them is no longer kept. */
  readonly read: (place: number, limit: number) => readonly NumberedEvent[] | undefined;
};

/** `kept`: the minimum number of events to keep. At most twice as many are held. */
export function createEventChannel(series: string, startedAt: number, kept: number): EventChannel {
  const events: NumberedEvent[] = [];
  /** The position of the oldest kept event. */
  let first = 0;
  let newestAt = startedAt;
  const end = () => first + events.length;
  const startId = createSerialId("event", startedAt, series, 0);
  let idBeforeFirst = startId;
  return {
    append: (event, nowMs) => {
      // IDs stay in order even if the clock is set back.
      newestAt = Math.max(newestAt, nowMs);
      events.push({ id: createSerialId("event", newestAt, series, end() + 1), event });
      if (events.length < 2 * kept) return;
      idBeforeFirst = events[kept - 1]?.id ?? startId;
      events.splice(0, kept);
      first += kept;
    },
    end,
    placeAfter: (id) => {
      const place = readSerialId("event", series, id);
      return place !== undefined && place >= first && place <= end() ? place : undefined;
    },
    idAt: (place) => (place === first ? idBeforeFirst : (events[place - first - 1]?.id ?? startId)),
    read: (place, limit) => (place < first ? undefined : events.slice(place - first, place - first + limit)),
  };
}
