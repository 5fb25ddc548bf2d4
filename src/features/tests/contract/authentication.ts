// The results of SPF, DKIM, DMARC, ARC and BIMI in the Test resource, with the records behind them.

import { z } from "zod";
import type {
  Arc,
  Bimi,
  Dkim,
  Dmarc,
  DmarcResult,
  SpfRecord,
  SpfResult,
} from "../../../analyzer/checks/authentication-facts.ts";
import type { Fact } from "../../../analyzer/checks/fact.ts";
import { comparedMechanisms, type RecordedWords } from "../../../analyzer/reports/receiver-verdicts.ts";
import type { Authentication as Verdicts } from "../../../analyzer/reports/report.ts";
import {
  pick,
  timestamp,
  toSnakeCase,
  toSnakeCased,
  toTimestampOrNull,
} from "../../../platform/contract/primitives.ts";
import { assumed, isAssumed, toAssumed } from "../../intake/contract/outgoing-server.ts";

/** RFC 8601 §2.7. */
export const resultWord = z.enum(["pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror"]);

const text = z.string().nullable();
const texts = z.array(z.string());

const recordedBy = text.describe("The trusted receiver that recorded this result. `null` if Assay checked it.");

const spf = z
  .strictObject({
    result: resultWord,
    domain: text,
    identity: z.enum(["mailfrom", "helo"]),
    explanation: text.describe("The domain's explanation for senders that fail (`exp=`)."),
    problem: text.describe("Reason for the error."),
    matched_term: text.describe("The matching term, as written."),
    matched_in: text.describe("The domain whose record contains the matching term."),
    record: text,
    lookups: z.int(),
    voids: z.int(),
    recorded_by: recordedBy,
    assumed: isAssumed,
  })
  .meta({ id: "SpfVerdict" });

const spfRecord = z
  .strictObject({
    domain: z.string(),
    records: texts,
    lookups: z.int().describe("DNS lookups for the whole record and all its includes."),
    tree: z.unknown().describe("The record and its includes, each with its number of lookups."),
    is_whole: z.boolean().describe("`false` if any part could not be looked up. The counts are then lower bounds."),
  })
  .meta({ id: "SpfRecord" });

const dkimKey = z
  .strictObject({
    name: z.string(),
    records: texts,
    type: text,
    bits: z.int().nullable(),
    revoked: z.boolean(),
    testing: z.boolean(),
    problems: texts,
  })
  .meta({ id: "DkimKey" });

const dkim = z
  .strictObject({
    result: resultWord,
    domain: text,
    selector: text,
    aligned: z.boolean().describe("Whether the domain is aligned with the domain in the From header."),
    aligned_exactly: z.boolean(),
    why: text.describe("Short code for the problem. `null` if there is none."),
    explanation: text,
    identity: text,
    algorithm: text,
    canonicalization: text,
    signed_headers: texts,
    body_length: z.int().nullable().describe("The `l=` tag. `null` if the whole body is signed."),
    body_bytes: z.int().nullable(),
    signed_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
    recorded_by: recordedBy,
    assumed: isAssumed,
    key: dkimKey.nullable(),
  })
  .meta({ id: "DkimVerdict" });

const policy = z.enum(["none", "quarantine", "reject"]).nullable();

const dmarc = z
  .strictObject({
    result: resultWord,
    domain: text.describe("Domain in the From header. `null` if there is not exactly one."),
    explanation: text,
    policy: policy.describe("The published policy for this domain. `null` without a record."),
    effective_policy: policy.describe("One step weaker if the record is in test mode (`t=y`)."),
    record: text,
    records: texts.describe(
      "All TXT records at the name that decides the policy. If there are several, or if the record is invalid, none of them is used.",
    ),
    found_at: text.describe("Name where the record was found."),
    org_domain: text,
    aligned_by: z.array(z.enum(["spf", "dkim"])),
    spf_aligned: z.boolean().nullable(),
    dkim_aligned: z.boolean().nullable(),
    public_suffix_result: z
      .enum(["pass", "fail"])
      .nullable()
      .describe("How a receiver that implements the older RFC 7489 reads it."),
    problems: texts,
    recorded_by: recordedBy,
    assumed: isAssumed,
    walk: z.array(z.strictObject({ name: z.string(), record: text })),
  })
  .meta({ id: "DmarcVerdict" });

const arc = z
  .strictObject({
    result: resultWord,
    chain: z.array(z.strictObject({ instance: z.int(), domain: text, selector: text })),
    explanation: text,
  })
  .meta({ id: "ArcVerdict" });

const bimi = z
  .strictObject({
    result: resultWord,
    domain: text,
    name: text,
    records: texts,
    logo: text,
    certificate: text,
    declined: z.boolean(),
    explanation: text,
  })
  .meta({ id: "BimiVerdict" });

const recorded = z
  .strictObject({
    by: z.string().describe("The trusted receiver that the uploader named."),
    client_address: text,
    helo: text,
    spf: text,
    dkim: text,
    dmarc: text,
    differences: z
      .array(z.strictObject({ mechanism: z.enum(comparedMechanisms), ours: z.string(), theirs: z.string() }))
      .describe("Where Assay's own result differs. In that case, Assay's result is used."),
  })
  .meta({ id: "RecordedVerdicts", description: "Results that a trusted receiver wrote into a saved message." });

