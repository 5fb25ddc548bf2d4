// Marks of alert mail, each signed with its own key. The return path names the address that a bounce is about, and
// Message-ID tells our mail from a test: an alert about an alert would cause the next one. The unsubscribe link has
// another key, because anyone who sees a bounce has the return path.

import {
  readMessageIdToken,
  readReturnPath,
  readSendToken,
  toReturnPath,
  toSendToken,
} from "../../../analyzer/mail/send-token.ts";

export type AlertMailKeys = {
  /** For return paths and Message-IDs. */
  readonly mark: Uint8Array;
  readonly unsubscribe: Uint8Array;
};

/** Without angle brackets. The same for each try of a delivery, so that the receiver recognizes a repetition. */
export function toAlertMessageId(deliveryId: string, domain: string, { mark }: AlertMailKeys): string {
  return `${toSendToken(deliveryId, mark)}@${domain}`;
}

export function toAlertReturnPath(addressId: string, domain: string, { mark }: AlertMailKeys): string {
  return toReturnPath(addressId, domain, mark);
}

/** The ID of the address whose mail bounces to it. Null if it isn't one of our return paths. */
export function readAlertReturnPath(address: string, { mark }: AlertMailKeys): string | null {
  return toAddressId(readReturnPath(address, mark));
}

/** The ID in the return path of an invitation, whose prefix isn't part of it. */
export function toInvitationId(addressId: string): string {
  return addressId.replace(/^adr_/, "inv_");
}

/** Whether we sent it as an alert. */
export function isAlertMessageId(messageId: string, { mark }: AlertMailKeys): boolean {
  return readMessageIdToken(messageId.replace(/^<|>$/g, ""), mark) !== null;
}

export function toUnsubscribeToken(addressId: string, { unsubscribe }: AlertMailKeys): string {
  return toSendToken(addressId, unsubscribe);
}

export function readUnsubscribeToken(token: string, { unsubscribe }: AlertMailKeys): string | null {
  return toAddressId(readSendToken(token, unsubscribe));
}

/** The token has the ID without its prefix, and its reader adds that of a send. */
function toAddressId(readAs: string | null): string | null {
  return readAs === null ? null : readAs.replace(/^snd_/, "adr_");
}
