// Thousands of domains as zone files: most as a service sets them up, some managed by hand, some without certain
// records, some with broken ones. Includes the services that they share.

import type Database from "better-sqlite3";
import { createId } from "../../src/platform/ids.ts";
import { newRsaKey, toKeyRecord } from "../../test/analyzer/mail/signing/sign.ts";
import { createDice } from "../dice.ts";

export type ManyDomains = { readonly names: readonly string[]; readonly zones: Readonly<Record<string, string>> };

const keys = Array.from({ length: 5 }, () => toKeyRecord(newRsaKey(2_048)));

export function makeManyDomains(count: number): ManyDomains {
  const zones: Record<string, string> = { "esp.test": esp, "mailhost.test": mailHost, "dnshost.test": dnsHost };
  const names = Array.from({ length: count }, (_, index) => `d${index}.test`);
  for (const [index, name] of names.entries()) zones[name] = toZone(name, index);
  return { names, zones };
}

const esp = [
  '_spf TXT "v=spf1 include:_spf1.esp.test include:_spf2.esp.test ~all"',
  '_spf1 TXT "v=spf1 ip4:198.51.100.0/25 ip4:203.0.113.0/26 ~all"',
  '_spf2 TXT "v=spf1 ip4:198.51.100.128/25 ~all"',
  ...keys.map((key, index) => `k${index} TXT ${toParts(key)}`),
  "*._report._dmarc TXT v=DMARC1",
].join("\n");

const mailHost = [1, 2, 3, 4]
  .flatMap((host) => [`mx${host} A 198.51.100.${host}`, `mx${host} AAAA 2001:db8::${host}`])
  .join("\n");

/** Not a public address, so that Assay doesn't query them directly. */
const dnsHost = [1, 2, 3, 4].map((host) => `ns${host} A 127.0.0.1`).join("\n");

function toZone(name: string, index: number): string {
  const servers = [1, 2].map((turn) => `@ NS ns${((index + turn) % 4) + 1}.dnshost.test.`);
  const kind = index % 10;
  const records = kind < 6 ? hosted(index) : kind < 8 ? byHand(name, index) : kind === 8 ? lacking() : broken();
  return [...servers, "@ A 203.0.113.80", ...records].join("\n");
}

function hosted(index: number): string[] {
  return [
    "@ MX 10 mx1.mailhost.test.",
    "@ MX 20 mx2.mailhost.test.",
    '@ TXT "v=spf1 include:_spf.esp.test -all"',
    `@ TXT "some-service-verification=${index}"`,
    `s1._domainkey CNAME k${index % keys.length}.esp.test.`,
    `s2._domainkey CNAME k${(index + 1) % keys.length}.esp.test.`,
    '_dmarc TXT "v=DMARC1; p=quarantine; rua=mailto:reports@esp.test"',
  ];
}

function byHand(name: string, index: number): string[] {
  return [
    "@ MX 10 mail",
    "mail A 198.51.100.9",
    "mail AAAA 2001:db8::9",
    '@ TXT "v=spf1 mx a:mail -all"',
    `default._domainkey TXT ${toParts(keys[index % keys.length] ?? "")}`,
    `_dmarc TXT "v=DMARC1; p=reject; rua=mailto:dmarc@${name}"`,
    `_smtp._tls TXT "v=TLSRPTv1; rua=mailto:tls@${name}"`,
  ];
}

function lacking(): string[] {
  return ["@ MX 10 mx3.mailhost.test."];
}

function broken(): string[] {
  return [
    "@ MX 10 gone.mailhost.test.",
    '@ TXT "v=spf1 include:_spf.esp.test -all"',
    '@ TXT "v=spf1 mx -all"',
    '_dmarc TXT "v=DMARC1; p=rejected"',
    'default._domainkey TXT "v=DKIM1; p=AAAA"',
  ];
}

/** A TXT record consists of strings of at most 255 characters. */
function toParts(text: string): string {
  return (text.match(/.{1,250}/g) ?? []).map((part) => `"${part}"`).join(" ");
}

/** Inserts into the first workspace of a database, whether or not its server runs. */
export function insertDueDomains(database: Database.Database, names: readonly string[], dueAt: number): void {
  const workspace = String(database.prepare("select id from workspaces").pluck().get());
  const insert = database.prepare(
    "insert into domains (id, workspace_id, domain, created_at, due_at, attempts) values (?, ?, ?, ?, ?, 0)",
  );
  const dice = createDice(20_261_121);
  const now = Date.now();
  database.transaction(() => {
    for (const name of names) {
      const id = createId(
        "domain",
        now,
        Uint8Array.from({ length: 16 }, () => dice(256)),
      );
      insert.run(id, workspace, name, now, dueAt);
    }
  })();
}
