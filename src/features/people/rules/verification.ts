// Domain ownership: anyone who can publish a record in a domain may use it. The record contains a token for one
// workspace and domain. It is worthless to other workspaces, and can't be guessed.

import { createHmac } from "node:crypto";

const prefix = "assay-verify=";
/** 160 bits in hex: fits into any TXT record field. */
const tokenLength = 40;

/** `key`: derived for "domain verification" alone. `domain`: in A-labels and lower case. */
export function verifyToken(key: Uint8Array, workspaceId: string, domain: string): string {
  return createHmac("sha256", key).update(`${workspaceId} ${domain}`).digest("hex").slice(0, tokenLength);
}

/** The value of the TXT record at the domain itself. */
export function toVerifyText(token: string): string {
  return `${prefix}${token}`;
}

/** `texts`: all TXT values at the domain. Some DNS panels keep a pasted space or a capital letter. */
export function isVerifiedBy(texts: readonly string[], token: string): boolean {
  return texts.some((text) => text.trim().toLowerCase() === toVerifyText(token));
}
