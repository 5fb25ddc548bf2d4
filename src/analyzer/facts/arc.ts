// ARC (RFC 8617 §5.2), validated here because mailauth accepts seals with malformed tags and looks up keys one after
// the other. The chain is valid if its structure is right and the newest message signature and every seal verify. Older
// message signatures may be broken, which is what ARC is for.

import type { Arc } from "../checks/authentication-facts.ts";
import type { Dns } from "../dns/answer.ts";
import { maxInstance, readSignature, type Signature } from "../dns/dkim-signature.ts";
import { quoteBytes } from "../dns/tag-list.ts";
import type { HeaderField } from "../mail/headers/fields.ts";
import { fromLocalForm, type MessageBytes } from "../mail/signing/body-hash.ts";
import { canonicalField, type FieldsByKey, groupFields, toSignedText } from "../mail/signing/sign-message.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { askKeys, hashBodies, type KeysBySignature } from "./dkim.ts";
import { judge, judgeAlone, judgeSeal, type Verdict } from "./signature-verdict.ts";

const kinds = ["arc-authentication-results", "arc-message-signature", "arc-seal"] as const;
type Kind = (typeof kinds)[number];

type ArcField = {
  readonly kind: Kind;
  readonly field: HeaderField;
  /** Null if i= is missing or not from 1 to 50. */
  readonly instance: number | null;
  /** Null for ARC-Authentication-Results, which have no signature. */
  readonly signature: Signature | null;
};

/** What one hop added. */
type ArcSet = {
  readonly instance: number;
  readonly results: HeaderField;
  readonly message: { readonly field: HeaderField; readonly signature: Signature };
  readonly seal: { readonly field: HeaderField; readonly signature: Signature };
};

type Failure = NonNullable<Arc["failure"]>;

/** Each seal covers all older ones, so the cost of a long chain is quadratic. */
const maxArcBytes = 1_000_000;
const maxShownLength = 10_000;
const maxSaysLength = 1_000;

/** `receivedAt`: milliseconds. */
export async function verifyArc(message: MessageBytes, dns: Dns, receivedAt: number): Promise<Arc> {
  const { raw, section } = fromLocalForm(message);
  const fields = groupFields(section);
  const arcFields = kinds.flatMap((kind) => (fields.get(kind) ?? []).map((field) => ({ kind, field })));
  if (arcFields.length === 0)
    return { present: false, result: "none", instances: 0, sealers: [], failure: null, firstResults: null };
  const read = arcFields.slice(0, kinds.length * maxInstance).map(readArcField);
  const fault = findExcess(arcFields.map(({ field }) => field)) ?? findStructureFault(read);
  const sets = fault ? [] : toSets(read);
  const newest = sets.at(-1);
  const body = raw.subarray(section.bodyOffset);
  const end: ChainEnd = newest
    ? await verifySets({ sets, newest, fields, body, dns, receivedAt })
    : { result: "fail", failure: fault ?? null };
  return {
    present: true,
    result: end.result,
    instances: Math.max(0, ...read.map(({ instance }) => instance ?? 0)),
    sealers: toSealers(read),
    failure: end.failure && { ...end.failure, says: toStorableCut(end.failure.says, maxSaysLength) },
    firstResults: end.result === "pass" ? toShownResults(sets) : null,
  };
}

function readArcField({ kind, field }: { kind: Kind; field: HeaderField }): ArcField {
  if (kind === "arc-authentication-results")
    return { kind, field, instance: readResultsInstance(field.value), signature: null };
  const signature = readSignature(field.value, kind === "arc-seal" ? "arc-seal" : "arc-message");
  return { kind, field, instance: signature.instance, signature };
}

/** §4.1.1: `i=` comes first and ends with a semicolon. Comments may come between. */
const resultsInstance = /^(?:[ \t\r\n]|\([^()\\]*\))*i[ \t\r\n]*=[ \t\r\n]*(\d{1,2})(?:[ \t\r\n]|\([^()\\]*\))*;/;

function readResultsInstance(value: string): number | null {
  const instance = Number(resultsInstance.exec(value)?.[1] ?? 0);
  return instance >= 1 && instance <= maxInstance ? instance : null;
}

function findExcess(fields: readonly HeaderField[]): Failure | undefined {
  if (fields.length > kinds.length * maxInstance)
    return { instance: null, says: `there are more than ${maxInstance} instances` };
  const bytes = fields.reduce((sum, { line }) => sum + line.length, 0);
  return bytes > maxArcBytes ? { instance: null, says: "its headers are longer than 1 MB" } : undefined;
}

/** §5.2 steps 2 and 3. */
function findStructureFault(read: readonly ArcField[]): Failure | undefined {
  const adrift = read.find(({ instance }) => instance === null);
  if (adrift) return { instance: null, says: `${adrift.field.name} has no i= value from 1 to ${maxInstance}` };
  const last = Math.max(...read.map(({ instance }) => instance ?? 0));
  for (let instance = 1; instance <= last; instance++) {
    const own = read.filter((field) => field.instance === instance);
    for (const kind of kinds) {
      const count = own.filter((field) => field.kind === kind).length;
      if (count !== 1) return { instance, says: count === 0 ? `${kind} is missing` : `${kind} appears ${count} times` };
    }
  }
  return undefined;
}

