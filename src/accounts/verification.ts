// Whose a domain is: who can publish a record in it shows that they may speak for it. The record holds a token keyed to
// workspace and domain, so that one workspace's record proves nothing for another, and nobody can make up a token.

import { createHmac } from "node:crypto";

const prefix = "assay-verify=";
/** 160 bits in hex: any field for a TXT record takes it. */
const tokenLength = 40;

/** `key`: derived for "domain verification" alone. `domain`: in A-labels and lower case. */
export function verifyToken(key: Uint8Array, workspaceId: string, domain: string): string {
  return createHmac("sha256", key).update(`${workspaceId} ${domain}`).digest("hex").slice(0, tokenLength);
}

/** The text of the TXT record at the domain itself. */
export function toVerifyText(token: string): string {
  return `${prefix}${token}`;
}

/** `texts`: all that stands in TXT at the domain. Some panels keep a space that was pasted with it, or a capital letter. */
export function isVerifiedBy(texts: readonly string[], token: string): boolean {
  return texts.some((text) => text.trim().toLowerCase() === toVerifyText(token));
}
