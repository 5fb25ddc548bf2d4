import type { Image } from "../mail/images.ts";

/** Thinner than this it is a line or a gap. */
const thinPx = 2;

/** A picture that says something: seen, and neither a spacer, a line nor a tracking pixel. */
export function isContentPicture({ place, visible, isSpacer, tracking, width, height }: Image): boolean {
  if (place !== "img" || !visible || isSpacer || tracking !== null) return false;
  return (width ?? thinPx + 1) > thinPx && (height ?? thinPx + 1) > thinPx;
}

export function countPictures(count: number): string {
  return count === 1 ? "1 picture" : `${count} pictures`;
}
