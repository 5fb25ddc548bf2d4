// What a workspace learned from its own labeled mail, as it is sent and stored.

import { z } from "zod";
import { type Learned, lineBounds } from "../../../analyzer/placement/learned.ts";

const between = ({ min, max }: { readonly min: number; readonly max: number }) => z.number().min(min).max(max);
const messages = z.int().min(1).max(1_000_000);
const brier = z.number().min(0).max(1);

/** Without its time, which is the server's. */
export const learnedFields = {
  slope: between(lineBounds.slope),
  intercept: between(lineBounds.intercept),
  spam: messages,
  wanted: messages,
  brierBefore: brier,
  brierAfter: brier,
};

/** The latest that a date can show. */
const latest = 8_640_000_000_000_000;

const storedLearned = z.strictObject({ ...learnedFields, at: z.int().min(0).max(latest) });

/** Null for what no version could have stored. */
export function parseLearned(json: string | null): Learned | null {
  if (json === null) return null;
  try {
    return storedLearned.parse(JSON.parse(json));
  } catch {
    return null;
  }
}
