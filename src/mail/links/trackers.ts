// Whether a picture counts the reader: first by its address, which names a service; then by what only a counter looks like.

import type { ComputedStyle } from "../html/computed-style.ts";
import { type Tracker, token, trackerByAddress } from "../urls/known-trackers.ts";
import type { WebAddress } from "../urls/web-address.ts";

type ImageContext = {
  readonly width: number | null;
  readonly height: number | null;
  readonly look: ComputedStyle;
  readonly alt: string | undefined;
  readonly isLinked: boolean;
  /** No picture follows. */
  readonly isLast: boolean;
};

/** A shorter one, which on a picture of one pixel is enough: "9f83ba1c", "482913". */
const shortToken = /\/(?=[\w-]{0,40}\d)(?:[0-9a-f-]{8,}|\d{5,})(?:\.\w{2,4})?$/i;

/** Wider or higher than this is a rule or a picture, not a counter. */
const maxCounterPx = 20;

export function trackerOf(address: WebAddress, shown: ImageContext): Tracker | null {
  const known = trackerByAddress(address);
  const seen = reasonsOf(shown);
  // A picture of some size may lie at a path that merely sounds like counting.
  const isPicture = (shown.width ?? 0) > maxCounterPx && (shown.height ?? 0) > maxCounterPx;
  if (known !== null && (known.service !== null || !isPicture))
    return { ...known, reasons: [...known.reasons, ...seen] };
  if (seen.length > 0 && hasToken(address, shown))
    return { service: null, confidence: "high", reasons: seen };
  return isUnmarked(shown) && token.test(address.query)
    ? {
        service: null,
        confidence: "low",
        reasons: ["is the last picture, has no text, no size and an address of its own"],
      }
    : null;
}

function hasToken({ query, path }: WebAddress, { width, height }: ImageContext): boolean {
  const isPixel = (width ?? 99) <= 2 && (height ?? 99) <= 2;
  return query !== "" || token.test(path) || (isPixel && shortToken.test(path));
}

function reasonsOf({ width, height, look }: ImageContext): string[] {
  const isLarge = (width ?? 0) > maxCounterPx || (height ?? 0) > maxCounterPx;
  const isTiny = (width ?? 99) <= 2 || (height ?? 99) <= 2;
  return [
    ...(isTiny && !isLarge ? [`is ${width ?? "?"}×${height ?? "?"} pixels`] : []),
    ...(isLarge && (width === 0 || height === 0) ? ["has no area"] : []),
    // What is hidden at its full size is for narrow screens.
    ...(look.hidden !== null && !isLarge ? [`is hidden (${look.hidden})`] : []),
  ];
}

function isUnmarked({ isLast, isLinked, alt, width, height }: ImageContext): boolean {
  return isLast && !isLinked && !alt && width === null && height === null;
}