/** Oldest first. The structure has already been checked. */
function toSets(read: readonly ArcField[]): ArcSet[] {
  const byInstance = Map.groupBy(read, ({ instance }) => instance ?? 0);
  return [...byInstance]
    .sort(([one], [other]) => one - other)
    .flatMap(([instance, own]) => {
      const [results, message, seal] = kinds.map((kind) => own.find((field) => field.kind === kind));
      if (!results || !message?.signature || !seal?.signature) return [];
      return {
        instance,
        results: results.field,
        message: { field: message.field, signature: message.signature },
        seal: { field: seal.field, signature: seal.signature },
      };
    });
}

type ChainEnd = Pick<Arc, "result" | "failure">;

type Chain = {
  readonly sets: readonly ArcSet[];
  readonly newest: ArcSet;
  readonly fields: FieldsByKey;
  readonly body: Uint8Array;
  readonly dns: Dns;
  readonly receivedAt: number;
};

/** §5.2 steps 2 to 6. A known error decides, even if DNS left something else unknown. */
async function verifySets(chain: Chain): Promise<ChainEnd> {
  const { sets } = chain;
  const stateFault = findStateFault(sets);
  if (stateFault) return { result: "fail", failure: stateFault };
  const verdicts = await judgeSets(chain);
  const wrong =
    verdicts.find(({ result }) => result !== "pass" && result !== "temperror") ??
    verdicts.find(({ result }) => result !== "pass");
  if (!wrong) return { result: "pass", failure: null };
  const failure = { instance: wrong.instance, says: `${wrong.what}: ${wrong.says}` };
  return { result: wrong.result === "temperror" ? "temperror" : "fail", failure };
}

/** §4.1.3: the first seal has cv=none and each later one cv=pass. A sealer that found the chain broken sets cv=fail. */
function findStateFault(sets: readonly ArcSet[]): Failure | undefined {
  const stateOf = ({ seal }: ArcSet) => seal.signature.chainState;
  const broken = sets.findLast((set) => stateOf(set) === "fail");
  if (broken) return { instance: broken.instance, says: "the chain was already broken when it was sealed (cv=fail)" };
  const wrong = sets.find((set) => stateOf(set) !== (set.instance === 1 ? "none" : "pass"));
  return wrong && { instance: wrong.instance, says: `cv=${quoteBytes(stateOf(wrong) ?? "")} is not allowed here` };
}

type SetVerdict = Verdict & { readonly instance: number; readonly what: string };

/** The newest message signature, then the seals, newest first. */
async function judgeSets({ sets, newest, fields, body, dns, receivedAt }: Chain): Promise<SetVerdict[]> {
  const { field, signature } = newest.message;
  const asking = askKeys([signature, ...sets.map(({ seal }) => seal.signature)], dns);
  const readings = toReadings(signature);
  const hashOf = hashBodies(body, readings);
  const keys = await asking;
  const verdicts = readings.map((reading) => {
    const it = { signature: reading, field, fields, body, hash: hashOf(reading), asked: keys(reading) };
    const verdict = judgeAlone(reading, receivedAt) ?? judge(it);
    return { ...verdict, instance: newest.instance, what: "ARC-Message-Signature" };
  });
  const passing = verdicts.filter(({ result }) => result === "pass");
  return [...(passing.length > 0 ? passing : verdicts), ...judgeSeals(sets, keys, receivedAt).reverse()];
}

/** §5.1.1: each covers its own set and all older ones. */
function judgeSeals(sets: readonly ArcSet[], keys: KeysBySignature, receivedAt: number): SetVerdict[] {
  const covered: string[] = [];
  const cover = (field: HeaderField) => covered.push(`${canonicalField(field, "relaxed")}\r\n`);
  return sets.map(({ instance, results, message, seal: { field, signature } }) => {
    cover(results);
    cover(message.field);
    const text = covered.join("") + toSignedText([], field, "relaxed");
    cover(field);
    const verdict = judgeAlone(signature, receivedAt) ?? judgeSeal(signature, keys(signature), text);
    return { ...verdict, instance, what: "ARC-Seal" };
  });
}

/** Without c= it is simple/simple (RFC 8617 §4.1.2, RFC 6376 §3.5); the drafts, and the suite, had relaxed/relaxed. */
function toReadings(signature: Signature): Signature[] {
  if (!signature.canonIsDefault) return [signature];
  return [signature, { ...signature, canon: { header: "relaxed", body: "relaxed" } }];
}

function toSealers(read: readonly ArcField[]): Arc["sealers"] {
  return read
    .flatMap(({ kind, instance, signature }) =>
      kind === "arc-seal" && signature && instance !== null
        ? [{ instance, domain: signature.domain, selector: signature.selector }]
        : [],
    )
    .sort((one, other) => one.instance - other.instance);
}

function toShownResults(sets: readonly ArcSet[]): string | null {
  const text = sets[0]?.results.value
    .replace(resultsInstance, "")
    .replace(/[ \t\r\n]+/g, " ")
    .trim();
  return text === undefined ? null : toStorableCut(Buffer.from(text, "latin1").toString("utf8"), maxShownLength);
}
