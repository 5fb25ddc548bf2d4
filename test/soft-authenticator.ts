// What a person holds in their hand: the key of an authenticator app, and a passkey in software (WebAuthn level 3, §6) with
// ES256 and without attestation, as a browser would return it.

import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

export type SoftPasskey = { readonly id: string; readonly key: KeyObject; readonly host: string; counter: number };

type Claim = { readonly origin: string; readonly challenge: string; readonly host?: string };

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

function clientData(type: "create" | "get", { origin, challenge }: Claim): Buffer {
  return Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }));
}

function authenticatorData(host: string, flags: number, counter: number, rest: Buffer = Buffer.alloc(0)) {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(host), head, rest]);
}

/** What navigator.credentials.create() returns, and the authenticator that keeps the key. */
export function createPasskey(host: string, claim: Claim) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  // COSE_Key of RFC 9053 §7.1.1 in CBOR: kty EC2, alg ES256, crv P-256, x, y.
  const cose = Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);
  const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
  const data = authenticatorData(claim.host ?? host, 0x45, 0, attested);
  // {"fmt": "none", "attStmt": {}, "authData": bytes}
  const attestation = Buffer.concat([
    Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746159", "hex"),
    Buffer.from([data.length >> 8, data.length & 255]),
    data,
  ]);
  const passkey: SoftPasskey = { id: base64url(id), key: privateKey, host, counter: 0 };
  const response = {
    id: passkey.id,
    rawId: passkey.id,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64url(clientData("create", claim)),
      attestationObject: base64url(attestation),
      transports: ["internal"],
    },
  };
  return { passkey, response };
}

/** What navigator.credentials.get() returns. */
export function usePasskey(passkey: SoftPasskey, claim: Claim) {
  passkey.counter += 1;
  const client = clientData("get", claim);
  const data = authenticatorData(claim.host ?? passkey.host, 0x05, passkey.counter);
  const signature = createSign("sha256")
    .update(Buffer.concat([data, sha256(client)]))
    .sign(passkey.key);
  return {
    id: passkey.id,
    rawId: passkey.id,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(signature),
    },
  };
}

/** RFC 4648 §6, as an authenticator app reads its key. */
export function fromBase32(text: string): Uint8Array {
  let bits = "";
  for (const letter of text) bits += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0");
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
