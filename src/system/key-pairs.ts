// New keys to sign with, made in the thread pool: an RSA key takes a good part of a second.

import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { KeyAlgorithm } from "../mail/signing-algorithms.ts";

export type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

const generate = promisify(generateKeyPair);
/** RFC 8301 §3.2; a longer key does not fit into one packet of DNS. */
const rsaBits = 2_048;

/** One at a time: those who ask for many keys keep nobody else from the pool. */
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
