// A certificate and its key as they stand on disk now. Polled, because certificates are renewed by renames and symbolic
// links, on network drives and in containers, where notices of change do not arrive.

import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Log } from "./log.ts";

export type CertificateFiles = { readonly certFile: string; readonly keyFile: string };
export type Certificate = { readonly cert: Buffer; readonly key: Buffer };

/** Throws where the files cannot be read or do not fit each other. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  const certificate = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  createSecureContext(certificate);
  return certificate;
}

/** Hands over the pair each time it changes; one that does not fit (half of a renewal) changes nothing. Returns the way to end it. */
export function watchCertificate(
  files: CertificateFiles,
  log: Log,
  onChange: (certificate: Certificate) => void,
  everyMs = 10_000,
): () => void {
  const reload = () => {
    try {
      onChange(readCertificate(files));
      log.info("The certificate was read again.", { file: files.certFile });
    } catch (cause) {
      log.warn("The changed certificate cannot be used; the one before stays in use.", {
        file: files.certFile,
        problem: cause instanceof Error ? cause.message : String(cause),
      });
    }
  };
  const paths = [files.certFile, files.keyFile];
  for (const path of paths) watchFile(path, { interval: everyMs, persistent: false }, reload);
  return () => {
    for (const path of paths) unwatchFile(path, reload);
  };
}
