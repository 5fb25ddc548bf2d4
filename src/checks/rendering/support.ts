import { clientMix } from "./client-mix.ts";
import { support } from "./client-support-table.ts";

export type Lacking = {
  /** The families that do not show it, the most used first. */
  readonly clients: readonly string[];
  /** In percent of all readers. */
  readonly share: number;
};

/** Who lacks a feature. What is partly supported, or not known, is not lacking. */
export function whoLacks(slug: string): Lacking {
  const verdicts = support.get(slug) ?? "";
  const lacking = clientMix.filter((_, at) => verdicts.charAt(at) === "n");
  return {
    clients: lacking.map(({ name }) => name),
    share: lacking.reduce((sum, { share }) => sum + share, 0),
  };
}
