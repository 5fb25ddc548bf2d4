// What happens to domains while their pages are open.

import { useCallback, useEffect, useRef } from "preact/hooks";
import type { WorkspaceEvent } from "../../api/events.ts";
import { useEvents } from "../client/events.ts";
import { useLoaded } from "../client/loading.ts";

/** A sweep tells of many at once; nothing is read again oftener than this. */
const restMs = 500;

export function useReloadOn(isOurs: (event: WorkspaceEvent) => boolean, reload: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEvents(
    useCallback(
      (event) => {
        if (event.type !== "reset" && !isOurs(event)) return;
        timer.current ??= setTimeout(() => {
          timer.current = undefined;
          reload();
        }, restMs);
      },
      [isOurs, reload],
    ),
  );
}

/** Reads again, without a word, once the domain was checked anew. */
export function useLoadedSince<T>(
  key: string,
  checkedAt: string | null,
  read: (signal: AbortSignal) => Promise<T>,
) {
  const { loaded, reload } = useLoaded(key, read);
  const known = useRef(checkedAt);
  useEffect(() => {
    if (known.current === checkedAt) return;
    known.current = checkedAt;
    reload();
  }, [checkedAt, reload]);
  return { loaded, reload };
}
