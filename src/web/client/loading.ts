import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { messageOf, Trouble } from "./ask.ts";

export type Loaded<T> =
  | { readonly state: "loading"; readonly value: T | null }
  | { readonly state: "there"; readonly value: T }
  | { readonly state: "failed"; readonly value: T | null; readonly trouble: Trouble };

/** Reads again when `key` changes; what was there stays until the new comes. */
export function useLoaded<T>(
  key: string,
  read: (signal: AbortSignal) => Promise<T>,
  kept: T | null = null,
): { readonly loaded: Loaded<T>; readonly reload: () => void; readonly put: (value: T) => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading", value: kept });
  const running = useRef<AbortController | null>(null);
  const latest = useRef(read);
  latest.current = read;

  const load = useCallback((isQuiet: boolean) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    if (!isQuiet) setLoaded(({ value }) => ({ state: "loading", value }));
    latest.current(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setLoaded({ state: "there", value });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const trouble = error instanceof Trouble ? error : new Trouble(messageOf(error));
        setLoaded(({ value }) => ({ state: "failed", value, trouble }));
      },
    );
  }, []);

  useEffect(() => {
    setLoaded({ state: "loading", value: kept });
    load(false);
    return () => running.current?.abort();
  }, [key]);

  const reload = useCallback(() => load(true), [load]);
  const put = useCallback((value: T) => setLoaded({ state: "there", value }), []);
  return { loaded, reload, put };
}
