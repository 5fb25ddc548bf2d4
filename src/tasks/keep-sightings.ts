import type { Sighting } from "../reports/sighting.ts";
import type { FolderMark } from "./mailbox-words.ts";

/** Keeps what a seed mailbox showed, and with it, in one transaction, up to where it was read. */
export type KeepSightings = (
  integrationId: string,
  sightings: readonly Sighting[],
  marks: readonly FolderMark[],
) => Promise<void>;
