// Services that count opens with an image. Each has an example of such an address and one that doesn't match; a test
// runs them. Paths are patterns without regard to case, where {part} is one part of a path.
// They are anchored at the path's beginning, so that each is tried at one place only. The locations of
// each service's images come from MailTrackerBlocker (BSD-3-Clause) and the services' own messages.

import type { AddressPattern } from "./patterns.ts";
import rows from "./trackers.json" with { type: "json" };

type TrackerRow = AddressPattern & {
  readonly service: string;
  /** A tracking image of the service. */
  readonly fires: string;
  /** A similar address that isn't a tracking image. */
  readonly quiet: string;
};

const part = "[^/?#]{1,300}";
const from = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll("{part}", part)}`, "i");

/** Rows with hosts come first, because they are more specific. */
export const trackers: readonly TrackerRow[] = rows.map(({ path, ...row }) =>
  path === undefined ? row : { ...row, path: from(path) },
);

/** Paths that count opens on any host if a token or a query follows. */
export const openingPath =
  /^\/(?:[\w-]{1,40}\/){0,4}?(?:open|opens|opened|o|track|trk|tracking|beacon|pixel|px|wf\/open|e\/o|e2t|imp|impression|view\.gif|open\.(?:aspx|php|gif|png))(?:[/?.]|$)/i;
