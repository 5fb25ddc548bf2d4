// The RFC 7208 test suite (openspf.org, release 2014.04) as cases and zones. It is next to the repository, not in it.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { recordTypes } from "../../../src/analyzer/dns/answer.ts";
import type { Zone, ZoneRecords } from "../../../src/analyzer/dns/zone.ts";

export type SpfCase = {
  readonly name: string;
  readonly client: { readonly address: string; readonly helo: string; readonly mailFrom: string };
  /** Best first. */
  readonly results: readonly string[];
  /** Undefined if the suite doesn't say. Null if the record has no valid one. */
  readonly explanation: string | null | undefined;
};

export type SpfScenario = { readonly description: string; readonly zone: Zone; readonly cases: readonly SpfCase[] };

type Entry = string | Readonly<Record<string, unknown>>;
type Written = {
  readonly description: string;
  readonly tests: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;
  readonly zonedata: Readonly<Record<string, readonly Entry[]>>;
};

const path = join(import.meta.dirname, "../../../../shared/data/spf/rfc7208-tests.yml");

/** Empty if the suite isn't there. */
export function readSpfSuite(): readonly SpfScenario[] {
  if (!existsSync(path)) {
    console.warn(`The RFC 7208 test suite is not at ${path}; its cases are skipped.`);
    return [];
  }
  const documents = parseAllDocuments(readFileSync(path, "utf8"));
  return documents.map((document) => toScenario(document.toJS() as Written));
}

function toScenario({ description, tests, zonedata }: Written): SpfScenario {
  const cases = Object.entries(tests).map(([name, test]) => ({
    name,
    client: { address: String(test.host), helo: String(test.helo), mailFrom: String(test.mailfrom) },
    results: [test.result ?? ""].flat(),
    explanation: test.explanation === "DEFAULT" ? null : (test.explanation as string | undefined),
  }));
  const zone = Object.fromEntries(Object.entries(zonedata).map(([name, entries]) => [name, toRecords(entries)]));
  return { description, zone, cases };
}

/** Records of type SPF stand for TXT if no TXT is given. "TXT: NONE" means that there is none. */
function toRecords(entries: readonly Entry[]): ZoneRecords {
  const records: Record<string, unknown[]> = {};
  const pairs = entries.flatMap((entry) => (typeof entry === "string" ? [] : Object.entries(entry)));
  const hasTxt = pairs.some(([type]) => type === "TXT");
  for (const [written, value] of pairs) {
    const type = written === "SPF" ? "TXT" : written;
    if (value === "NONE" || (written === "SPF" && hasTxt)) continue;
    records[type] = [...(records[type] ?? []), toValue(type, value)];
  }
  // Types without a record before TIMEOUT get no answer.
  const silent = entries.includes("TIMEOUT") ? recordTypes.filter((type) => records[type] === undefined) : [];
  return { ...records, ...Object.fromEntries(silent.map((type) => [type, "timeout"])) };
}

function toValue(type: string, value: unknown): unknown {
  if (type === "MX") {
    const [preference, exchange] = value as [number, string];
    return { preference, exchange };
  }
  // A packet can't carry a TXT record without any string.
  if (type === "TXT" && Array.isArray(value)) return value.length === 0 ? [""] : value;
  return value;
}
