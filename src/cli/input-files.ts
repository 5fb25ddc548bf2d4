// Files that a person names on the command line.

import { readFile } from "node:fs/promises";
import type { Dns } from "../dns/answer.ts";
import { Refusal } from "../errors.ts";
import type { Option } from "./command.ts";

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
