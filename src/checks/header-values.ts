// The values of one header, decoded and unfolded, in the order of the message.

import type { Message } from "../mail/message.ts";

export function valuesOf({ headers }: Pick<Message, "headers">, key: string): string[] {
  return headers.filter((header) => header.key === key).map(({ value }) => value.trim());
}