/** A result is null if it could not be determined. `unknown` says why. */
export const authentication = z
  .strictObject({
    spf: spf.nullable(),
    spf_helo: spf.nullable(),
    spf_record: spfRecord.nullable(),
    dkim: z.array(dkim),
    dmarc: dmarc.nullable(),
    arc: arc.nullable(),
    bimi: bimi.nullable(),
    recorded: recorded.nullable(),
    assumed: assumed.nullable(),
    unknown: z.array(z.strictObject({ what: z.string(), why: z.string() })),
  })
  .meta({ id: "Authentication" });
export type Authentication = z.infer<typeof authentication>;

export function toAuthentication({ recorded, assumed: taken, ...verdicts }: Verdicts): Authentication {
  const { dmarc: found } = verdicts;
  return {
    spf: ofKnown(verdicts.spf, toSpf),
    spf_helo: ofKnown(verdicts.spfHelo, toSpf),
    spf_record: ofKnown(verdicts.spfRecord, toSpfRecord),
    dkim: ofKnown(verdicts.dkim, toDkim) ?? [],
    dmarc: ofKnown(verdicts.dmarcResult, (result) => toDmarc(result, found.known ? found.value : null)),
    arc: ofKnown(verdicts.arc, toArc),
    bimi: ofKnown(verdicts.bimi, toBimi),
    recorded: recorded === undefined ? null : toRecorded(recorded),
    assumed: taken ? toAssumed(taken) : null,
    unknown: Object.entries(verdicts).flatMap(([name, fact]) =>
      fact.known ? [] : [{ what: toSnakeCase(name), why: fact.why }],
    ),
  };
}

function ofKnown<T, U>(fact: Fact<T>, convert: (value: T) => U): U | null {
  return fact.known ? convert(fact.value) : null;
}

function toRecorded({ differences, ...words }: RecordedWords): Authentication["recorded"] {
  return { ...toSnakeCased({ ...words }), differences: differences.map((one) => ({ ...one })) };
}

function toSpf({ cause: _, recordedBy, assumed: is, ...verdict }: SpfResult): Authentication["spf"] {
  return { ...toSnakeCased(verdict), recorded_by: recordedBy ?? null, assumed: is ?? false };
}

function toSpfRecord({ domain, records, lookups, tree, isWhole }: SpfRecord): Authentication["spf_record"] {
  return toSnakeCased({ domain, records, lookups, tree, isWhole });
}

function toDkim({ signatures }: Dkim): Authentication["dkim"] {
  return signatures.map(
    ({
      index: _,
      says,
      canon,
      headers,
      signedAt,
      expiresAt,
      aligned,
      key,
      recordedBy = null,
      assumed: is,
      ...signature
    }) => ({
      ...toSnakeCased(signature),
      aligned: aligned.relaxed,
      aligned_exactly: aligned.strict,
      explanation: says,
      canonicalization: canon && `${canon.header}/${canon.body}`,
      signed_headers: [...headers],
      signed_at: toTimestampOrNull(signedAt),
      expires_at: toTimestampOrNull(expiresAt),
      recorded_by: recordedBy,
      assumed: is ?? false,
      key: key && toKey(key),
    }),
  );
}

function toKey(key: NonNullable<Dkim["signatures"][number]["key"]>) {
  return {
    name: key.name,
    records: [...key.records],
    ...pick(key, ["type", "bits", "revoked", "testing"]),
    problems: key.faults.map(({ says }) => says),
  };
}

function toDmarc(result: DmarcResult, found: Dmarc | null): Authentication["dmarc"] {
  return {
    result: result.result,
    domain: result.fromDomain,
    explanation: result.says,
    policy: found?.policy ?? null,
    effective_policy: found?.effective ?? null,
    record: found?.record ?? null,
    records: [...(found?.records ?? [])],
    found_at: found?.foundAt ?? null,
    org_domain: found && ofKnown(found.orgDomain, (domain) => domain),
    aligned_by: [...result.alignedBy],
    spf_aligned: ofKnown(result.spfAligned, (is) => is),
    dkim_aligned: ofKnown(result.dkimAligned, (is) => is),
    public_suffix_result: result.pslEraResult,
    problems: found?.faults.map(({ says }) => says) ?? [],
    recorded_by: result.recordedBy ?? null,
    assumed: result.assumed ?? false,
    walk: toSnakeCased(found?.walk ?? []),
  };
}

function toArc({ result, sealers, failure }: Arc): Authentication["arc"] {
  return { result, chain: toSnakeCased(sealers), explanation: failure?.says ?? null };
}

function toBimi({ result, domain, name, records, l, a, declined, says }: Bimi): Authentication["bimi"] {
  // "skipped" and "declined" come from the BIMI draft, not from RFC 8601.
  const word = result === "skipped" || result === "declined" ? "none" : result;
  return { result: word, domain, name, records: [...records], logo: l, certificate: a, declined, explanation: says };
}
