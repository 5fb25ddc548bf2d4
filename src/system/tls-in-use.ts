// A certificate that a listener serves: read at start, where a bad one is refused, and followed from then on.

import { Refusal } from "../errors.ts";
import type { PemPair } from "./self-signed.ts";
import type { System } from "./system.ts";
import { readTlsFiles, type TlsFiles, watchTlsFiles } from "./tls-files.ts";

export async function loadTls(files: TlsFiles, { now }: Pick<System, "now">): Promise<PemPair> {
  const reading = await readTlsFiles(files, now());
  if (!reading.ok) throw new Refusal("invalid_request", reading.problem);
  return reading.pair;
}

/** Answers how to stop following. */
export function followTls(
  files: TlsFiles,
  current: PemPair,
  onChange: (pair: PemPair) => void,
  { log, now }: Pick<System, "log" | "now">,
): () => void {
  const listener = {
    onChange: (pair: PemPair) => {
      onChange(pair);
      log.info("certificate read again", { file: files.cert });
    },
    onProblem: (problem: string) =>
      log.warn("certificate not usable; the old one stays in use", { file: files.cert, problem }),
  };
  return watchTlsFiles(files, current, listener, { now }).stop;
}
