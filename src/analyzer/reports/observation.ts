// Where a seed mailbox has the message of a test, as stored and shown.

import { type Folder, isEitherWay, type Placement } from "../placement/provider.ts";
import type { Difference } from "./receiver-verdicts.ts";
import type { MatchedBy, ObservedFolder, SightingEvidence } from "./sighting.ts";

/** An earlier folder of the message. */
type EarlierPlace = { readonly folder: ObservedFolder; readonly folderName: string; readonly seenAt: number };

export type ObservationEvidence = SightingEvidence & {
  /** Evidence that distinguishes it from a similar message. */
  readonly messageId: string | null;
  readonly arrivedAt: number;
  /** Number of matching tests. */
  readonly candidates: number;
  /** Oldest first. */
  readonly moves: readonly EarlierPlace[];
};

export type Observation = EarlierPlace & {
  /** A provider, or `imap:<account>`. */
  readonly provider: string;
  readonly account: string;
  /** Below 0: its copy arrived before ours. Null if ours did not arrive over SMTP. */
  readonly delayMs: number | null;
  readonly matchedBy: MatchedBy;
  readonly evidence: ObservationEvidence;
};

/** A seed mailbox that has not shown the message. */
export type AwaitedMailbox = {
  readonly provider: string;
  readonly account: string;
  readonly state: "pending" | "missing";
};

/** Everything that seed mailboxes show about a test. */
export type SeenInMailboxes = {
  readonly observations: readonly Observation[];
  readonly awaited: readonly AwaitedMailbox[];
};

export const nothingSeen: SeenInMailboxes = { observations: [], awaited: [] };

export function toObservedProvider(mailbox: {
  readonly seed_provider: string | null;
  readonly account: string;
}): string {
  return mailbox.seed_provider ?? `imap:${mailbox.account}`;
}

// Seed mailboxes without the test's message: pending for an hour, then missing. A mailbox that could not be read during
// that time says nothing.

type MailboxState = {
  readonly id: string;
  readonly account: string;
  readonly seed_provider: string | null;
  readonly connected_at: number;
  /** The integration of the mailbox. */
  readonly status: string;
  readonly status_since: number;
};

export function toAwaited(
  mailboxes: readonly MailboxState[],
  seenBy: ReadonlySet<string>,
  { receivedAt, now, waitMs }: { readonly receivedAt: number; readonly now: number; readonly waitMs: number },
): AwaitedMailbox[] {
  const ends = receivedAt + waitMs;
  const couldLook = ({ status, status_since }: MailboxState) => status === "connected" || status_since > ends;
  return mailboxes
    .filter(({ id, connected_at }) => connected_at <= receivedAt && !seenBy.has(id))
    .filter((mailbox) => now < ends || couldLook(mailbox))
    .map((mailbox) => ({
      provider: toObservedProvider(mailbox),
      account: mailbox.account,
      state: now < ends ? "pending" : "missing",
    }));
}

// An observation as sentences.

const matchWords: Readonly<Record<Exclude<MatchedBy, "own-copy">, string>> = {
  "assay-id": "its X-Assay-Id",
  "body-token": "the token in its body",
  "message-id": "its Message-ID",
  "from-and-subject": "its sender and subject",
};

export function toObservedWords(seen: Observation, differs: readonly Difference[]): string[] {
  const { account, folderName, delayMs, matchedBy, evidence } = seen;
  const { candidates, moves } = evidence;
  const when = delayMs === null ? "" : ` (received ${toDelay(delayMs)})`;
  return [
    `In ${account}, the message is in "${folderName}"${when}. ${toMatchWords(matchedBy)}`,
    ...moves.map((earlier) => `In ${account}, the message was first in "${earlier.folderName}" and was then moved.`),
    ...(candidates > 1 ? [`${candidates} tests match this message in ${account}. The closest in time was used.`] : []),
    ...differs.map(
      ({ mechanism, ours, theirs }) =>
        `The mail server for ${account} reports ${mechanism}=${theirs}, but Assay found ${ours}.`,
    ),
  ];
}

function toMatchWords(matchedBy: MatchedBy): string {
  return matchedBy === "own-copy" ? "This test was read from there." : `It was matched by ${matchWords[matchedBy]}.`;
}

function toDelay(delayMs: number): string {
  const seconds = Math.round(Math.abs(delayMs) / 1_000);
  if (seconds === 0) return "at the same time as Assay's copy";
  const length = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${length} ${delayMs < 0 ? "before" : "after"} Assay's copy`;
}

// Predictions, replaced by observations where there are any: where a test counts as placed, for each provider. Rates,
// sums and report rows all use it, so that a later analysis never loses an observation.

/** `open`: predicted between inbox and spam. Counting it as one of the two would claim more than is known. */
export type Place = Folder | "open";

export type Predicted = { readonly provider: string; readonly folder: Place };
export type PlacedAt = Predicted & { readonly isObserved: boolean };

export function toPredicted(placement: Placement | null): Predicted[] {
  const predictions = placement?.predictions ?? [];
  return predictions.map(({ provider, folder, odds }) => ({ provider, folder: isEitherWay(odds) ? "open" : folder }));
}

type Observed = { readonly provider: string; readonly folder: ObservedFolder };

/** In the order of the predictions, then providers without a prediction. */
export function toPlaced(predicted: readonly Predicted[], observed: readonly Observed[]): PlacedAt[] {
  const seen = Map.groupBy(observed, ({ provider }) => provider);
  const folderAt = (provider: string) => toMajority((seen.get(provider) ?? []).map(({ folder }) => folder))?.folder;
  const others = [...seen.keys()].filter((name) => predicted.every(({ provider }) => provider !== name));
  return [
    ...predicted.map(({ provider, folder }) => ({
      provider,
      folder: folderAt(provider) ?? folder,
      isObserved: seen.has(provider),
    })),
    ...others.sort().flatMap((provider) => {
      const folder = folderAt(provider);
      return folder ? [{ provider, folder, isObserved: true }] : [];
    }),
  ];
}

const worstFirst: readonly ObservedFolder[] = ["spam", "promotions", "inbox"];

/** The most common folder; a tie goes to the worse one. Null without any. */
export function toMajority(
  folders: readonly ObservedFolder[],
): { readonly folder: ObservedFolder; readonly share: number } | null {
  const count = (folder: ObservedFolder) => folders.filter((one) => one === folder).length;
  const [folder] = [...worstFirst].sort((left, right) => count(right) - count(left));
  return folder && folders.length > 0 ? { folder, share: count(folder) / folders.length } : null;
}
