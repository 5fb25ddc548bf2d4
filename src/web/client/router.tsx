// Where the reader is, on the History API: every state has an address, the back button works, and a page that was left
// comes back where it stood.

import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";

type Route = { readonly path: string; readonly query: URLSearchParams; readonly hash: string };

const PlaceContext = createContext<Route>({ path: "/", query: new URLSearchParams(), hash: "" });
export const PlaceProvider = PlaceContext.Provider;
export const usePlace = () => useContext(PlaceContext);

const followers = new Set<() => void>();
/** How far down the place was when it was left; null: it is new. */
let restoredTop: number | null = null;

function readPlace(): Route {
  const { pathname, search, hash } = window.location;
  return { path: pathname, query: new URLSearchParams(search), hash };
}

/** What the browser keeps with each place. */
type HistoryState = {
  readonly top?: number;
  /** The place before it is ours too. */
  readonly isStep?: true;
  /** A dialog stands open over the place before it (client/opened.ts). */
  readonly isOpened?: true;
};

export function readKeptHere(): HistoryState {
  return (history.state ?? {}) as HistoryState;
}

export function keepHere(more: HistoryState): void {
  history.replaceState({ ...readKeptHere(), ...more }, "");
}

/** Without the part of it that the address names. */
const readPage = () => window.location.pathname + window.location.search;

/** `replace` leaves no step to go back to. */
export function goTo(address: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(history.state, "", address);
  else {
    keepHere({ top: window.scrollY });
    history.pushState({ isStep: true } satisfies HistoryState, "", address);
    restoredTop = null;
  }
  for (const follow of followers) follow();
}

/** To where the reader came from; a tab that began here has no such place. */
export function goBackOr(address: string): void {
  if (readKeptHere().isStep) history.back();
  else goTo(address);
}

export function useRouter(): Route {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    let page = readPage();
    const follow = () => {
      page = readPage();
      setPlace(readPlace());
    };
    const goBack = () => {
      restoredTop = readKeptHere().top ?? null;
      const isSamePage = page === readPage();
      follow();
      // A page that is shown already arrives nowhere anew.
      if (isSamePage) scrollWithin(window.location.hash);
    };
    followers.add(follow);
    history.scrollRestoration = "manual";
    window.addEventListener("popstate", goBack);
    document.addEventListener("click", followLink);
    return () => {
      followers.delete(follow);
      window.removeEventListener("popstate", goBack);
      document.removeEventListener("click", followLink);
    };
  }, []);
  return place;
}

/** A link to a page of ours is followed without loading anything; all others are the browser's own matter. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== window.location.origin || link.target !== "" || link.hasAttribute("download"))
    return;
  if (/^\/(api|docs|preview|s|assets)(\/|$)/.test(link.pathname)) return;
  if (link.pathname + link.search === readPage() && link.hash !== "") {
    keepHere({ top: window.scrollY });
    return;
  }
  event.preventDefault();
  goTo(link.pathname + link.search + link.hash);
}

/** Once what a page shows is there: to where it stood, to what its address names, or to its top. */
export function useArrival(isReady: boolean): void {
  const { path, hash } = usePlace();
  useEffect(() => {
    if (!isReady) return;
    if (!scrollWithin(hash)) window.scrollTo(0, 0);
    if (!document.activeElement || document.activeElement === document.body)
      document.getElementById("main")?.focus({ preventScroll: true });
  }, [isReady, path]);
}

/** To where the place stood, or to what it names; false: it says neither. */
function scrollWithin(hash: string): boolean {
  const top = restoredTop;
  restoredTop = null;
  const named = findNamed(hash);
  if (top !== null) window.scrollTo(0, top);
  else named?.scrollIntoView();
  return top !== null || named !== null;
}

/** Null for what names nothing, and for what anybody may have typed. */
function findNamed(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Assay" : `${title} · Assay`;
  }, [title]);
}
