// What changes while it is looked at: read again soon after something happened, and not for every event of many.

import { useCallback, useEffect, useRef } from "preact/hooks";
import type { WorkspaceEvent } from "../../api/events.ts";
import { useEvents } from "./events.ts";

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
