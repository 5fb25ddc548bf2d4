// The rooms of the app, as the bar lists them, and where the addresses of earlier versions lead.

import moved from "./moved-pages.json" with { type: "json" };

type Room = {
  /** Where the bar leads. */
  readonly path: string;
  readonly label: string;
  /** Opens it after `g`. */
  readonly key: string;
  /** Its pages, if there are several, with their labels. */
  readonly tabs?: Readonly<Record<string, string>>;
  /** Other pages in it. */
  readonly also?: readonly string[];
};

const watched = { "/domains": "Domains", "/addresses": "Addresses", "/monitors": "Monitors", "/alerts": "Alerts" };
const feedback = { "/feedback": "Reports and sources", "/feedback/bounces": "Bounces and complaints" };

export const rooms: readonly Room[] = [
  { path: "/", label: "Home", key: "h" },
  { path: "/tests", label: "Tests", key: "t", tabs: { "/tests": "All tests", "/streams": "Streams" } },
  { path: "/domains", label: "Watch", key: "w", tabs: watched, also: ["/canaries/new"] },
  { path: "/feedback", label: "Feedback", key: "f", tabs: feedback },
  { path: "/settings", label: "Settings", key: "s", also: ["/integrations"] },
];

const isWithin = (path: string, page: string) => path === page || (page !== "/" && path.startsWith(`${page}/`));

export function roomAt(here: string): Room | undefined {
  return rooms.find(({ path, tabs = {}, also = [] }) =>
    [path, ...Object.keys(tabs), ...also].some((page) => isWithin(here, page)),
  );
}

/** Bookmarks and sent alerts have the addresses on the left, or people type them. */
export const movedPages: Readonly<Record<string, string>> = moved;
