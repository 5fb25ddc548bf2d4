// Files that a person names on the command line.

import { readFile } from "node:fs/promises";
import { toPlainAddress } from "../addresses.ts";
import { requestTime, trustedHosts } from "../api/primitives.ts";
import type { Dns } from "../dns/answer.ts";
import { Refusal } from "../errors.ts";
import { whyNotReceivedAt } from "../mail/headers/judged-time.ts";
import type { Arguments, Option } from "./command.ts";

export async function readInputFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new Refusal("invalid_request", `${JSON.stringify(path)} cannot be read (${code}).`);
  }
}

export const zoneOption: Option = {
  value: "zone.txt",
  doc: "Answer DNS from this zone file, to try records before they are published.",
};

/** DNS that answers from a zone file, to try records before they are published. */
export async function readZone(path: string): Promise<Dns> {
  const { createZoneDns } = await import("../system/zone.ts");
  const { parseZone } = await import("../system/zone-file.ts");
  const zone = parseZone(Buffer.from(await readInputFile(path)).toString("utf8"));
  if (!zone.ok) throw new Refusal("invalid_request", `${path}, line ${zone.line}: ${zone.problem}`);
  return createZoneDns(zone.zone);
}

// What a person says of a session on the command line, in the forms in which people copy it from a log.

export function readClientAddress(args: Arguments): string | null {
  const written = args.option("ip");
  const address = written === undefined ? null : toPlainAddress(written);
  if (address === undefined) throw new Refusal("invalid_request", "--ip takes an IPv4 or IPv6 address.");
  return address;
}

export function readReceivedAt(args: Arguments, now: number): { readonly receivedAt?: number } {
  const written = args.option("received-at");
  if (written === undefined) return {};
  const time = requestTime.safeParse(written);
  if (!time.success)
    throw new Refusal("invalid_request", "--received-at takes a time like 2024-06-03T10:00:00Z.");
  const why = whyNotReceivedAt(time.data, now);
  if (why !== null) throw new Refusal("invalid_request", `--received-at ${why}.`);
  return { receivedAt: time.data };
}

export function readTrusted(names: readonly string[]): readonly string[] {
  const trusted = trustedHosts.safeParse(names.join(","));
  if (!trusted.success)
    throw new Refusal("invalid_request", "--trust takes the name of a mail server, like mx.google.com.");
  return trusted.data;
}

/** Brackets or not, it is the same path. */
export function toPath(written: string): string {
  return written.replace(/^<(.*)>$/s, "$1");
}
