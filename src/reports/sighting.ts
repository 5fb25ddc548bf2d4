// A message as a seed mailbox has it, and how it is told that it is a test's.

import type { Folder } from "../placement/provider.ts";

/** What stands in a mailbox was taken, so that it is never "rejected". */
export const observedFolders = ["inbox", "promotions", "spam"] as const satisfies readonly Folder[];
export type ObservedFolder = (typeof observedFolders)[number];

/** The surest first. */
export const matches = ["assay-id", "body-token", "message-id", "from-and-subject"] as const;
export type MatchedBy = (typeof matches)[number];

/** What the receiver wrote above the message: its own verdicts, cut. */
export type SightingEvidence = {
  readonly authenticationResults: readonly string[];
  readonly headers: readonly { readonly name: string; readonly value: string }[];
};

export type Sighting = {
  readonly folder: ObservedFolder;
  /** The folder's own name, or Gmail's category. */
  readonly folderName: string;
  /** When the mailbox took it (INTERNALDATE). */
  readonly arrivedAt: number;
  /** Of X-Assay-Id; anybody may have written them. */
  readonly assayIds: readonly string[];
  /** `assay-…` in the body. */
  readonly bodyTokens: readonly string[];
  /** Without angle brackets. */
  readonly messageId: string | null;
  /** The first address of From, in lower case. */
  readonly from: string | null;
  readonly subject: string | null;
  readonly evidence: SightingEvidence;
};
