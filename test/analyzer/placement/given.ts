// Letters from a sound sender, each changed in one way, and what would become of them.

import type { FindingId } from "../../../src/analyzer/checks/check.ts";
import { checks } from "../../../src/analyzer/checks/list.ts";
import type { Finding, Outcome } from "../../../src/analyzer/checks/run.ts";
import { toBlocklistZone } from "../../../src/analyzer/dns/dnsbl.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import type { Placement, Prediction, Provider } from "../../../src/analyzer/placement/provider.ts";
import type { JudgedFinding } from "../../../src/analyzer/reports/judgment.ts";
import { analystFor, analyzeWith, inputOf, type Letter, zoneOf } from "../domain-cases/verdict-world.ts";

const zen = "zen.spamhaus.org";
const dbl = "dbl.spamhaus.org";
export const asked = [zen, dbl].map(toBlocklistZone);

const sound: Zone = {
  "a.example": {
    A: ["192.0.2.1"],
    MX: [{ preference: 10, exchange: "mx.a.example" }],
    TXT: ["v=spf1 ip4:192.0.2.20 -all"],
  },
  "mx.a.example": { A: ["192.0.2.20"] },
  "20.2.0.192.in-addr.arpa": { PTR: ["mx.a.example"] },
  "_dmarc.a.example": { TXT: ["v=DMARC1; p=quarantine; rua=mailto:d@a.example"] },
  [`2.0.0.127.${zen}`]: { A: ["127.0.0.2"] },
  [`dbltest.com.${dbl}`]: { A: ["127.0.1.2"] },
};

export const listed: Zone = { [`20.2.0.192.${zen}`]: { A: ["127.0.0.2"] } };

export const receipt: Letter = {
  ip: "192.0.2.20",
  helo: "mx.a.example",
  mailFrom: "bounce@a.example",
  from: "Shop <orders@a.example>",
  body: "Dear Bob,\r\n\r\nthank you for your order 10023456. We shall send it tomorrow.\r\n",
};

const unsubscribe = "https://a.example/u/1234";

export const newsletter: Letter = {
  ...receipt,
  from: "Shop News <news@a.example>",
  headers: [
    `List-Unsubscribe: <${unsubscribe}>`,
    "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    "List-Id: <news.a.example>",
  ],
  sign: { names: ["from", "to", "subject", "date", "message-id", "list-unsubscribe", "list-unsubscribe-post"] },
  body: `News from the garden.\r\n\r\nThe roses are in flower: https://a.example/roses\r\n\r\nUnsubscribe: ${unsubscribe}\r\n`,
};

export async function judge(letter: Letter, zone: Zone = {}, dnsbls = asked) {
  const all = { ...zoneOf({ ...letter, zone: { ...sound, ...letter.zone } }), ...zone };
  const report = await analyzeWith(inputOf(letter), analystFor(createZoneDns(all), { dnsbls }));
  const { placement, findings, kind } = report.judgment;
  if (placement === null) throw new Error("No placement was predicted.");
  return { report, placement, findings, kind, ...byProvider(placement) };
}

export function byProvider({ predictions }: Placement): Record<Provider, Prediction> {
  return Object.fromEntries(predictions.map((one) => [one.provider, one])) as Record<Provider, Prediction>;
}

/** `gmail=inbox outlook=rejected 550 5.7.509 …` */
export function toFolders({ predictions }: Placement): Record<string, string> {
  return Object.fromEntries(
    predictions.map(({ provider, folder, smtpReply }) => [
      provider,
      smtpReply === null ? folder : `${folder} ${smtpReply}`,
    ]),
  );
}

export function faultsIn(findings: readonly JudgedFinding[]): string[] {
  return findings.flatMap(({ id, severity }) => (severity === "info" || severity === "good" ? [] : [id]));
}

const byId = new Map(checks.map((check) => [check.id, check]));

/** As if a check had found it. */
export function toFinding(id: FindingId, evidence: Finding["evidence"] = {}): Finding {
  const [check = "", name = ""] = id.split(".");
  const words = byId.get(check)?.findings[name];
  if (!words) throw new Error(`There is no finding ${id}.`);
  return {
    id,
    check,
    severity: words.severity,
    cost: words.cost,
    title: words.title,
    owner: words.owner,
    says: words.says,
    fix: words.fix,
    gates: words.gates ?? [],
    subject: null,
    ownedBy: null,
    mendedBy: [],
    evidence,
  };
}

export function toOutcomes(findings: readonly Finding[]): Outcome[] {
  return findings.map((finding) => ({ check: finding.check, outcome: "found", findings: [finding], lacks: [] }));
}
