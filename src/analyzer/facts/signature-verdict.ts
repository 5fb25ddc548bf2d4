// The verdict on one signature, in the order of RFC 6376 §6.1: the signature itself, its key, the body, the headers. ARC
// message signatures are judged by the same steps (RFC 8617 §4.1.2).
//
// When each result (RFC 8601 §2.7.1) is used:
// - fail: the hash or signature does not match.
// - neutral: the signature cannot be read or has expired. After x=, a verifier may reject it but need not (RFC 6376 §3.5,
//   §6.1.1). OpenDKIM and mailauth use neutral too.
// - policy: rsa-sha1 and RSA keys under 1024 bits, which RFC 8301 §3 forbids to accept, and signatures above our limit.
// - permerror: PERMFAIL of RFC 6376 §6.1 for another reason. Trying again does not help.
// - temperror: DNS did not answer.

import { KeyObject } from "node:crypto";
import type { DkimSignature, DkimWhy } from "../checks/authentication-facts.ts";
import type { Fact, Why } from "../checks/fact.ts";
import { isSignedBy, type KeyRecord } from "../dns/dkim-key.ts";
import type { Signature } from "../dns/dkim-signature.ts";
import type { HeaderField } from "../mail/headers/fields.ts";
import type { BodyHash } from "../mail/signing/body-hash.ts";
import { explainBody, explainHeader } from "../mail/signing/changed-message.ts";
import { type FieldsByKey, selectFields, toSignedText } from "../mail/signing/sign-message.ts";
import type { AskedKey } from "./dkim-keys.ts";

export type Verdict = Pick<DkimSignature, "result" | "why" | "says">;

/** A signature with its message and the DNS answer for its key. */
type SignatureCase = {
  readonly signature: Signature;
  readonly field: HeaderField;
  readonly fields: FieldsByKey;
  readonly body: Uint8Array;
  readonly hash: BodyHash;
  readonly asked: Fact<AskedKey>;
};

const pass: Verdict = { result: "pass", why: null, says: null };

const results: Readonly<Record<DkimWhy, DkimSignature["result"]>> = {
  syntax: "neutral",
  version: "neutral",
  "missing-tag": "neutral",
  "bad-name": "neutral",
  identity: "permerror",
  "from-unsigned": "permerror",
  algorithm: "neutral",
  canonicalization: "neutral",
  expired: "neutral",
  "too-many": "policy",
  sha1: "policy",
  "key-unknown": "temperror",
  "key-missing": "permerror",
  "key-revoked": "permerror",
  "key-faulty": "permerror",
  "key-too-short": "policy",
  "key-unsuitable": "permerror",
  "strict-identity": "permerror",
  "body-length": "permerror",
  "body-changed": "fail",
  "header-changed": "fail",
};

export function verdictFor(why: DkimWhy, says: string): Verdict {
  return { result: results[why], why, says };
}

/** Checks that need neither key nor body. Undefined if all pass. */
export function judgeAlone(signature: Signature, receivedAt: number): Verdict | undefined {
  const { problem, signedAt, expiresAt, algorithm } = signature;
  if (problem) return verdictFor(problem.why, problem.says);
  if (expiresAt !== null && signedAt !== null && expiresAt <= signedAt)
    return verdictFor("expired", `x=${expiresAt / 1_000} is not later than t=${signedAt / 1_000}`);
  // x= is in whole seconds, so it has passed once the next second begins.
  if (expiresAt !== null && expiresAt + 1_000 <= receivedAt)
    return verdictFor("expired", `it expired at ${toTime(expiresAt)}, before the message arrived`);
  if (algorithm === "rsa-sha1") return verdictFor("sha1", "a=rsa-sha1 must no longer be accepted (RFC 8301)");
  return undefined;
}

/** For a signature that passed `judgeAlone`. */
export function judge(it: SignatureCase): Verdict {
  const found = findKeys(it.signature, it.asked);
  return found.refusal ?? judgeBody(it) ?? judgeHeader(it, found.keys);
}

/** For a signature that is assumed to be correct: only its key can fail it. */
export function judgeKeyAlone(use: KeyUse, asked: Fact<AskedKey>): Verdict {
  return findKeys(use, asked).refusal ?? pass;
}

/** Like `judge`, for an ARC-Seal, which does not cover a body. */
export function judgeSeal(signature: Signature, asked: Fact<AskedKey>, signedText: string): Verdict {
  const { keys, refusal } = findKeys(signature, asked);
  if (refusal) return refusal;
  if (isSignedByAny(keys, signedText, signature)) return pass;
  return verdictFor("header-changed", "the seal does not verify because an ARC header was changed");
}

