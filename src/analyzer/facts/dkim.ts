// DKIM (RFC 6376, 8301, 8463, 8616), verified here and not by mailauth. That looks up keys one after the other, hashes
// the body once per l=, takes quadratic time on folded lines, and deviates from the standard in about twenty places.

import type { DkimSignature } from "../checks/authentication-facts.ts";
import { type Fact, unknown } from "../checks/fact.ts";
import type { Dns } from "../dns/answer.ts";
import { type Canonicalization, readSignature, type Signature } from "../dns/dkim-signature.ts";
import { type BodyHash, fromLocalForm, hashBody, type MessageBytes } from "../mail/signing/body-hash.ts";
import { groupFields } from "../mail/signing/sign-message.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { type AskedKey, askDkimKey } from "./dkim-keys.ts";
import { judge, judgeAlone, type Verdict, verdictFor } from "./signature-verdict.ts";

/** RFC 6376 §6.1 leaves the limit to the verifier. Each signature costs a DNS query and a verification. */
const maxEvaluated = 20;
/** How many of the signatures over the limit the report names. */
const maxNamed = 30;
const maxShownLength = 320;
const maxSaysLength = 1_000;

type VerifiedDkim = {
  /** In message order. */
  readonly signatures: readonly DkimSignature[];
  /**
   * Signatures that were not evaluated. The first of them are in `signatures` as too-many, and the rest are only
   * counted.
   */
  readonly ignored: number;
};

/** `receivedAt`: milliseconds. Each key is looked up once, and only under a valid name. */
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

/** In parallel. The key of a signature that cannot verify anyway is not looked up. */
export async function askKeys(signatures: readonly Signature[], dns: Dns): Promise<KeysBySignature> {
  const names = new Set(signatures.flatMap(({ problem, keyName }) => (problem || !keyName ? [] : [keyName])));
  const asked = await Promise.all([...names].map(async (name) => [name, await askDkimKey(name, dns)] as const));
  const keys = new Map<string | null, Fact<AskedKey>>(asked);
  return ({ keyName }) => keys.get(keyName) ?? unknown("budget");
}

/** One pass over the body per canonicalization in use. */
export function hashBodies(body: Uint8Array, signatures: readonly Signature[]): (signature: Signature) => BodyHash {
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

/** From one character per byte. */
function toShown(text: string | null): string | null {
  return text === null ? null : toStorableCut(Buffer.from(text, "latin1").toString("utf8"), maxShownLength);
}
