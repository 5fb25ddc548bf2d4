// What a receiver recorded about a message that somebody saved: its Authentication-Results, and the client that its
// Received header names. Anyone may write such headers, so only those count that stand in the block that the named
// receiver put on top: above, and with, the Received header by which the message came in from outside. What is below that
// header may be the sender's. A receiver that writes its results below it (Gmail) says the same in its ARC header above.

import { parseRecordedResults, type RecordedResult } from "./authentication-results.ts";
import type { HeaderField, HeaderSection } from "./header-fields.ts";
import { parseReceived, type ReceivedStamp } from "./received.ts";
import type { SmtpSession } from "./session.ts";

export type Recorded = {
  /** As the person named it. */
  readonly by: string;
  readonly clientAddress: string | null;
  readonly helo: string | null;
  /** From Return-Path; empty for the null one. */
  readonly mailFrom: string | null;
  readonly results: readonly RecordedResult[];
};

/** What the person said of the session comes first. */
export function toRecordedSession(session: SmtpSession, recorded: Recorded | null): SmtpSession {
  if (recorded === null) return session;
  const { clientAddress, helo, mailFrom } = recorded;
  return {
    ...session,
    clientAddress: session.clientAddress ?? clientAddress,
    helo: session.helo ?? helo,
    mailFrom: session.mailFrom ?? mailFrom,
  };
}

const maxTrusted = 10;
const maxFieldsRead = 300;

export function readRecorded(section: HeaderSection, trusted: readonly string[]): Recorded | null {
  const names = trusted.slice(0, maxTrusted).map((name) => name.toLowerCase());
  if (names.length === 0) return null;
  const nameOf = (host: string | null) => findTrusted(names, host);
  const { block, border } = readTopBlock(section.fields.slice(0, maxFieldsRead), nameOf);
  const stamp = border === null ? null : { by: nameOf(border.by), ...toClient(border) };
  const stated = block.flatMap(({ key, value }) => {
    if (key !== "authentication-results" && key !== "arc-authentication-results") return [];
    const { authservId, results } = parseRecordedResults(value);
    // Outlook.com leaves its name out; in the block of a trusted server the field is that server's.
    const by = authservId === null ? (stamp?.by ?? null) : nameOf(authservId);
    return by === null ? [] : [{ by, isArc: key.startsWith("arc-"), results }];
  });
  const [chosen] = [...stated].sort((one, other) => Number(one.isArc) - Number(other.isArc));
  const by = stamp?.by ?? chosen?.by ?? null;
  if (by === null) return null;
  return {
    by,
    clientAddress: stamp?.by || chosen ? (stamp?.clientAddress ?? null) : null,
    helo: stamp?.helo ?? null,
    mailFrom: toReturnPath(block),
    results: stated.filter(({ isArc }) => isArc === chosen?.isArc).flatMap(({ results }) => results),
  };
}

type TopBlock = { readonly block: readonly HeaderField[]; readonly border: ReceivedStamp | null };

/**
 * Down to the first Received header with a client on the public internet: lines of hand-overs inside the receiver's
 * network are passed, and so is one whose client is itself a trusted host, by its name in DNS. Without such a header
 * nothing tells where the sender's own begin, and nothing is trusted.
 */
function readTopBlock(
  fields: readonly HeaderField[],
  nameOf: (host: string | null) => string | null,
): TopBlock {
  for (const [index, { key, value }] of fields.entries()) {
    if (key !== "received") continue;
    const stamp = parseReceived(value);
    if (stamp.reach !== "public" || nameOf(stamp.name) !== null) continue;
    return { block: fields.slice(0, index), border: stamp };
  }
  return { block: [], border: null };
}

/** The host itself, or one below it. */
function findTrusted(names: readonly string[], host: string | null): string | null {
  const given = host?.toLowerCase().replace(/\.$/, "") ?? "";
  return names.find((name) => given === name || given.endsWith(`.${name}`)) ?? null;
}

function toClient({ ip, helo, from }: ReceivedStamp) {
  return { clientAddress: ip, helo: helo ?? from };
}

function toReturnPath(block: readonly HeaderField[]): string | null {
  const field = block.find(({ key }) => key === "return-path");
  const [, path] = /^\s{0,20}<([^<>\s]{0,320})>\s*$/.exec(field?.value ?? "") ?? [];
  return path ?? null;
}