type KeyUse = Pick<Signature, "keyName" | "domain" | "identityDomain" | "algorithm">;
type FoundKeys = { readonly keys: readonly KeyObject[]; readonly refusal?: Verdict };

/** More than one key only if there are several records at the name. Then the choice is ours (RFC 6376 §3.6.2.2). */
function findKeys(signature: KeyUse, asked: Fact<AskedKey>): FoundKeys {
  const name = signature.keyName;
  const refuse = (refusal: Verdict) => ({ keys: [], refusal });
  if (!asked.known) return refuse(verdictFor("key-unknown", toUnknownKey(name, asked.why)));
  const judged = asked.value.records.map((record) => judgeKey(record, signature));
  const keys = judged.flatMap((key) => (key instanceof KeyObject ? [key] : []));
  if (keys.length > 0) return { keys };
  const refusal = judged.find((verdict) => !(verdict instanceof KeyObject)) as Verdict | undefined;
  return refuse(refusal ?? verdictFor("key-missing", `there is no DKIM key at ${name}`));
}

function toUnknownKey(name: string | null, why: Why): string {
  return why === "private-dns"
    ? `the DNS server does not resolve public names, so the key at ${name} is unknown`
    : `the DNS lookup for the key at ${name} failed (${why})`;
}

/** No email client writes this much, and each of twenty signatures would hash it again. */
const maxSignedLength = 1_000_000;
/** RFC 8301 §3.2. */
const minKeyBits = 1_024;

function judgeKey(record: KeyRecord, signature: KeyUse): KeyObject | Verdict {
  const { revoked, faults, type, bits, strictIdentity, publicKey } = record;
  const { keyName, domain, identityDomain } = signature;
  const findFault = (...kinds: string[]) => faults.find(({ fault }) => kinds.includes(fault))?.says;
  if (revoked) return verdictFor("key-revoked", `the key at ${keyName} is revoked (empty p=)`);
  const faulty = findFault("unreadable", "version", "type");
  if (faulty !== undefined || publicKey === null) return verdictFor("key-faulty", faulty ?? "the key cannot be read");
  if (type === "rsa" && (bits ?? 0) < minKeyBits)
    return verdictFor("key-too-short", `the key is ${bits} bits long, but at least ${minKeyBits} bits are required`);
  const unsuitable = findFault("hash", "service") ?? findMismatch(type, signature.algorithm);
  if (unsuitable !== undefined) return verdictFor("key-unsuitable", unsuitable);
  if (strictIdentity && identityDomain !== null && identityDomain !== domain)
    return verdictFor("strict-identity", `the key has t=s, but the domain in i= is ${identityDomain}, not ${domain}`);
  return publicKey;
}

function findMismatch(type: string | null, algorithm: string | null): string | undefined {
  return algorithm === `${type}-sha256` ? undefined : `the key type is ${type}, but the signature has a=${algorithm}`;
}

function judgeBody({ signature, hash, body }: SignatureCase): Verdict | undefined {
  const { bodyLength, bodyHash, canon } = signature;
  if (bodyHash === null || canon === null) return verdictFor("syntax", "bh= or c= cannot be read");
  if (bodyLength !== null && bodyLength > hash.bytes)
    return verdictFor("body-length", `the body has only ${hash.bytes} bytes, fewer than l=${bodyLength}`);
  const actual = bodyLength === null ? hash.whole : hash.upTo(bodyLength);
  if (actual?.equals(bodyHash)) return undefined;
  const says = explainBody({ body, canonicalization: canon.body, bodyHash, bodyLength });
  return verdictFor("body-changed", says);
}

function judgeHeader({ signature, field, fields }: SignatureCase, keys: readonly KeyObject[]): Verdict {
  const canonicalization = signature.canon?.header ?? "simple";
  const signed = selectFields(fields, signature.headers, field);
  if (signed.reduce((sum, { line }) => sum + line.length, 0) > maxSignedLength)
    return verdictFor("syntax", "it signs more than 1 MB of headers, which is too much to verify");
  if (isSignedByAny(keys, toSignedText(signed, field, canonicalization), signature)) return pass;
  const verifies = (text: string) => isSignedByAny(keys.slice(0, 1), text, signature);
  const { headers: names, copies } = signature;
  const says = explainHeader({ signed, own: field, names, copies, canonicalization, verifies });
  return verdictFor("header-changed", says);
}

function isSignedByAny(keys: readonly KeyObject[], text: string, { signature }: Signature): boolean {
  return signature !== null && keys.some((key) => isSignedBy(key, text, signature));
}

/** x= can be past the year 275760, where a Date cannot be formatted. */
function toTime(at: number): string {
  return new Date(Math.min(at, 8.64e15)).toISOString();
}
