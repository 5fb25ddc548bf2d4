// A certificate for STARTTLS at first start, so that mail is encrypted before the operator has one from a CA. The DER is
// written by hand: the runtime can sign but not create X.509, and a package would cost more than these lines. Clients that
// deliver mail verify names only with DANE or MTA-STS (RFC 7435).

import { generateKeyPair, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { KeyAlgorithm } from "../../analyzer/mail/signing/signing-algorithms.ts";
import { writePrivateFile } from "./private-file.ts";

export type PemPair = { readonly cert: string; readonly key: string };

const dayMs = 86_400_000;
const lifetimeMs = 3_652 * dayMs;
/** Renewed before clients with a fast clock consider it expired. */
const renewalMs = 30 * dayMs;

/** RFC 5280 appendix A: maximum length of a common name. */
const maxCommonName = 64;

const oids = {
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  commonName: [0x55, 0x04, 0x03],
  keyUsage: [0x55, 0x1d, 0x0f],
  subjectAltName: [0x55, 0x1d, 0x11],
  basicConstraints: [0x55, 0x1d, 0x13],
  extendedKeyUsage: [0x55, 0x1d, 0x25],
  serverAuth: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01],
};

/** Path of one file with certificate and key, so that they always match. Kept as long as it can be used. */
export async function ensureSelfSigned(dataDir: string, hostNames: readonly string[], nowMs: number): Promise<string> {
  const path = join(dataDir, "smtp-self-signed.pem");
  const present = await readFile(path, "utf8").catch(() => "");
  if (!isStillGood(present, hostNames, nowMs)) {
    const { cert, key } = createSelfSigned(hostNames, nowMs);
    await writePrivateFile(path, cert + key);
  }
  return path;
}

export function createSelfSigned(hostNames: readonly string[], nowMs: number): PemPair {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const body = certificateBody(hostNames, nowMs, publicKey);
  const signature = sign("sha256", body, privateKey);
  const certificate = sequence(body, sequence(oid(oids.ecdsaWithSha256)), bitString(signature));
  return { cert: toPem(certificate), key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

function isStillGood(pem: string, hostNames: readonly string[], nowMs: number): boolean {
  try {
    const certificate = new X509Certificate(pem);
    const isNamed = hostNames.every((name) => certificate.checkHost(name) !== undefined);
    // It is from the future if it was created while the clock was ahead.
    const isBegun = certificate.validFromDate.getTime() <= nowMs;
    return isNamed && isBegun && certificate.validToDate.getTime() - nowMs > renewalMs;
  } catch {
    return false;
  }
}

/** RFC 5280 §4.1: the part that is signed. */
function certificateBody(hostNames: readonly string[], nowMs: number, publicKey: KeyObject): Buffer {
  const [first = ""] = hostNames;
  const name = commonName(first.length > 0 && first.length <= maxCommonName ? first : "Assay");
  return sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(positive(randomBytes(16))),
    sequence(oid(oids.ecdsaWithSha256)),
    name,
    sequence(time(nowMs - dayMs), time(nowMs + lifetimeMs)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...extensions(hostNames))),
  );
}

function extensions(hostNames: readonly string[]): Buffer[] {
  const critical = Buffer.of(0x01, 0x01, 0xff);
  const digitalSignature = Buffer.of(0x03, 0x02, 0x07, 0x80);
  const dnsNames = hostNames.map((hostName) => tagged(0x82, Buffer.from(hostName, "ascii")));
  return [
    sequence(oid(oids.basicConstraints), critical, octetString(sequence())),
    sequence(oid(oids.keyUsage), critical, octetString(digitalSignature)),
    sequence(oid(oids.extendedKeyUsage), octetString(sequence(oid(oids.serverAuth)))),
    sequence(oid(oids.subjectAltName), octetString(sequence(...dnsNames))),
  ];
}

function commonName(text: string): Buffer {
  return sequence(tagged(0x31, sequence(oid(oids.commonName), tagged(0x0c, Buffer.from(text)))));
}

/** RFC 5280 §4.1.2.5: years have two digits until 2049, then four. */
function time(atMs: number): Buffer {
  const digits = `${new Date(atMs).toISOString().replace(/[-T:]|\.\d+/g, "")}`;
  return digits < "2050" ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}

/** A positive integer without superfluous leading zero bytes. */
function positive(bytes: Buffer): Buffer {
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag, ...lengthBytes(content.length)), content]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const sequence = (...parts: Buffer[]) => tagged(0x30, ...parts);
const integer = (bytes: Buffer) => tagged(0x02, bytes);
const octetString = (content: Buffer) => tagged(0x04, content);
const bitString = (content: Buffer) => tagged(0x03, Buffer.of(0), content);
const oid = (encoded: readonly number[]) => tagged(0x06, Buffer.from(encoded));

function toPem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

// Creates new signing keys in the thread pool, because an RSA key takes a good part of a second.

export type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

const generate = promisify(generateKeyPair);
/** RFC 8301 §3.2. A longer key does not fit into one DNS packet. */
const rsaBits = 2_048;

/** One at a time, so that requests for many keys do not block the pool. */
export function createKeyMaker(): (algorithm: KeyAlgorithm) => Promise<KeyPair> {
  let last: Promise<unknown> = Promise.resolve();
  return (algorithm) => {
    const made = last.then(() =>
      algorithm === "rsa" ? generate("rsa", { modulusLength: rsaBits }) : generate("ed25519"),
    );
    last = made.catch(() => {});
    return made;
  };
}
