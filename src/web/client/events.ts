// What happens in the workspace, as it happens. The browser itself takes a lost stream up again behind the last event; one
// that the server ended is opened anew, and whoever listens is told to read again.

import { useCallback, useEffect, useRef } from "preact/hooks";
import type { WorkspaceEvent } from "../../api/events.ts";
import { addressOf, call } from "./call.ts";

type Listener = (event: WorkspaceEvent) => void;

const listeners = new Set<Listener>();
let stream: EventSource | null = null;
let waiting: ReturnType<typeof setTimeout> | undefined;
const reopenAfterMs = 5_000;

export function useEvents(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    if (stream === null) open();
    return () => {
      listeners.delete(listener);
      // A page that follows takes the place of one that goes.
      setTimeout(() => {
        if (listeners.size === 0) closeEvents();
      });
    };
  }, [listener]);
}

export function closeEvents(): void {
  clearTimeout(waiting);
  stream?.close();
  stream = null;
}

function open(isAgain = false): void {
  const opened = new EventSource(addressOf("/api/events"));
  stream = opened;
  opened.onopen = () => {
    if (isAgain) tell({ type: "reset" });
  };
  opened.onmessage = ({ data }) => tell(JSON.parse(data) as WorkspaceEvent);
  opened.onerror = () => {
    if (opened.readyState !== EventSource.CLOSED || stream !== opened) return;
    stream = null;
    waiting = setTimeout(() => {
      if (listeners.size === 0 || stream !== null) return;
      // A stream does not say why it was refused: where nobody is logged in any more, this leads to the log-in.
      void call("GET /api/me").catch(() => {});
      open(true);
    }, reopenAfterMs);
  };
}

function tell(event: WorkspaceEvent): void {
  for (const listener of listeners) listener(event);
}

// What changes while it is looked at: read again soon after something happened, and not for every event of many.

/** Many may come at once. */
const restMs = 500;

/** `concerns` says whether an event may have changed what was read, and must be the same function each time. */
export function useLiveReload(reload: () => void, concerns: (event: WorkspaceEvent) => boolean): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEvents(
    useCallback(
      (event) => {
        if (!concerns(event) && event.type !== "reset") return;
        timer.current ??= setTimeout(() => {
          timer.current = undefined;
          reload();
        }, restMs);
      },
      [reload, concerns],
    ),
  );
}
