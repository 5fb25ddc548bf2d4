// Signs the checksums of a release with Ed25519, in the form that openssl verifies:
// openssl pkeyutl -verify -pubin -inkey release-key.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig

import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** In the repository, because a key that comes with a download proves nothing. */
export const publicKeyFile = join(".github", "release-key.pem");

export function signSums(sums: string, privateKey: string): Buffer {
  return sign(null, Buffer.from(sums), createPrivateKey(privateKey));
}

/** What is wrong with the private key. Null: it fits. */
export function findKeyProblem(file: string, top: string): string | null {
  const kept = join(top, publicKeyFile);
  if (!existsSync(kept))
    return `There is no ${publicKeyFile}. Make a key once, keep the private one outside of the repository, and commit the public one:
  openssl genpkey -algorithm ed25519 -out release.key
  openssl pkey -in release.key -pubout -out ${publicKeyFile}`;
  try {
    const key = createPrivateKey(readFileSync(file, "utf8"));
    if (key.asymmetricKeyType !== "ed25519") return `${file} is not an Ed25519 key.`;
    const pem = createPublicKey(key).export({ type: "spki", format: "pem" });
    return pem.toString().trim() === readFileSync(kept, "utf8").trim()
      ? null
      : `${file} is not the private key of ${publicKeyFile}.`;
  } catch {
    return `${file} is not a private key in PEM format.`;
  }
}
