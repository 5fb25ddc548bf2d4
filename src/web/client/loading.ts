import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { messageOf, Trouble } from "./call.ts";

export type LoadState<T> =
  | { readonly state: "loading"; readonly value: T | null }
  | { readonly state: "there"; readonly value: T }
  | { readonly state: "failed"; readonly value: T | null; readonly trouble: Trouble };

/**
 * Reads again when `key` changes and keeps the old value until then. A reload during a read waits for that read:
 * otherwise frequent events would abort every read before it ends.
 */
export function useLoaded<T>(
  key: string,
  read: (signal: AbortSignal) => Promise<T>,
  kept: T | null = null,
): { readonly loaded: LoadState<T>; readonly reload: () => void; readonly put: (value: T) => void } {
  const [loaded, setLoaded] = useState<LoadState<T>>({ state: "loading", value: kept });
  const running = useRef<AbortController | null>(null);
  const isOutdated = useRef(false);
  const latest = useRef(read);
  latest.current = read;

  const load = useCallback((isQuiet: boolean) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    isOutdated.current = false;
    const settle = (next: (known: LoadState<T>) => LoadState<T>) => {
      if (controller.signal.aborted) return;
      running.current = null;
      setLoaded(next);
      if (isOutdated.current) load(true);
    };
    if (!isQuiet) setLoaded(({ value }) => ({ state: "loading", value }));
    latest.current(controller.signal).then(
      (value) => settle(() => ({ state: "there", value })),
      (error: unknown) => {
        const trouble = error instanceof Trouble ? error : new Trouble(messageOf(error));
        settle(({ value }) => ({ state: "failed", value, trouble }));
      },
    );
  }, []);

  useEffect(() => {
    setLoaded({ state: "loading", value: kept });
    load(false);
    return () => running.current?.abort();
  }, [key]);

  const reload = useCallback(() => {
    if (running.current === null) load(true);
    else isOutdated.current = true;
  }, [load]);
  const put = useCallback(
    (value: T) => {
      setLoaded({ state: "there", value });
      // The read in progress started before this value existed.
      if (running.current !== null) load(true);
    },
    [load],
  );
  return { loaded, reload, put };
}

/** Reloads quietly after the domain was checked again. */
export function useLoadedSince<T>(key: string, checkedAt: string | null, read: (signal: AbortSignal) => Promise<T>) {
  const { loaded, reload } = useLoaded(key, read);
  const known = useRef(checkedAt);
  useEffect(() => {
    if (known.current === checkedAt) return;
    known.current = checkedAt;
    reload();
  }, [checkedAt, reload]);
  return { loaded, reload };
}

/** Only while the tab is visible. */
export function useRepeat(isWanted: boolean, act: () => void, everyMs: number): void {
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(() => {
      if (!document.hidden) act();
    }, everyMs);
    return () => clearInterval(timer);
  }, [isWanted, act, everyMs]);
}
