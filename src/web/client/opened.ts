// The open dialog of a page is part of its URL: the back button closes it, and a link can open it.

import { useCallback } from "preact/hooks";
import { goTo, keepHere, readKeptHere, usePlace } from "./router.tsx";

type DialogState = {
  readonly opened: string | null;
  readonly open: (name: string) => void;
  readonly close: () => void;
};

export function useOpened(): DialogState {
  const { query } = usePlace();
  const open = useCallback((name: string) => {
    goTo(addressWith("open", name));
    keepHere({ isOpened: true });
  }, []);
  const close = useCallback(() => {
    // A dialog also reports that it closed when its page is left.
    if (!new URLSearchParams(window.location.search).has("open")) return;
    if (readKeptHere().isOpened) history.back();
    else goTo(addressWith("open", null), { replace: true });
  }, []);
  return { opened: query.get("open"), open, close };
}

/** This page's URL with one query parameter changed; null removes it. */
export function addressWith(name: string, value: string | null): string {
  const { pathname, search, hash } = window.location;
  const query = new URLSearchParams(search);
  if (value === null) query.delete(name);
  else query.set(name, value);
  return pathname + (query.size > 0 ? `?${query}` : "") + hash;
}
