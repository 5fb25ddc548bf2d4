// Signed letters in a world of data: what a row of the verdict table means, and the whole analysis run over it.

import type { KeyObject } from "node:crypto";
import { type AnalysisInput, analyzeMessage } from "../../../src/analyzer/analyze-message.ts";
import type { Dns } from "../../../src/analyzer/dns/answer.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { claimedSession } from "../../../src/analyzer/mail/session/session.ts";
import { noCircumstances } from "../../../src/analyzer/reports/known-facts.ts";
import type { Evidence, Report } from "../../../src/analyzer/reports/report.ts";
import type { AnalysisContext } from "../../../src/analyzer/world.ts";
import { type AnalysisContextOptions, createAnalysisContext } from "../../../src/features/tests/analysis/context.ts";
import { ed25519Key, newRsaKey, rsaKey, type SignOptions, toKeyRecord, toSignature } from "../mail/signing/sign.ts";

export type KeyName = "rsa512" | "rsa768" | "rsa1024" | "rsa2048" | "rsa4096" | "ed25519";

export type Signing = Omit<SignOptions, "key"> & { readonly key?: KeyName };

export type Letter = {
  /** What stands behind "From: ", in UTF-8; null: no such field. */
  readonly from?: string | null;
  readonly headers?: readonly string[];
  readonly body?: string;
  /** One signature for a.example unless told. */
  readonly sign?: Signing | readonly Signing[];
  /** On the way, one character a byte. */
  readonly change?: (signed: string) => string;
  /** Beside and in place of what stands in DNS anyway. */
  readonly zone?: Zone;
  /** `null`: nobody said it. */
  readonly ip?: string | null;
  readonly helo?: string | null;
  readonly mailFrom?: string;
};

/** Name with the section that demands the verdict → the verdict, and the letter. */
export type Rows = Readonly<Record<string, readonly [verdict: string, letter: Letter]>>;

export const receivedAt = Date.UTC(2026, 10, 20, 10, 0, 0);
/** In the seconds of t= and x=. */
export const now = receivedAt / 1_000;

const keys = new Map<KeyName, KeyObject>([
  ["rsa1024", rsaKey],
  ["ed25519", ed25519Key],
]);

/** Made when first asked for: long ones take their time. */
export function keyOf(name: KeyName): KeyObject {
  const key = keys.get(name) ?? newRsaKey(Number(name.slice(3)));
  keys.set(name, key);
  return key;
}

/** A sender, and the service that it sends through: `mail.esp.example` at 192.0.2.10. */
const always: Zone = {
  "a.example": { A: ["192.0.2.1"], TXT: ["v=spf1 ip4:192.0.2.20 -all"] },
  "mail.a.example": { A: ["192.0.2.2"], TXT: ["v=spf1 ip4:192.0.2.20 -all"] },
  "_dmarc.a.example": { TXT: ["v=DMARC1; p=reject"] },
  "esp.example": { TXT: ["v=spf1 ip4:192.0.2.10 -all"] },
  "mail.esp.example": { A: ["192.0.2.10"], TXT: ["v=spf1 a -all"] },
  "10.2.0.192.in-addr.arpa": { PTR: ["mail.esp.example"] },
  // Other From domains. Without records, the DNS of a name for tests isn't judged.
  "c.example": { A: ["192.0.2.3"] },
  "list.example": { A: ["192.0.2.4"] },
  "xn--80a.example": { A: ["192.0.2.5"] },
};

export function zoneOf({ sign = {}, zone = {} }: Letter): Zone {
  const published = [sign]
    .flat()
    .map(({ key = "rsa1024", domain = "a.example", selector = key }) => [
      `${selector}._domainkey.${domain.toLowerCase()}`,
      { TXT: [toKeyRecord(keyOf(key))] },
    ]);
  return { ...always, ...Object.fromEntries(published), ...zone };
}

export function bytesOf(letter: Letter): Uint8Array {
  const { from = "Ann <ann@a.example>", headers = [], sign = {}, change = (text) => text } = letter;
  const text = [
    ...(from === null ? [] : [`From: ${from}`]),
    "To: Bob <bob@b.example>",
    "Subject: A question of  some length",
    "Date: Fri, 20 Nov 2026 09:59:58 +0000",
    "Message-ID: <1@a.example>",
    ...headers,
    "",
    letter.body ?? "Dear Bob,\r\n\r\n\tthe answer  is here: \r\nyours\r\n",
  ].join("\r\n");
  const message = Buffer.from(text).toString("latin1");
  const signatures = [sign]
    .flat()
    .map(({ key = "rsa1024", ...options }) =>
      toSignature(message, { domain: "a.example", selector: key, ...options, key: keyOf(key) }),
    );
  return Buffer.from(change([...signatures, message].join("\r\n")), "latin1");
}

export function inputOf(letter: Letter, evidence: Evidence | null = null): AnalysisInput {
  const { ip = "192.0.2.10", helo = "mail.esp.example", mailFrom = "bounce@esp.example" } = letter;
  const session = claimedSession({ clientAddress: ip, helo, mailFrom, rcptTo: ["bob@b.example"] });
  return { raw: bytesOf(letter), session, receivedAt, circumstances: noCircumstances, evidence };
}

const options: AnalysisContextOptions = {
  receiver: "mx.b.example",
  budgetMs: 60_000,
  dnsbls: [],
  rspamdUrl: null,
  spamdAddress: null,
  dnsClient: {},
};

export function analystFor(dns: Dns | undefined, changes: Partial<AnalysisContextOptions> = {}): AnalysisContext {
  return createAnalysisContext({ ...options, ...changes }, () => receivedAt, dns);
}

export async function analyzeWith(input: AnalysisInput, analyst: AnalysisContext): Promise<Report> {
  const { report } = await analyzeMessage(input, analyst);
  if (report === null) throw new Error("The letter was taken for something that is no test.");
  return report;
}

export function analyzeLetter(letter: Letter): Promise<Report> {
  return analyzeWith(inputOf(letter), analystFor(createZoneDns(zoneOf(letter))));
}

/** `spf=pass dkim=fail:body-changed dmarc=fail reject`: the word of each signature with its reason, and the policy. */
export function toVerdict({ authentication: { spf, dkim, dmarc, dmarcResult } }: Report): string {
  const signatures = dkim.known ? dkim.value.signatures : [];
  const words = signatures.map(({ result, why }) => (why === null ? result : `${result}:${why}`));
  const { policy, effective } = dmarc.known ? dmarc.value : { policy: null, effective: null };
  return [
    `spf=${spf.known ? spf.value.result : `unknown:${spf.why}`}`,
    `dkim=${words.join("+") || "none"}`,
    `dmarc=${dmarcResult.known ? dmarcResult.value.result : `unknown:${dmarcResult.why}`}`,
    dmarc.known ? (policy === effective ? (policy ?? "-") : `${policy}>${effective}`) : `?${dmarc.why}`,
  ].join(" ");
}
