// Fetches the files of a BIMI record, the logo and the mark certificate. Only for a domain that a user monitors or asks
// about, never because a message names it.

import { X509Certificate } from "node:crypto";
import { gunzipSync } from "node:zlib";
import type { Bimi, BimiCertificate, BimiLogo } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import { toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import type { FetchDoor, FetchOutcome } from "./fetch.ts";
import { isPassingTrouble, whyUnfetched } from "./mta-sts-policy.ts";
import { findSvgProblem } from "./svg-profile.ts";

/** A logo has 32 KB at most. */
const maxInflatedBytes = 262_144;

/** Decompresses gzip and returns anything else as it is. Null if damaged or too large. */
function inflateWithin(bytes: Buffer): Buffer | null {
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== 0x1f8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxInflatedBytes });
  } catch {
    return null;
  }
}

export type BimiFiles = Pick<Bimi, "logo" | "certificate">;

const timeoutMs = 10_000;
const maxBytes = maxInflatedBytes;
const redirects = 3;

/** `domain`: the domain whose mail should show the logo. */
export async function fetchBimiFiles(
  { domain, name, l, a }: Pick<Bimi, "domain" | "name" | "l" | "a">,
  door: FetchDoor,
  now: () => number,
): Promise<BimiFiles> {
  const [logo, certificate] = await Promise.all([
    l === null ? null : fetchFile(l, door),
    a === null ? null : fetchFile(a, door),
  ]);
  const names = toAcceptedNames(domain ?? "", name ?? "");
  return {
    logo: logo === null || l === null ? unknown("off") : toLogo(l, logo),
    certificate:
      certificate === null || a === null
        ? unknown("off")
        : toCertificate(a, certificate, { names, fetchedAt: now(), logo: svgIn(logo) }),
  };
}

/** For a redirect that cannot be followed, the status of the redirect itself is returned. */
async function fetchFile(url: string, door: FetchDoor): Promise<FetchOutcome> {
  const first = await door(url, { timeoutMs, maxBytes, redirects: 0 });
  if (!first.ok || first.status < 300 || first.status > 399) return first;
  const last = await door(url, { timeoutMs, maxBytes, redirects });
  return !last.ok && last.failure === "redirect" ? first : last;
}

function toLogo(url: string, outcome: FetchOutcome): Fact<BimiLogo> {
  if (!outcome.ok) {
    const why = whyUnfetched[outcome.failure];
    if (why !== null) return unknown(why);
    const isTooLarge = outcome.failure === "too_large";
    const problem = isTooLarge ? null : "the server has an untrusted certificate";
    return known({ url, status: isTooLarge ? 200 : null, bytes: isTooLarge ? null : 0, problem });
  }
  const { status, body } = outcome;
  if (isPassingTrouble(status)) return unknown("silent");
  const bytes = body.length;
  const problem = status === 200 ? findProblem(body) : null;
  return known({ url, status, bytes, problem });
}

function findProblem(body: Uint8Array): string | null {
  const svg = inflateWithin(toBuffer(body));
  return svg === null ? "it cannot be decompressed" : findSvgProblem(svg.toString("utf8"));
}

