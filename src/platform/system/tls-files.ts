// The operator's certificate: read, checked, and reloaded when it changes. It is checked every few seconds. File events would
// miss changes, because renewal tools swap symbolic links and rename files.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { Refusal } from "../errors.ts";
import type { PemPair } from "./self-signed.ts";
import type { System } from "./system.ts";

/** Paths. Both may be the same file. */
export type TlsFiles = { readonly cert: string; readonly key: string };

type TlsReading =
  | { readonly ok: true; readonly pair: PemPair; readonly certificate: X509Certificate }
  | { readonly ok: false; readonly problem: string };

export type TlsWatch = { readonly stop: () => void };

/** A chain has a few kilobytes. A larger file was named by mistake. */
const maxFileBytes = 1_048_576;

export async function readTlsFiles(files: TlsFiles, nowMs: number): Promise<TlsReading> {
  const cert = await readPem(files.cert);
  if (!cert.ok) return cert;
  const key = files.key === files.cert ? cert : await readPem(files.key);
  if (!key.ok) return key;
  return judgePair(files, { cert: cert.pem, key: key.pem }, nowMs);
}

/**
 * Reports each new pair that can be used. A pair that cannot be used is reported once as a problem, and the old one stays in
 * use. `current` is the pair in use, so that no change since it was read is missed.
 */
export function watchTlsFiles(
  files: TlsFiles,
  current: PemPair,
  listener: { readonly onChange: (pair: PemPair) => void; readonly onProblem: (problem: string) => void },
  options: { readonly now: () => number; readonly intervalMs?: number },
): TlsWatch {
  let inUse = current;
  let told = "";
  const look = async () => {
    const reading = await readTlsFiles(files, options.now());
    if (timer === undefined) return;
    if (!reading.ok && reading.problem !== told) listener.onProblem(reading.problem);
    told = reading.ok ? "" : reading.problem;
    if (reading.ok && (reading.pair.cert !== inUse.cert || reading.pair.key !== inUse.key)) {
      inUse = reading.pair;
      listener.onChange(inUse);
    }
    timer.refresh();
  };
  let timer: NodeJS.Timeout | undefined = setTimeout(look, options.intervalMs ?? 5_000).unref();
  return {
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** When a certificate expires, which may be in the past. Null if it cannot be read. */
export async function readExpiry(certFile: string): Promise<number | null> {
  const reading = await readPem(certFile);
  const certificate = reading.ok ? attempt(() => new X509Certificate(reading.pem)) : undefined;
  return certificate?.validToDate.getTime() ?? null;
}

type PemReading = { readonly ok: true; readonly pem: string } | { readonly ok: false; readonly problem: string };

async function readPem(path: string): Promise<PemReading> {
  try {
    const status = await stat(path);
    if (!status.isFile() || status.size > maxFileBytes) return problem(`${path} is not a PEM file.`);
    return { ok: true, pem: await readFile(path, "utf8") };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return problem(`${path} does not exist.`);
    return problem(`${path} cannot be read (${code}). Make it readable for the user that runs Assay.`);
  }
}

function judgePair(files: TlsFiles, pair: PemPair, nowMs: number): TlsReading {
  const certificate = attempt(() => new X509Certificate(pair.cert));
  if (!certificate) return problem(`${files.cert} does not contain a PEM certificate.`);
  const key = attempt(() => createPrivateKey(pair.key));
  if (!key) return problem(`${files.key} does not contain a PEM private key without a passphrase.`);
  if (!certificate.checkPrivateKey(key))
    return problem(`The key in ${files.key} does not match the first certificate in ${files.cert}.`);
  if (certificate.validToDate.getTime() <= nowMs)
    return problem(`The certificate in ${files.cert} expired on ${dayOf(certificate.validToDate)}. Renew it.`);
  if (certificate.validFromDate.getTime() > nowMs)
    return problem(`The certificate in ${files.cert} is not valid until ${dayOf(certificate.validFromDate)}.`);
  if (!attempt(() => createSecureContext(pair))) return problem(`The chain in ${files.cert} cannot be used for TLS.`);
  return { ok: true, pair, certificate };
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function problem(text: string): { ok: false; problem: string } {
  return { ok: false, problem: text };
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

// A certificate that a listener uses. Checked at start, where a bad one is an error, and followed from then on.

export async function loadTls(files: TlsFiles, { now }: Pick<System, "now">): Promise<PemPair> {
  const reading = await readTlsFiles(files, now());
  if (!reading.ok) throw new Refusal("invalid_request", reading.problem);
  return reading.pair;
}

/** Returns a function that stops following. */
export function followTls(
  files: TlsFiles,
  current: PemPair,
  onChange: (pair: PemPair) => void,
  { log, now }: Pick<System, "log" | "now">,
): () => void {
  const listener = {
    onChange: (pair: PemPair) => {
      onChange(pair);
      log.info("certificate reloaded", { file: files.cert });
    },
    onProblem: (problem: string) =>
      log.warn("new certificate cannot be used; keeping the old one", { file: files.cert, problem }),
  };
  return watchTlsFiles(files, current, listener, { now }).stop;
}
