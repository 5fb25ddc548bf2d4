// A mark certificate (VMC, CMC) as BIMI has it: PEM → what it vouches for. Whether an authority that providers trust
// issued it is not judged: which those are each provider decides by itself.

import { X509Certificate } from "node:crypto";
import { inflateWithin } from "./inflate.ts";

export type MarkCertificate = {
  readonly startsAt: number;
  readonly endsAt: number;
  /** It may vouch for marks at all. */
  readonly isForMarks: boolean;
  /** In lower case. */
  readonly names: readonly string[];
  /** The SVG in it; null where none can be found. */
  readonly logo: Uint8Array | null;
};

/** id-kp-BrandIndicatorforMessageIdentification. */
const forMarks = "1.3.6.1.5.5.7.3.31";
const maxNames = 200;

/** Null for what is no certificate. The owner's own stands first; those of its authorities come behind. */
export function readMarkCertificate(pem: Uint8Array): MarkCertificate | null {
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

/** RFC 9399 §4.1: the logo stands in the extension as a URI that holds it, a string of its own (IA5String). */
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
