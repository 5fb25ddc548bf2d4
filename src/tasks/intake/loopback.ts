// Which send of ours a message that comes in is. Looped back is only what came over a connection that this process
// itself holds the other end of: a token alone proves no more than that somebody has seen it. A message that comes by
// a relay is known by its token, once: who copies one from a message that has come gets nothing by it.

import { toPlainAddress } from "../../addresses.ts";
import { headerLength } from "../../mail/headers/fields.ts";
import { readMessageIdToken, readReturnPath, readSendToken } from "../../mail/send-token.ts";
import type { SmtpSession } from "../../mail/session/session.ts";
import type { Db } from "../../store/schema/schema.ts";
import { findSend, hasTestOfSend } from "../../store/sending/sends.ts";
import type { Recipient } from "./route-recipient.ts";

export type OwnMark = {
  /** Null: of the laboratory, which has no record of what it sends but its tests. */
  readonly sendId: string | null;
  readonly workspaceId: string;
  readonly label: string | null;
  readonly laboratory?: LaboratoryMark;
};

/** Said here, between two ends of this process, and never by a message: else a stranger could choose whose DNS judges them. */
type LaboratoryMark = {
  /** The address that the message is taken to come from. */
  readonly clientAddress: string;
  /** That it is signed with. */
  readonly key: string;
};

export type Arrived = {
  readonly mark: OwnMark;
  readonly isLooped: boolean;
};

export type FindOwn = (message: {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  readonly recipients: readonly Recipient[];
}) => Promise<Arrived | null>;

/** Our end of a connection to our own listener. */
type OwnEnd = { readonly address: string | undefined; readonly port: number | undefined };

export type Loopback = {
  /** From now on what comes from there is this send; one message, and until it is called off. */
  readonly expect: (end: OwnEnd, mark: OwnMark) => () => void;
  readonly find: FindOwn;
  /** Whose send bounces to it; undefined: it is no return path of ours. */
  readonly findReturnPath: (address: string) => Promise<string | undefined>;
};

/** Our fields stand below what relays have put on top. */
const longestHeader = 131_072;
const tokenField = /^(x-assay-id|message-id):[ \t]{0,20}(?:\r?\n[ \t]{1,20})?<?([0-9a-z-]{43})(?=[@\s]|$)/gim;

export function createLoopback({ db, key }: { readonly db: Db; readonly key: Uint8Array }): Loopback {
  const expected = new Map<string, OwnMark>();

  function takeLoop({ clientAddress, clientPort, via }: SmtpSession): OwnMark | undefined {
    // A proxy of ours may tell any address, only not that it is itself the client.
    if (clientAddress === null || (via !== null && via.address !== clientAddress)) return undefined;
    const place = toPlace(clientAddress, clientPort);
    const mark = expected.get(place);
    expected.delete(place);
    return mark;
  }

  async function findByToken(sendId: string): Promise<OwnMark | null> {
    const send = await findSend(db, sendId);
    if (send === undefined || send.transport !== "relay" || (await hasTestOfSend(db, sendId))) return null;
    return { sendId, workspaceId: send.workspace_id, label: send.label };
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
      return sendId === null ? undefined : (await findSend(db, sendId))?.workspace_id;
    },
  };
}

/** A relay may rewrite each of these, but hardly all. */
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
