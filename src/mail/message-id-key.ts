import { toStorable } from "./storable.ts";

/** Without angle brackets, and cut, because PostgreSQL indexes no entry over 2,704 bytes. */
export function toMessageIdKey(messageId: string): string {
  const bare = messageId.trim().replace(/^<(.*)>$/s, "$1");
  return toStorable(bare.slice(0, 800));
}
