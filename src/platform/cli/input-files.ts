// Reads the files and values that a person gives on the command line.

import { readFile } from "node:fs/promises";
import { toPlainAddress } from "../../analyzer/addresses.ts";
import type { Dns } from "../../analyzer/dns/answer.ts";
import { whyNotReceivedAt } from "../../analyzer/mail/headers/judged-time.ts";
import { requestTime, trustedHosts } from "../contract/primitives.ts";
import { Refusal } from "../errors.ts";
import { fileReasons } from "../system/private-file.ts";
import type { Arguments, Option } from "./command.ts";

export async function readInputFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Refusal("invalid_request", `Cannot read ${JSON.stringify(path)}: ${toFileReason(error)}.`);
  }
}

/** Completes "Cannot read …: ". */
export function toFileReason(error: unknown): string {
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  return { ENOENT: "no such file", EISDIR: "it is a folder", ...fileReasons }[code] ?? code;
}

export const zoneOption: Option = {
  value: "zone.txt",
  doc: "Use this zone file instead of DNS, to test records before you publish them.",
};

export async function readZone(path: string): Promise<Dns> {
  const { createZoneDns } = await import("../../analyzer/dns/zone.ts");
  const { parseZone } = await import("../../analyzer/dns/zone-file.ts");
  const zone = parseZone(Buffer.from(await readInputFile(path)).toString("utf8"));
  if (!zone.ok) throw new Refusal("invalid_request", `${path}, line ${zone.line}: ${zone.problem}`);
  return createZoneDns(zone.zone);
}

// What a person knows about the SMTP session, written the way it is copied from a log.

export function readClientAddress(args: Arguments): string | null {
  const written = args.option("ip");
  const address = written === undefined ? null : toPlainAddress(written);
  if (address === undefined) throw new Refusal("invalid_request", "--ip must be an IPv4 or IPv6 address.");
  return address;
}

export function readReceivedAt(args: Arguments, now: number): { readonly receivedAt?: number } {
  const written = args.option("received-at");
  if (written === undefined) return {};
  const time = requestTime.safeParse(written);
  if (!time.success) throw new Refusal("invalid_request", "--received-at must be a time like 2024-06-03T10:00:00Z.");
  const why = whyNotReceivedAt(time.data, now);
  if (why !== null) throw new Refusal("invalid_request", `--received-at ${why}.`);
  return { receivedAt: time.data };
}

export function readTrusted(names: readonly string[]): readonly string[] {
  const trusted = trustedHosts.safeParse(names.join(","));
  if (!trusted.success)
    throw new Refusal("invalid_request", "--trust must be the name of a mail server, like mx.google.com.");
  return trusted.data;
}

/** Removes the angle brackets, if there are any. */
export function toPath(written: string): string {
  return written.replace(/^<(.*)>$/s, "$1");
}
