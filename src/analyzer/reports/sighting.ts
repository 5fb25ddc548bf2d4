// A message in a seed mailbox, and how it is matched to a test.

import type { Folder } from "../placement/provider.ts";

/** A message in a mailbox was accepted, so it is never "rejected". */
export const observedFolders = ["inbox", "promotions", "spam"] as const satisfies readonly Folder[];
export type ObservedFolder = (typeof observedFolders)[number];

/** The most certain first. own-copy: the test was read from that mailbox. */
export const matches = ["own-copy", "assay-id", "body-token", "message-id", "from-and-subject"] as const;
export type MatchedBy = (typeof matches)[number];

/** Verdicts that the receiver added above the message, shortened. */
export type SightingEvidence = {
  readonly authenticationResults: readonly string[];
  readonly headers: readonly { readonly name: string; readonly value: string }[];
};

export type Sighting = {
  /** The test that was made of this very copy. */
  readonly testId?: string;
  readonly folder: ObservedFolder;
  /** The folder's name, or Gmail's category. */
  readonly folderName: string;
  /** When the mailbox received it (INTERNALDATE). */
  readonly arrivedAt: number;
  /** From X-Assay-Id headers. Anyone may have written them. */
  readonly assayIds: readonly string[];
  /** `assay-…` in the body. */
  readonly bodyTokens: readonly string[];
  /** Without angle brackets. */
  readonly messageId: string | null;
  /** The first address in From, in lowercase. */
  readonly from: string | null;
  readonly subject: string | null;
  readonly evidence: SightingEvidence;
};
