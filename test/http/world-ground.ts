// What a server over HTTP runs on in a test: settings, a clock that a test moves, a zone for DNS, and the real doors outside.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createZoneDns, type Zone } from "../../src/analyzer/dns/zone.ts";
import type { Config } from "../../src/platform/settings/config.ts";
import { readConfig } from "../../src/platform/settings/config-reading.ts";
import { createFetchOperator, createFetchStranger } from "../../src/platform/system/fetch-doors.ts";
import { loadSecretKey, type SecretKey } from "../../src/platform/system/secret-key.ts";
import type { System } from "../../src/platform/system/system.ts";
import { createHostResolver } from "../../src/platform/system/target-guard.ts";
import type { HttpWorldOptions } from "./http-world.ts";
import { createListLog, type LogLine } from "./list-log.ts";

export function toConfig(folder: string, options: HttpWorldOptions): Config {
  const { settings } = options.machine ?? {};
  const reading = readConfig({ ASSAY_DATA_DIR: folder, ASSAY_SEED_DOMAINS: "seed.example", ...settings });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const oidc = options.issuers ? join(folder, "issuers.json") : null;
  if (oidc !== null) writeFileSync(oidc, JSON.stringify({ issuers: options.issuers }));
  return {
    ...reading.config,
    oidc,
    smtpMaxMessageBytes: 100_000,
    metricsToken: options.metricsToken ?? null,
    trustedProxies: options.trustedProxies ?? [],
    allowPrivateTargets: options.privateTargets ?? { all: false, networks: [] },
    imapPorts: options.imapPorts ?? [143, 993],
    sendVerifiedDomains: options.verifiedDomains ?? [],
    ...options.oauth,
  };
}

/** What a test moves and reads. */
type Controls = {
  readonly clock: { readonly nowMs: number };
  readonly lines: LogLine[];
  readonly internet: { readonly zone: Zone };
};

export function toSystem(
  { allowPrivateTargets: allow }: Config,
  options: HttpWorldOptions,
  { clock, lines, internet }: Controls,
): System {
  const now = () => clock.nowMs;
  const dns = options.dns ?? { query: (name, type) => createZoneDns(internet.zone, now).query(name, type) };
  return {
    now,
    random: randomBytes,
    log: createListLog(lines),
    dns,
    // The real doors, with the guard that every webhook passes.
    fetchStranger: options.fetchStranger ?? createFetchStranger({ allow, resolveHost: createHostResolver(dns) }),
    fetchOperator: createFetchOperator(),
  };
}

export async function loadTestKey(folder: string): Promise<SecretKey> {
  const key = await loadSecretKey(
    "a secret key that only tests have".replaceAll(" ", "-"),
    folder,
    randomBytes,
    undefined,
  );
  if (!key.ok) throw new Error(key.problem);
  return key.secretKey;
}
