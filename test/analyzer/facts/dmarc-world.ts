// DMARC without cryptography: SPF and DKIM results are given, everything else is looked up in a zone.

import type { DkimSignature, SpfResult } from "../../../src/analyzer/checks/authentication-facts.ts";
import { type Fact, known, unknown } from "../../../src/analyzer/checks/fact.ts";
import type { Dns } from "../../../src/analyzer/dns/answer.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { gatherReadings, judgeReadings } from "../../../src/analyzer/facts/dmarc-readings.ts";
import { readAuthor } from "../../../src/analyzer/mail/headers/author.ts";
import { readHeaderSection } from "../../../src/analyzer/mail/headers/fields.ts";

export function spf(result: SpfResult["result"], domain: string | null): SpfResult {
  return {
    result,
    domain,
    identity: "mailfrom",
    explanation: null,
    cause: null,
    problem: null,
    matchedTerm: null,
    matchedIn: null,
    record: null,
    lookups: 0,
    voids: 0,
  };
}

export function signature(
  result: DkimSignature["result"],
  domain: string | null,
  rest: Partial<DkimSignature> = {},
): DkimSignature {
  return {
    index: 0,
    result,
    why: null,
    says: null,
    domain,
    selector: "s1",
    identity: null,
    algorithm: "rsa-sha256",
    canon: { header: "relaxed", body: "relaxed" },
    headers: ["from"],
    bodyLength: null,
    bodyBytes: 10,
    signedAt: null,
    expiresAt: null,
    key: null,
    ...rest,
  };
}

export function toSection(headers: string | Uint8Array) {
  return readHeaderSection(typeof headers === "string" ? Buffer.from(headers, "utf8") : headers);
}

export type Given = {
  /** The headers, or the domain of an ordinary From. */
  readonly headers?: string;
  readonly from?: string;
  readonly spf?: Fact<SpfResult>;
  readonly signatures?: readonly DkimSignature[];
};

export async function judgeMessage({ headers, from, spf: given, signatures = [] }: Given, dns: Dns) {
  const section = toSection(headers ?? `From: Ann <ann@${from}>\r\nSubject: hello\r\n\r\nhello\r\n`);
  const author = readAuthor(section);
  const readings = await gatherReadings(author, dns);
  const proofs = { spf: given ?? known(spf("none", null)), signatures };
  return { section, author, ...(await judgeReadings(author, readings, proofs, dns)) };
}

/** `"spf=pass a.example; dkim=fail b.example"`. `spf=unknown` is a message without a session. */
export function readProofs(text: string): Pick<Given, "spf" | "signatures"> {
  const parts = text.split("; ").map((part) => /^(spf|dkim)=(\S+)(?: (\S+))?$/.exec(part) ?? []);
  const signatures = parts.flatMap(([, by, result, domain = null]) =>
    by === "dkim" ? [signature(result as DkimSignature["result"], domain)] : [],
  );
  const [, , result, domain = null] = parts.find(([, by]) => by === "spf") ?? [];
  if (result === undefined) return { signatures };
  const fact = result === "unknown" ? unknown("no-session") : known(spf(result as SpfResult["result"], domain));
  return { signatures, spf: fact };
}

/**
 * Maps a domain to its DMARC record without the version, to several, to a complete one after "=", or to a DNS failure.
 */
export type Policies = Readonly<Record<string, string | readonly string[]>>;

export function toZone(policies: Policies, existing: readonly string[] = []): Zone {
  const records = Object.entries(policies).map(([domain, given]) => {
    if (given === "timeout" || given === "servfail" || given === "refused") return [`_dmarc.${domain}`, given];
    const texts = [given].flat().map((text) => (text.startsWith("=") ? text.slice(1) : `v=DMARC1; ${text}`));
    return [`_dmarc.${domain}`, { TXT: texts }];
  });
  return Object.fromEntries([...records, ...existing.map((name) => [name, { A: ["192.0.2.1"] }])]);
}

export type CountingDns = Dns & { readonly asked: readonly string[] };

export function countQuestions(zone: Zone): CountingDns {
  const dns = createZoneDns(zone);
  const asked: string[] = [];
  return {
    asked,
    query: (name, type) => {
      asked.push(`${type} ${name}`);
      return dns.query(name, type);
    },
  };
}
