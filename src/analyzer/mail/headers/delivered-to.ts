// The address that a message in a mailbox was sent to. A mailbox shows no envelope, and anyone can write these headers,
// so only the mailbox's own address counts. The text after its plus sign is the sender's choice anyway.

import { parseMailboxes } from "./address.ts";
import { fieldsNamed, type HeaderSection } from "./fields.ts";
import { parseSeedAddress } from "./seed-address.ts";

/** Those that servers add come first. */
const names = ["delivered-to", "x-original-to", "envelope-to", "x-delivered-to", "to", "cc"] as const;
const mostFields = 5;
const mostAddresses = 50;
const longestValue = 10_000;

type Delivered = { readonly address: string; readonly label: string | null };

export function readDeliveredTo(section: HeaderSection, account: string): Delivered {
  const domain = account.slice(account.lastIndexOf("@") + 1).toLowerCase();
  const own = parseSeedAddress(account, [domain]);
  const plain = { address: account, label: null };
  if (own === undefined) return plain;
  const isOwn = (address: string) => parseSeedAddress(address, [domain])?.localPart === own.localPart;
  const found = names.flatMap((name) => toAddresses(section, name)).filter(isOwn);
  for (const address of found) {
    const label = parseSeedAddress(address, [domain])?.label ?? null;
    if (label !== null) return { address, label };
  }
  return plain;
}

function toAddresses(section: HeaderSection, name: string): string[] {
  const values = fieldsNamed(section, name)
    .slice(0, mostFields)
    .map(({ value }) => value.slice(0, longestValue));
  return values.flatMap((value) =>
    parseMailboxes(value)
      .list.slice(0, mostAddresses)
      .flatMap(({ local, domain }) => (local && domain ? [`${local}@${domain}`] : [])),
  );
}
