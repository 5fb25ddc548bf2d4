// DKIM (RFC 6376, 8301, 8463, 8616), verified by us and not by mailauth, because that asks for one key after the other,
// hashes the body once for each l=, takes quadratic time for folds, and departs from the standard in its lenient mode
// in about twenty places.

import type { DkimSignature } from "../checks/authentication-facts.ts";
import { type Fact, unknown } from "../checks/fact.ts";
import type { Dns } from "../dns/answer.ts";
import { type Canonicalization, readSignature, type Signature } from "../dns/dkim-signature.ts";
import { type BodyHash, fromLocalForm, hashBody, type MessageBytes } from "../mail/signing/body-hash.ts";
import { groupFields } from "../mail/signing/sign-message.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { type AskedKey, askDkimKey } from "./dkim-keys.ts";
import { judge, judgeAlone, type Verdict, verdictFor } from "./signature-verdict.ts";

/** RFC 6376 §6.1 leaves the number to the verifier; each costs a question to DNS and a verification. */
const maxEvaluated = 20;
/** Of those beyond it, how many the report names. */
const maxNamed = 30;
const maxShownLength = 320;
const maxSaysLength = 1_000;

type VerifiedDkim = {
  /** In the order of the message. */
  readonly signatures: readonly DkimSignature[];
  /** Not evaluated: the first of them stand in `signatures` as too-many, the rest is only counted. */
  readonly ignored: number;
};

/** `receivedAt`: milliseconds. Each key is asked for once, and none whose name is not a plain one. */
export async function verifyDkim(message: MessageBytes, dns: Dns, receivedAt: number): Promise<VerifiedDkim> {
  const { raw, section } = fromLocalForm(message);
  const fields = groupFields(section);
  const own = fields.get("dkim-signature") ?? [];
  const body = raw.subarray(section.bodyOffset);
  const evaluated = own.slice(0, maxEvaluated).map((field) => {
    const signature = readSignature(field.value, "dkim");
    return { field, signature, refusal: judgeAlone(signature, receivedAt) };
  });
  const asking = askKeys(
    evaluated.map(({ signature }) => signature),
    dns,
  );
  const hashOf = hashBodies(
    body,
    evaluated.flatMap(({ signature, refusal }) => (refusal ? [] : [signature])),
  );
  const keys = await asking;
  const signatures = evaluated.map(({ field, signature, refusal }, index) => {
    const asked = keys(signature);
    if (refusal) return toFact(index, signature, refusal, asked);
    const hash = hashOf(signature);
    return toFact(index, signature, judge({ signature, field, fields, body, hash, asked }), asked, hash);
  });
  const unseen = own.slice(maxEvaluated, maxEvaluated + maxNamed).map((field, index) => {
    const verdict = verdictFor("too-many", `only the first ${maxEvaluated} signatures are evaluated`);
    return toFact(maxEvaluated + index, readSignature(field.value, "dkim"), verdict);
  });
  return { signatures: [...signatures, ...unseen], ignored: Math.max(0, own.length - maxEvaluated) };
}

export type KeysBySignature = (signature: Signature) => Fact<AskedKey>;

/** All at once. Of a signature that cannot be verified whatever its key is, the key is not asked for. */
export async function askKeys(signatures: readonly Signature[], dns: Dns): Promise<KeysBySignature> {
  const names = new Set(signatures.flatMap(({ problem, keyName }) => (problem || !keyName ? [] : [keyName])));
  const asked = await Promise.all(
    [...names].map(async (name) => [name, await askDkimKey(name, dns)] as const),
  );
  const keys = new Map<string | null, Fact<AskedKey>>(asked);
  return ({ keyName }) => keys.get(keyName) ?? unknown("budget");
}

/** One pass over the body for each of the two forms that is needed. */
export function hashBodies(
  body: Uint8Array,
  signatures: readonly Signature[],
): (signature: Signature) => BodyHash {
  const formOf = ({ canon }: Signature) => canon?.body ?? "simple";
  const hashes = new Map<Canonicalization, BodyHash>();
  for (const [form, those] of Map.groupBy(signatures, formOf)) {
    const lengths = those.flatMap(({ bodyLength }) => bodyLength ?? []);
    hashes.set(form, hashBody(body, form, lengths));
  }
  return (signature) => hashes.get(formOf(signature)) ?? hashBody(body, formOf(signature));
}

function toFact(
  index: number,
  signature: Signature,
  verdict: Verdict,
  asked: Fact<AskedKey> = unknown("budget"),
  hash: BodyHash | null = null,
): DkimSignature {
  return {
    index,
    result: verdict.result,
    why: verdict.why,
    says: verdict.says === null ? null : toStorableCut(verdict.says, maxSaysLength),
    domain: signature.domain,
    selector: signature.selector,
    identity: toShown(signature.identity),
    algorithm: toShown(signature.algorithm),
    canon: signature.canon,
    headers: signature.headers.map((name) => toStorableCut(name, maxShownLength)),
    bodyLength: signature.bodyLength,
    bodyBytes: hash?.bytes ?? null,
    signedAt: signature.signedAt,
    expiresAt: signature.expiresAt,
    key: asked.known ? asked.value.key : null,
  };
}

/** From one character a byte. */
function toShown(text: string | null): string | null {
  return text === null ? null : toStorableCut(Buffer.from(text, "latin1").toString("utf8"), maxShownLength);
}
