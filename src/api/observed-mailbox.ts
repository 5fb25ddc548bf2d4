// Where one seed mailbox has a test's message, and what its server says of it.

import { z } from "zod";
import { type AwaitedMailbox, type Observation, toObservedWords } from "../reports/observation.ts";
import { comparedMechanisms, type OurWords, toDifferences } from "../reports/receiver-verdicts.ts";
import { matches, observedFolders } from "../reports/sighting.ts";
import { timestamp, toTimestamp } from "./primitives.ts";

const place = {
  folder: z.enum(observedFolders),
  folder_name: z.string().describe("The folder's own name, or Gmail's category."),
  seen_at: timestamp.describe("When we saw it there first."),
};

const difference = z.strictObject({
  mechanism: z.enum(comparedMechanisms),
  ours: z.string(),
  theirs: z.string(),
});

export const observedMailbox = z
  .strictObject({
    account: z.string(),
    folder: z
      .enum([...observedFolders, "pending", "missing"])
      .describe("pending: not seen yet. missing: not seen within an hour. Neither counts in the rates."),
    folder_name: place.folder_name.nullable(),
    seen_at: place.seen_at.nullable(),
    delay_ms: z
      .number()
      .nullable()
      .describe(
        "From our receipt to the mailbox's, which most servers tell in whole seconds; it may be below 0.",
      ),
    matched_by: z.enum(matches).nullable().describe("How it was known to be this test's."),
    candidates: z.int().nullable().describe("Tests that fitted as well; the nearest in time was taken."),
    moved: z.array(z.strictObject(place)).describe("Where it was before, the oldest first."),
    authentication_results: z.array(z.string()).describe("As the receiver wrote them, the topmost first."),
    headers: z
      .array(z.strictObject({ name: z.string(), value: z.string() }))
      .describe("Others of the receiver's."),
    differs: z.array(difference).describe("Where the receiver's own verdicts differ from ours."),
  })
  .meta({ id: "ObservedMailbox" });

type ObservedMailbox = z.infer<typeof observedMailbox>;

/** With what it tells in plain sentences. */
export function toObservedMailbox(
  seen: Observation,
  ours: OurWords,
): { readonly mailbox: ObservedMailbox; readonly says: readonly string[] } {
  const { candidates, moves, authenticationResults, headers } = seen.evidence;
  const differs = toDifferences(ours, authenticationResults);
  const mailbox = {
    account: seen.account,
    ...toPlace(seen),
    delay_ms: seen.delayMs,
    matched_by: seen.matchedBy,
    candidates,
    moved: moves.map(toPlace),
    authentication_results: [...authenticationResults],
    headers: headers.map(({ name, value }) => ({ name, value })),
    differs: [...differs],
  };
  return { mailbox, says: toObservedWords(seen, differs) };
}

function toPlace({ folder, folderName, seenAt }: Pick<Observation, "folder" | "folderName" | "seenAt">) {
  return { folder, folder_name: folderName, seen_at: toTimestamp(seenAt) };
}

export function toAwaitedMailbox({ account, state }: AwaitedMailbox): ObservedMailbox {
  const unknown = { folder_name: null, seen_at: null, delay_ms: null, matched_by: null, candidates: null };
  const nothing = { moved: [], authentication_results: [], headers: [], differs: [] };
  return { account, folder: state, ...unknown, ...nothing };
}
