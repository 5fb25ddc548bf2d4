// Live events of the workspace. The browser resumes a lost stream after the last event. If the server ended the stream,
// it is reopened here, and listeners get a `reset` to read everything again.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { WorkspaceEvent } from "../../features/events/contract.ts";
import { addressOf, call } from "./call.ts";

type Listener = (event: WorkspaceEvent) => void;

const listeners = new Set<Listener>();
/** Called when the stream opens or breaks. */
const watchers = new Set<(isOpen: boolean) => void>();
let isOpen = false;
let stream: EventSource | null = null;
let waiting: ReturnType<typeof setTimeout> | undefined;
const reopenAfterMs = 5_000;

export function useEvents(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    if (stream === null) open();
    return () => {
      listeners.delete(listener);
      // The next page may subscribe right after this one leaves.
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
    noteOpen(true);
    if (isAgain) tell({ type: "reset" });
  };
  opened.onmessage = ({ data }) => tell(JSON.parse(data) as WorkspaceEvent);
  opened.onerror = () => {
    noteOpen(false);
    if (opened.readyState !== EventSource.CLOSED || stream !== opened) return;
    stream = null;
    waiting = setTimeout(() => {
      if (listeners.size === 0 || stream !== null) return;
      // A stream doesn't say why it was refused. If the session has ended, this call leads to the login page.
      void call("GET /api/me").catch(() => {});
      open(true);
    }, reopenAfterMs);
  };
}

function noteOpen(now: boolean): void {
  isOpen = now;
  for (const watcher of watchers) watcher(now);
}

/** False while events can't arrive, because the server or the network is away. */
export function useIsLive(): boolean {
  const [isLive, setLive] = useState(true);
  useEffect(() => {
    if (stream?.readyState === EventSource.OPEN) setLive(isOpen);
    watchers.add(setLive);
    return () => void watchers.delete(setLive);
  }, []);
  return isLive;
}

/** Every list on the page reads again. */
export function reloadAll(): void {
  tell({ type: "reset" });
}

function tell(event: WorkspaceEvent): void {
  for (const listener of listeners) listener(event);
}

// Data that changes while it is shown: it is read again soon after an event, and once for a burst of events.

/** Events often come in bursts. */
const restMs = 500;

/** `concerns` says whether an event may affect the data. It must be the same function each time. */
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
