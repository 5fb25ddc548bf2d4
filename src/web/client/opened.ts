// Which dialog of a page is open, as part of its address: so that going back closes it, and a link opens it.

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
    // A dialog that goes with its page tells that it closed too.
    if (!new URLSearchParams(window.location.search).has("open")) return;
    if (readKeptHere().isOpened) history.back();
    else goTo(addressWith("open", null), { replace: true });
  }, []);
  return { opened: query.get("open"), open, close };
}

/** This page's address with one part of its query set anew; null: without it. */
export function addressWith(name: string, value: string | null): string {
  const { pathname, search, hash } = window.location;
  const query = new URLSearchParams(search);
  if (value === null) query.delete(name);
  else query.set(name, value);
  return pathname + (query.size > 0 ? `?${query}` : "") + hash;
}
