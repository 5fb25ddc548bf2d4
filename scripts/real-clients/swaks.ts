// swaks sends its input byte for byte, and supports the proxy protocols.

import type { RealClient } from "./letters.ts";
import { findProgramLack, runProgram } from "./program.ts";

export type Port = { readonly host: string; readonly port: number };

export function createSwaks(name: string, { host, port }: Port, more: readonly string[] = []): RealClient {
  return {
    name,
    findLack: () => findProgramLack("swaks", "swaks"),
    carries: () => true,
    addsHeader: false,
    send: async ({ bytes }, { from, to }) => {
      const place = ["--server", host, "--port", String(port), "--helo", "client.example"];
      const asItIs = ["--data", "-", "--no-data-fixup", "--no-strip-from"];
      await runProgram("swaks", [...place, "--from", from, "--to", to, ...asItIs, ...more], toDotted(bytes));
    },
  };
}

/** swaks takes DATA in its form on the wire, and adds the last line end. */
function toDotted(bytes: Buffer): Buffer {
  const stuffed = bytes.toString("latin1").replace(/(^|\r\n)\./g, "$1..");
  return Buffer.from(`${stuffed}.`, "latin1");
}