function svgIn(outcome: FetchOutcome | null): Uint8Array | null {
  return outcome?.ok && outcome.status === 200 ? inflateWithin(toBuffer(outcome.body)) : null;
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

type Expected = {
  readonly names: ReadonlySet<string>;
  readonly fetchedAt: number;
  /** The file at l=; null if unknown. */
  readonly logo: Uint8Array | null;
};

function toCertificate(url: string, outcome: FetchOutcome, expected: Expected): Fact<BimiCertificate> {
  const { fetchedAt } = expected;
  const unusable = (problem: string) => known({ url, fetchedAt, endsAt: null, problem });
  if (!outcome.ok) {
    const why = whyUnfetched[outcome.failure];
    // The text becomes part of a sentence.
    return why === null ? unusable(outcome.problem.replace(/\.$/, "")) : unknown(why);
  }
  const { status, body } = outcome;
  if (isPassingTrouble(status)) return unknown("silent");
  if (status !== 200) return unusable(`the server returned ${status}`);
  const certificate = readMarkCertificate(body);
  if (certificate === null) return unusable("it is not a PEM certificate");
  return known({ url, fetchedAt, endsAt: certificate.endsAt, problem: findMismatch(certificate, expected) });
}

function findMismatch(certificate: MarkCertificate, { names, fetchedAt, logo }: Expected): string | null {
  const { startsAt, endsAt, isForMarks } = certificate;
  if (endsAt <= fetchedAt) return `it expired on ${toDay(endsAt)}`;
  if (startsAt > fetchedAt) return `it is not valid before ${toDay(startsAt)}`;
  if (!isForMarks) return "it is not a mark certificate";
  if (!certificate.names.some((name) => names.has(name))) return "it is not for this domain";
  if (logo === null || certificate.logo === null || Buffer.compare(logo, certificate.logo) === 0) return null;
  return "it contains a different logo";
}

function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The domain or its organization, with or without the selector in front. */
function toAcceptedNames(domain: string, recordName: string): ReadonlySet<string> {
  const prefix = recordName.slice(0, recordName.indexOf("._bimi.") + 7);
  const domains = [domain, toRegistrableDomain(domain), recordName.slice(prefix.length)];
  return new Set(domains.flatMap((one) => [one, `${prefix}${one}`]));
}

// Reads a mark certificate (VMC, CMC) for BIMI from PEM. The issuer is not judged, because each provider decides which
// authorities it trusts.

type MarkCertificate = {
  readonly startsAt: number;
  readonly endsAt: number;
  /** Its purpose allows marks. */
  readonly isForMarks: boolean;
  /** In lower case. */
  readonly names: readonly string[];
  /** The embedded SVG; null if there is none. */
  readonly logo: Uint8Array | null;
};

/** id-kp-BrandIndicatorforMessageIdentification. */
const forMarks = "1.3.6.1.5.5.7.3.31";
const maxNames = 200;

/** Null if not a certificate. The owner's certificate comes first, followed by those of its authorities. */
function readMarkCertificate(pem: Uint8Array): MarkCertificate | null {
  try {
    const certificate = new X509Certificate(pem);
    const names = (certificate.subjectAltName ?? "")
      .split(", ", maxNames)
      .flatMap((name) => (name.startsWith("DNS:") ? [name.slice(4).toLowerCase()] : []));
    const [startsAt, endsAt] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()];
    if (Number.isNaN(startsAt) || Number.isNaN(endsAt)) return null;
    return {
      startsAt,
      endsAt,
      isForMarks: certificate.keyUsage?.includes(forMarks) === true,
      names,
      logo: readLogo(certificate.raw),
    };
  } catch {
    return null;
  }
}

/** RFC 9399 §4.1: the extension contains the logo as a data URI in an IA5String. */
const uriPrefix = "data:image/svg+xml";

function readLogo(der: Buffer): Uint8Array | null {
  const at = der.indexOf(uriPrefix);
  const length = at < 0 ? null : lengthBefore(der, at);
  if (length === null || at + length > der.length) return null;
  const uri = der.toString("latin1", at, at + length);
  const comma = uri.indexOf(";base64,");
  return comma < 0 ? null : inflateWithin(Buffer.from(uri.slice(comma + 8), "base64"));
}

const ia5String = 0x16;

/** X.690 §8.1.3, read backwards from the contents. */
function lengthBefore(der: Buffer, at: number): number | null {
  if (at >= 2 && der[at - 2] === ia5String) return der.readUInt8(at - 1);
  for (const bytes of [1, 2, 3])
    if (at >= bytes + 2 && der[at - bytes - 2] === ia5String && der[at - bytes - 1] === 0x80 + bytes)
      return der.readUIntBE(at - bytes, bytes);
  return null;
}
