// What a receiver recorded about a saved message: its Authentication-Results, and the client in its Received header.
// Anyone can write such headers, so only those count that are in the block that the named receiver put on top: down to
// the Received header by which the message came in from outside. Headers below that one may be the sender's. A receiver
// that writes its results below it (Gmail) repeats them in its ARC header above.

import { toPlainAddress } from "../../addresses.ts";
import { doors } from "../session/doors.ts";
import type { SmtpSession } from "../session/session.ts";
import { parseRecordedResults, type RecordedResult } from "./authentication-results.ts";
import type { HeaderField, HeaderSection } from "./fields.ts";
import { parseReceived, type ReceivedStamp } from "./received.ts";

export type Recorded = {
  /** As the person wrote it. */
  readonly by: string;
  readonly clientAddress: string | null;
  readonly helo: string | null;
  /** From Return-Path. Empty for the null return path. */
  readonly mailFrom: string | null;
  readonly results: readonly RecordedResult[];
};

/** What the person said about the session takes precedence. */
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

/**
 * Strangers can send mail that arrives, so there the line by which it came in must be the named server's own: a server
 * that writes none would pass on the sender's.
 */
export function readRecorded(
  section: HeaderSection,
  { trusted = [], door }: Pick<SmtpSession, "trusted" | "door">,
): Recorded | null {
  const names = trusted.slice(0, maxTrusted).map((name) => name.toLowerCase());
  if (names.length === 0) return null;
  const nameOf = (host: string | null) => findTrusted(names, host);
  const { block, border } = readTopBlock(section.fields.slice(0, maxFieldsRead), nameOf);
  if (doors[door.kind].arrives && nameOf(border?.by ?? null) === null) return null;
  const stamp = border === null ? null : { by: nameOf(border.by), ...toClient(border) };
  const stated = block.flatMap(({ key, value }) => {
    if (key !== "authentication-results" && key !== "arc-authentication-results") return [];
    const { authservId, results } = parseRecordedResults(value);
    // Outlook.com leaves its name out. In the block of a trusted server the field is that server's.
    const by = authservId === null ? (stamp?.by ?? null) : nameOf(authservId);
    return by === null ? [] : [{ by, isArc: key.startsWith("arc-"), results }];
  });
  const [chosen] = [...stated].sort((one, other) => Number(one.isArc) - Number(other.isArc));
  const by = stamp?.by ?? chosen?.by ?? null;
  if (by === null) return null;
  return {
    by,
    clientAddress: stamp?.clientAddress ?? null,
    helo: stamp?.helo ?? null,
    mailFrom: toReturnPath(block),
    results: stated.filter(({ isArc }) => isArc === chosen?.isArc).flatMap(({ results }) => results),
  };
}

type TopBlock = { readonly block: readonly HeaderField[]; readonly border: ReceivedStamp | null };

/**
 * Down to the first Received header whose client isn't known to be one of the receiver's own; what is below may be the
 * sender's. A server behind a load balancer or in a container sees clients with private addresses too. So only two
 * kinds of lines end the block: a stranger's line about a client on the internet, and a trusted server's own.
 */
function readTopBlock(fields: readonly HeaderField[], nameOf: (host: string | null) => string | null): TopBlock {
  for (const [index, { key, value }] of fields.entries()) {
    if (key !== "received") continue;
    const stamp = parseReceived(value);
    if (isHandOver(stamp) || nameOf(confirmedName(stamp, value)) !== null) continue;
    const isBorder = stamp.reach === "public" || nameOf(stamp.by) !== null;
    return isBorder ? { block: fields.slice(0, index), border: stamp } : { block: [], border: null };
  }
  return { block: [], border: null };
}

/**
 * Inside one machine, into a mailbox (outside clients don't speak LMTP), or between servers that Gmail names by
 * address.
 */
function isHandOver({ from, ip, reach, by, with: protocol }: ReceivedStamp): boolean {
  if (reach === "public") return false;
  if (reach === "local" || /^LMTP/i.test(protocol ?? "")) return true;
  return from === null && ip === null && by !== null && toPlainAddress(by) !== undefined;
}

/** Sendmail says if a name doesn't resolve back to the address; qmail doesn't check. */
function confirmedName({ name }: ReceivedStamp, value: string): string | null {
  return /\(HELO |\(may be forged\)/i.test(value) ? null : name;
}

/** The host itself, or one of its subdomains. */
function findTrusted(names: readonly string[], host: string | null): string | null {
  const given = host?.toLowerCase().replace(/\.$/, "") ?? "";
  return names.find((name) => given === name || given.endsWith(`.${name}`)) ?? null;
}

/** A client in the receiver's own network can't be checked. */
function toClient({ ip, helo, from, reach }: ReceivedStamp) {
  return reach === "public" ? { clientAddress: ip, helo: helo ?? from } : { clientAddress: null, helo: null };
}

function toReturnPath(block: readonly HeaderField[]): string | null {
  const field = block.find(({ key }) => key === "return-path");
  const [, path] = /^\s{0,20}<([^<>\s]{0,320})>\s*$/.exec(field?.value ?? "") ?? [];
  return path ?? null;
}
