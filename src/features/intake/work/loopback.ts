// Matches an incoming message to one of our sends. It counts as looped back only if this process holds the other end of
// the connection, because anyone who has seen a token can copy it. A message that arrives through a relay is matched by
// its token, once, so a copied token is worthless.

import { toPlainAddress } from "../../../analyzer/addresses.ts";
import { headerLength } from "../../../analyzer/mail/headers/fields.ts";
import { readMessageIdToken, readReturnPath, readSendToken } from "../../../analyzer/mail/send-token.ts";
import type { SmtpSession } from "../../../analyzer/mail/session/session.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { findAlertAddress } from "../../alerts/rows/addresses.ts";
import { type AlertMailKeys, readAlertReturnPath, toInvitationId } from "../../alerts/rules/mail-token.ts";
import { findInvitationById } from "../../people/rows/one-time-links.ts";
import { findSend, hasTestOfSend } from "../../sending/rows.ts";
import type { Recipient } from "./route-recipient.ts";

export type OwnMark = {
  /** Null for sample messages, which are recorded only as tests. */
  readonly sendId: string | null;
  readonly workspaceId: string;
  readonly label: string | null;
  readonly laboratory?: LaboratoryMark;
  /** Sent by a monitor. */
  readonly isCanary?: boolean;
};

/**
 * Set inside this process and never by a message. Otherwise a stranger could choose the DNS zone they are judged by.
 */
type LaboratoryMark = {
  /** The IP address that the message pretends to come from. */
  readonly clientAddress: string;
  /** The DKIM key that signs it. */
  readonly key: string;
};

export type Arrived = { readonly mark: OwnMark; readonly isLooped: boolean };

export type FindOwn = (message: {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  readonly recipients: readonly Recipient[];
}) => Promise<Arrived | null>;

/** Our end of a connection to our own listener. */
type OwnEnd = { readonly address: string | undefined; readonly port: number | undefined };

export type Loopback = {
  /** Treats the next message from that end as this send, until the returned function is called. */
  readonly expect: (end: OwnEnd, mark: OwnMark) => () => void;
  readonly find: FindOwn;
  /** The workspace whose send or alert bounces to this address; undefined if it is not one of our return paths. */
  readonly findReturnPath: (address: string) => Promise<string | undefined>;
};

/** Relays put their headers above ours. */
const longestHeader = 131_072;
const tokenField = /^(x-assay-id|message-id):[ \t]{0,20}(?:\r?\n[ \t]{1,20})?<?([0-9a-z-]{43})(?=[@\s]|$)/gim;

type LoopbackTerms = { readonly db: Db; readonly key: Uint8Array; readonly alertMailKeys: AlertMailKeys };

export function createLoopback({ db, key, alertMailKeys }: LoopbackTerms): Loopback {
  const expected = new Map<string, OwnMark>();

  function takeLoop({ clientAddress, clientPort, via }: SmtpSession): OwnMark | undefined {
    // A trusted proxy may report any client address except its own.
    if (clientAddress === null || (via !== null && via.address !== clientAddress)) return undefined;
    const place = toPlace(clientAddress, clientPort);
    const mark = expected.get(place);
    expected.delete(place);
    return mark;
  }

  async function findByToken(sendId: string): Promise<OwnMark | null> {
    const send = await findSend(db, sendId);
    if (send === undefined || send.transport !== "relay" || (await hasTestOfSend(db, sendId))) return null;
    const { workspace_id: workspaceId, label, monitor_id } = send;
    return { sendId, workspaceId, label, isCanary: monitor_id !== null };
  }

  return {
    expect: ({ address = "", port = 0 }, mark) => {
      const place = toPlace(toPlainAddress(address) ?? address, port);
      expected.set(place, mark);
      return () => {
        if (expected.get(place) === mark) expected.delete(place);
      };
    },
    find: async ({ raw, session, recipients }) => {
      const isFor = (mark: OwnMark) => recipients.some(({ workspaceId }) => workspaceId === mark.workspaceId);
      const loop = takeLoop(session);
      if (loop !== undefined) return isFor(loop) ? { mark: loop, isLooped: true } : null;
      const sendId = readClaimedSend(raw, session, key);
      const mark = sendId === null ? null : await findByToken(sendId);
      return mark && isFor(mark) ? { mark, isLooped: false } : null;
    },
    findReturnPath: async (address) => {
      const sendId = readReturnPath(address, key);
      if (sendId !== null) return (await findSend(db, sendId))?.workspace_id;
      const addressId = readAlertReturnPath(address, alertMailKeys);
      if (addressId === null) return undefined;
      const row = (await findAlertAddress(db, addressId)) ?? (await findInvitationById(db, toInvitationId(addressId)));
      return row?.workspace_id;
    },
  };
}

/** A relay may rewrite each of these, but rarely all of them. */
function readClaimedSend(raw: Uint8Array, { mailFrom }: SmtpSession, key: Uint8Array): string | null {
  const path = mailFrom === null ? null : readReturnPath(mailFrom, key);
  if (path !== null) return path;
  const bytes = raw.subarray(0, longestHeader);
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, headerLength(bytes)).toString("latin1");
  for (const [, name = "", token = ""] of header.matchAll(tokenField)) {
    const sendId = /^x/i.test(name) ? readSendToken(token, key) : readMessageIdToken(`${token}@`, key);
    if (sendId !== null) return sendId;
  }
  return null;
}

function toPlace(address: string, port: number | null): string {
  return `${address} ${port}`;
}
