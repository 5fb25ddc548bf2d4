// The router, on the History API: every state has a URL, the back button works, and a page that was left returns to its
// scroll position.

import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { movedPages } from "./rooms.ts";

type Route = { readonly path: string; readonly query: URLSearchParams; readonly hash: string };

const PlaceContext = createContext<Route>({ path: "/", query: new URLSearchParams(), hash: "" });
export const PlaceProvider = PlaceContext.Provider;
export const usePlace = () => useContext(PlaceContext);

const followers = new Set<() => void>();
/** The scroll position to restore; null on a new visit. */
let restoredTop: number | null = null;

function readPlace(): Route {
  leadOn();
  const { pathname, search, hash } = window.location;
  return { path: pathname, query: new URLSearchParams(search), hash };
}

/** From an address of an earlier version. The query stays, and the hash unless the new address has one. */
function leadOn(): void {
  const { pathname, search, hash } = window.location;
  const [page, section = ""] = movedPages[pathname]?.split("#") ?? [];
  if (page === undefined) return;
  history.replaceState(history.state, "", page + search + (section === "" ? hash : `#${section}`));
}

/** Stored with each history entry. */
type HistoryState = {
  readonly top?: number;
  /** The entry before it belongs to the app too. */
  readonly isStep?: true;
  /** A dialog is open over the previous entry (client/opened.ts). */
  readonly isOpened?: true;
};

export function readKeptHere(): HistoryState {
  return (history.state ?? {}) as HistoryState;
}

export function keepHere(more: HistoryState): void {
  history.replaceState({ ...readKeptHere(), ...more }, "");
}

/** Without the hash. */
const readPage = () => window.location.pathname + window.location.search;

/** `replace` adds no history entry. */
export function goTo(address: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(history.state, "", address);
  else {
    keepHere({ top: window.scrollY });
    history.pushState({ isStep: true } satisfies HistoryState, "", address);
    restoredTop = null;
  }
  for (const follow of followers) follow();
}

/** Goes back, or to `address` in a tab that started here. */
export function goBackOr(address: string): void {
  if (readKeptHere().isStep) history.back();
  else goTo(address);
}

export function useRouter(): Route {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    let page = readPage();
    const follow = () => {
      setPlace(readPlace());
      page = readPage();
    };
    const goBack = () => {
      restoredTop = readKeptHere().top ?? null;
      const isSamePage = page === readPage();
      follow();
      // The same page doesn't arrive again, so it scrolls here.
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

/** Links to pages of the app change the page without a reload. The browser follows all others. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== window.location.origin || link.target !== "" || link.hasAttribute("download")) return;
  if (/^\/(api|docs|preview|s|assets)(\/|$)/.test(link.pathname)) return;
  if (link.pathname + link.search === readPage() && link.hash !== "") {
    keepHere({ top: window.scrollY });
    return;
  }
  event.preventDefault();
  goTo(link.pathname + link.search + link.hash);
}

/** When the content is loaded: scrolls to the old position, to the target of the hash, or to the top. */
export function useArrival(isReady: boolean): void {
  const { path, hash } = usePlace();
  useEffect(() => {
    if (!isReady) return;
    if (!scrollWithin(hash)) window.scrollTo(0, 0);
    if (!document.activeElement || document.activeElement === document.body)
      document.getElementById("main")?.focus({ preventScroll: true });
  }, [isReady, path]);
}

/** Scrolls to the old position or to the hash; false if there is neither. */
function scrollWithin(hash: string): boolean {
  const top = restoredTop;
  restoredTop = null;
  const named = findNamed(hash);
  if (top !== null) window.scrollTo(0, top);
  else named?.scrollIntoView();
  return top !== null || named !== null;
}

/** Null if the hash matches no element or can't be decoded. */
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
