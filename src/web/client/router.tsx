// Where the reader is, on the History API: every state has an address, the back button works, and a page that was left
// comes back where it stood.

import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";

export type Place = { readonly path: string; readonly query: URLSearchParams; readonly hash: string };

const PlaceContext = createContext<Place>({ path: "/", query: new URLSearchParams(), hash: "" });
export const PlaceProvider = PlaceContext.Provider;
export const usePlace = () => useContext(PlaceContext);

const followers = new Set<() => void>();
/** How far down the place was when it was left; null: it is new. */
let restoredTop: number | null = null;

function readPlace(): Place {
  const { pathname, search, hash } = window.location;
  return { path: pathname, query: new URLSearchParams(search), hash };
}

/** `replace` leaves no step to go back to. */
export function goTo(address: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(history.state, "", address);
  else {
    history.replaceState({ top: window.scrollY }, "");
    history.pushState(null, "", address);
    restoredTop = null;
  }
  for (const follow of followers) follow();
}

export function useRouter(): Place {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const follow = () => setPlace(readPlace());
    const goBack = ({ state }: PopStateEvent) => {
      restoredTop = (state as { readonly top?: number } | null)?.top ?? null;
      follow();
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
  const isSamePage = link.pathname === window.location.pathname && link.search === window.location.search;
  if (isSamePage && link.hash !== "") return;
  event.preventDefault();
  goTo(link.pathname + link.search + link.hash);
}

/** Once what a page shows is there: to where it stood, to what its address names, or to its top. */
export function useArrival(isReady: boolean): void {
  const { path, hash } = usePlace();
  useEffect(() => {
    if (!isReady) return;
    const named = findNamed(hash);
    if (restoredTop !== null) window.scrollTo(0, restoredTop);
    else if (named) named.scrollIntoView();
    else window.scrollTo(0, 0);
    if (!document.activeElement || document.activeElement === document.body)
      document.getElementById("main")?.focus({ preventScroll: true });
    restoredTop = null;
  }, [isReady, path]);
}

function findNamed(hash: string): HTMLElement | null {
  try {
    return hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  } catch {
    // What is no encoding names nothing.
    return null;
  }
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Assay" : `${title} · Assay`;
  }, [title]);
}
