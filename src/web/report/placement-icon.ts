// The icon, color and names of each folder, predicted and observed.

import type { IconName } from "../parts/icon.tsx";
import type { Tone } from "../parts/tone.tsx";
import { type Folder, isOpen, type PlacementRow } from "./placement-row.ts";

type FolderLook = {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly predicted: string;
  readonly observed: string;
  /** Prediction for bulk senders. The condition follows, such as "if you send 5,000+ a day". */
  readonly large: string;
};

const folderLooks: Readonly<Record<Folder, FolderLook>> = {
  inbox: { tone: "good", icon: "inbox", predicted: "Likely inbox", observed: "In the inbox", large: "likely inbox" },
  promotions: {
    tone: "info",
    icon: "promotions",
    predicted: "Likely Promotions",
    observed: "In Promotions",
    large: "likely Promotions",
  },
  spam: { tone: "major", icon: "spam", predicted: "Likely spam", observed: "In spam", large: "likely spam" },
  rejected: {
    tone: "critical",
    icon: "rejected",
    predicted: "Likely rejected",
    observed: "Rejected",
    large: "likely rejected",
  },
  pending: {
    tone: "unknown",
    icon: "unknown",
    predicted: "Not seen yet",
    observed: "Not seen yet",
    large: "not seen yet",
  },
  missing: {
    tone: "major",
    icon: "major",
    predicted: "Not seen within an hour",
    observed: "Not seen within an hour",
    large: "not seen within an hour",
  },
};

const unknownLook: FolderLook = {
  tone: "unknown",
  icon: "unknown",
  predicted: "Unknown",
  observed: "Unknown",
  large: "unknown",
};

/** A newer server may send folders that this page doesn't know. */
export function toFolderLook(folder: string): FolderLook {
  return Object.hasOwn(folderLooks, folder) ? folderLooks[folder as Folder] : unknownLook;
}

/** A prediction between inbox and spam names neither. */
export function toRowLook(row: PlacementRow): FolderLook {
  return isOpen(row)
    ? { ...folderLooks.spam, tone: "minor", icon: "minor", predicted: "Inbox or spam" }
    : toFolderLook(row.folder);
}
