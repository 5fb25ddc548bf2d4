// The last events of one workspace, each with its place, so that a listener can go on where it was or learn that it
// cannot. Places are of this process and this channel alone: an id that another process gave, or that was given before
// a restart, is of another series, and never taken for a place here.

import type { WorkspaceEvent } from "../../api/events.ts";
import { createSerialId, readSerialId } from "../../ids.ts";

export type NumberedEvent = { readonly id: string; readonly event: WorkspaceEvent };

export type EventChannel = {
  readonly append: (event: WorkspaceEvent, nowMs: number) => void;
  /** Behind the newest event. */
  readonly end: () => number;
  /** Behind the event of this id; undefined when that is not known here. */
  readonly placeAfter: (id: string) => number | undefined;
  /** The id that stands for a place: of the event before it. */
  readonly idAt: (place: number) => string;
  /** From that place on, at most `limit`; undefined once the first of them is no longer kept. */
  readonly read: (place: number, limit: number) => readonly NumberedEvent[] | undefined;
};

/** `kept`: at least so many events; twice as many are there at most. */
export function createEventChannel(series: string, startedAt: number, kept: number): EventChannel {
  const told: NumberedEvent[] = [];
  /** The place of the first that is kept. */
  let first = 0;
  let newestAt = startedAt;
  const end = () => first + told.length;
  const startId = createSerialId("event", startedAt, series, 0);
  let idBeforeFirst = startId;
  return {
    append: (event, nowMs) => {
      // A clock that is set back does not put ids out of order.
      newestAt = Math.max(newestAt, nowMs);
      told.push({ id: createSerialId("event", newestAt, series, end() + 1), event });
      if (told.length < 2 * kept) return;
      idBeforeFirst = told[kept - 1]?.id ?? startId;
      told.splice(0, kept);
      first += kept;
    },
    end,
    placeAfter: (id) => {
      const place = readSerialId("event", series, id);
      return place !== undefined && place >= first && place <= end() ? place : undefined;
    },
    idAt: (place) => (place === first ? idBeforeFirst : (told[place - first - 1]?.id ?? startId)),
    read: (place, limit) => (place < first ? undefined : told.slice(place - first, place - first + limit)),
  };
}
