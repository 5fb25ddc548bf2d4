// How each folder looks, and what it is called when it was seen and when it is only expected.

import type { IconName } from "../parts/icon.tsx";
import type { Tone } from "../parts/tone.tsx";
import type { Folder } from "./placement-row.ts";

type FolderLook = {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly predicted: string;
  readonly observed: string;
  /** Of senders of many messages; who they are follows. */
  readonly large: string;
};

const folderLooks: Readonly<Record<Folder, FolderLook>> = {
  inbox: {
    tone: "good",
    icon: "inbox",
    predicted: "Likely inbox",
    observed: "In the inbox",
    large: "likely inbox",
  },
  promotions: {
    tone: "info",
    icon: "promotions",
    predicted: "Likely Promotions",
    observed: "Under Promotions",
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
  predicted: "Not known",
  observed: "Not known",
  large: "not known",
};

/** A newer server may know others. */
export function toFolderLook(folder: string): FolderLook {
  return Object.hasOwn(folderLooks, folder) ? folderLooks[folder as Folder] : unknownLook;
}
