import { parseMailboxes } from "./address.ts";
import { toAsciiDomain } from "./registrable-domain.ts";

/** The domain of the first address that a From text shows, for lists; whom a message is from is judged by author.ts. */
export function toFromDomain(from: string): string | null {
  const { domain } = parseMailboxes(from).list.find((mailbox) => mailbox.domain !== null) ?? { domain: null };
  return domain === null ? null : toAsciiDomain(domain);
}
