// Self-signed mark certificates for tests, written in DER by hand.

import { generateKeyPairSync, sign } from "node:crypto";
import { gzipSync } from "node:zlib";

export type Mark = {
  readonly names: readonly string[];
  readonly startsAt: number;
  readonly endsAt: number;
  /** Its extended key usage; that of marks by default. */
  readonly purpose?: readonly number[];
  readonly svg: string | null;
};

const forMarks = [0x2b, 6, 1, 5, 5, 7, 3, 31];
export const forServers = [0x2b, 6, 1, 5, 5, 7, 3, 1];

export function createMarkCertificate({ names, startsAt, endsAt, purpose = forMarks, svg }: Mark): string {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]));
  const name = sequence(tagged(0x31, sequence(oid([0x55, 4, 3]), tagged(0x0c, Buffer.from("A mark")))));
  const extensions = [
    extension([0x55, 0x1d, 0x25], sequence(oid(purpose))),
    extension([0x55, 0x1d, 0x11], sequence(...names.map((one) => tagged(0x82, Buffer.from(one))))),
    ...(svg === null ? [] : [extension([0x2b, 6, 1, 5, 5, 7, 1, 12], logotype(svg))]),
  ];
  const body = sequence(
    tagged(0xa0, tagged(2, Buffer.of(2))),
    tagged(2, Buffer.of(1)),
    algorithm,
    name,
    sequence(time(startsAt), time(endsAt)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = tagged(3, Buffer.of(0), sign("sha256", body, privateKey));
  const lines =
    sequence(body, algorithm, signature)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

/** RFC 9399 §4.1: subjectLogo, direct, one image. */
function logotype(svg: string): Buffer {
  const uri = `data:image/svg+xml;base64,${gzipSync(svg).toString("base64")}`;
  const image = sequence(
    tagged(0x16, Buffer.from("image/svg+xml")),
    sequence(sequence(sequence(oid([0x2b, 0x0e, 3, 2, 0x1a])), tagged(4, Buffer.alloc(20)))),
    sequence(tagged(0x16, Buffer.from(uri))),
  );
  return sequence(tagged(0xa2, tagged(0xa0, sequence(sequence(image)))));
}

function extension(id: readonly number[], value: Buffer): Buffer {
  return sequence(oid(id), tagged(4, value));
}

function time(at: number): Buffer {
  return tagged(0x18, Buffer.from(new Date(at).toISOString().replace(/[-T:]|\.\d+/g, "")));
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: readonly Buffer[]) => tagged(0x30, ...parts);
const oid = (bytes: readonly number[]) => tagged(6, Buffer.from(bytes));
