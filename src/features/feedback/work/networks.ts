// Names and countries of networks, from databases in MaxMind's format that the operator supplies. Nothing is downloaded.

import { readFile, stat } from "node:fs/promises";
import type { Reader } from "mmdb-lib";
import { isJsonObject } from "../../../analyzer/json.ts";
import { toVisibleCut } from "../../../analyzer/visible-text.ts";
import { messageOf, Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";

type Network = { readonly network: string | null; readonly country: string | null };
export type Networks = (address: string) => Network;

/** The largest free ones have some 150 MB, and all of it is in memory. */
const mostBytes = 500_000_000;
const longestName = 80;

/** The first database that knows wins, for each of the two. */
export async function loadNetworks({ mmdb }: Pick<Config, "mmdb">): Promise<Networks> {
  const readers = await Promise.all(mmdb.map(openDatabase));
  return (address) => {
    const found = readers.map((reader) => readNetwork(reader, address));
    const first = (field: keyof Network) => found.find((each) => each[field] !== null)?.[field] ?? null;
    return { network: first("network"), country: first("country") };
  };
}

type Database = Pick<Reader<never>, "get">;

async function openDatabase(path: string): Promise<Database> {
  try {
    const { size } = await stat(path);
    if (size > mostBytes) throw new Error(`it has more than ${mostBytes / 1_000_000} MB`);
    // Loaded only where it is needed.
    const mmdb = await import("mmdb-lib");
    return new mmdb.Reader<never>(await readFile(path));
  } catch (error) {
    throw new Refusal("invalid_request", `ASSAY_MMDB: ${path} can’t be used: ${messageOf(error)}.`);
  }
}

function readNetwork(database: Database, address: string): Network {
  const record = readRecord(database, address);
  if (!isJsonObject(record)) return { network: null, country: null };
  const { country, country_code, autonomous_system_organization, as_name, organization, isp } = record;
  const code = isJsonObject(country) ? country.iso_code : (country_code ?? country);
  return {
    network: toName(autonomous_system_organization ?? as_name ?? organization ?? isp),
    country: typeof code === "string" && /^[A-Z]{2}$/.test(code) ? code : null,
  };
}

/** Damaged records throw. */
function readRecord(database: Database, address: string): unknown {
  try {
    return database.get(address);
  } catch {
    return null;
  }
}

function toName(value: unknown): string | null {
  const name = typeof value === "string" ? toVisibleCut(value, longestName).trim() : "";
  return name === "" ? null : name;
}
