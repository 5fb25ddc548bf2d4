import { toVisibleCut } from "../visible-text.ts";

/** A stranger's bytes (one character each), to be read by a person: in quotation marks, safe to show, cut. */
export function quoteBytes(text: string): string {
  return `"${toVisibleCut(Buffer.from(text.slice(0, 1_000), "latin1").toString("utf8"), 80)}"`;
}
