// A world made of data: nothing here touches a socket, a clock or chance.

import { createHash } from "node:crypto";
import { createZoneDns, type Zone } from "../src/analyzer/dns/zone.ts";
import type { FetchOutcome } from "../src/analyzer/facts/fetch.ts";
import type { Log, LogFields, LogLevel } from "../src/platform/system/log.ts";
import type { System } from "../src/platform/system/system.ts";

export type LogLine = {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
  readonly cause: unknown;
};

export type TestSystem = System & {
  readonly setNow: (now: number) => void;
  readonly advance: (milliseconds: number) => void;
  readonly logged: readonly LogLine[];
};

export type TestWorld = {
  readonly zone?: Zone;
  readonly now?: number;
  readonly random?: System["random"];
  /** What a URL answers: the text of a page, or the whole outcome. */
  readonly pages?: Readonly<Record<string, string | FetchOutcome>>;
};

export function testSystem({ zone = {}, now = Date.UTC(2026, 0, 1), random, pages = {} }: TestWorld = {}): TestSystem {
  const logged: LogLine[] = [];
  let clock = now;
  const fetch = async (url: string) => toOutcome(pages[url], url);
  return {
    now: () => clock,
    setNow: (time) => {
      clock = time;
    },
    advance: (milliseconds) => {
      clock += milliseconds;
    },
    random: random ?? countingRandom(),
    dns: createZoneDns(zone, () => clock),
    fetchStranger: fetch,
    fetchOperator: fetch,
    log: collectingLog(logged, {}),
    logged,
  };
}

/** The same bytes in each run, and never the same twice in one. */
function countingRandom(): System["random"] {
  let count = 0;
  return (byteCount) => {
    const bytes = new Uint8Array(byteCount);
    for (let filled = 0; filled < byteCount; filled += 32) {
      const block = createHash("sha256").update(String(count++)).digest();
      bytes.set(block.subarray(0, Math.min(32, byteCount - filled)), filled);
    }
    return bytes;
  };
}

function toOutcome(page: string | FetchOutcome | undefined, url: string): FetchOutcome {
  if (page === undefined) throw new Error(`The test prepared no page at ${url}.`);
  if (typeof page !== "string") return page;
  return { ok: true, status: 200, headers: {}, body: Buffer.from(page), address: "192.0.2.80" };
}

function collectingLog(logged: LogLine[], always: LogFields): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}, cause?: unknown) => {
      logged.push({ level, message, fields: { ...always, ...fields }, cause });
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => collectingLog(logged, { ...always, ...fields }),
  };
}
