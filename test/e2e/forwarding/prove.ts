// One message after the other through all servers, and the verdicts on what arrived beside the prediction.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { gatherAuthentication } from "../../../src/analyzer/facts/authentication.ts";
import { gatherForwarding } from "../../../src/analyzer/facts/forwarding.ts";
import { type TransitId, transits } from "../../../src/analyzer/mail/forwarding/transits.ts";
import { readHeaderSection } from "../../../src/analyzer/mail/headers/fields.ts";
import type { Forwarding } from "../../../src/analyzer/reports/forwarding.ts";
import { ownHost, receivedAt, receiver } from "../../fixtures/messages/sender.ts";
import { keysOf, type ProofLetter, sealKey, toPem, zone } from "./letters.ts";
import { type Servers, startServers, startTalker, type Talker, unfoldWithFormail } from "./servers.ts";

export type Row = {
  readonly letter: string;
  readonly transit: TransitId;
  readonly survives: boolean;
  /** What the prediction says and reality doesn't; null if they agree. */
  readonly differs: string | null;
};

export async function prove(letters: readonly ProofLetter[]): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "assay-keys-"));
  const keys = keysOf(zone);
  const files = ["keys.json", "keys.txt", "seal.pem"].map((name) => join(folder, name));
  const [json = "", text = "", pem = ""] = files;
  writeFileSync(json, JSON.stringify(keys));
  writeFileSync(
    text,
    Object.entries(keys)
      .map(([name, key]) => `${name} ${key}\n`)
      .join(""),
  );
  writeFileSync(pem, toPem(sealKey));
  const python = startTalker("mail.py", [json, text, pem]);
  const servers = await startServers();
  try {
    const rows: Row[] = [];
    for (const letter of letters) rows.push(...(await proveOne(letter, servers, python)));
    return rows;
  } finally {
    await servers.stop();
    await python.stop();
    rmSync(folder, { recursive: true });
  }
}

async function proveOne(letter: ProofLetter, servers: Servers, python: Talker): Promise<Row[]> {
  const raw = Buffer.from(letter.message, "latin1");
  const predicted = await predict(raw);
  const first = await verify(raw, python);
  const arrived = await passOn(raw, servers, python);
  const rows: Row[] = [];
  for (const { id } of transits) {
    const bytes = arrived[id];
    const real = bytes === null ? null : await verify(bytes, python);
    const outcome = predicted.transits.find((one) => one.id === id);
    rows.push({
      letter: letter.name,
      transit: id,
      survives: outcome?.isAuthenticated === true,
      differs: compare(predicted, outcome, first, real),
    });
  }
  return rows;
}

export async function predict(raw: Buffer): Promise<Forwarding> {
  const section = readHeaderSection(raw);
  const dns = createZoneDns(zone);
  const session = {
    door: { kind: "smtp" },
    clientAddress: ownHost.clientAddress,
    helo: "mail.a.example",
    mailFrom: "bounce@a.example",
    rcptTo: [],
    tls: null,
    transcript: [],
  } as never;
  const authentication = await gatherAuthentication(
    { raw, section, session, receivedAt, receiver },
    { verdicts: dns, spfTree: dns },
  );
  return await gatherForwarding({ raw, section, authentication, judgedAt: receivedAt }, dns);
}

type Verdicts = {
  /** Of each signature, in message order. */
  readonly dkimpy: readonly (boolean | string)[];
  readonly opendkim: readonly boolean[];
  readonly arc: string;
};

async function verify(raw: Buffer, python: Talker): Promise<Verdicts> {
  return (await python.ask({ do: "verify", raw: raw.toString("base64") })) as Verdicts;
}

async function passOn(raw: Buffer, servers: Servers, python: Talker): Promise<Record<TransitId, Buffer | null>> {
  const remake = async (job: string, given: Buffer | null) => {
    if (given === null) return null;
    const { raw: made } = (await python.ask({ do: job, raw: given.toString("base64") })) as { raw: string };
    return Buffer.from(made, "base64");
  };
  const onward = async (given: Buffer | null) => given && (await servers.throughAlias(given));
  const alias = await servers.throughAlias(raw);
  const lists = await servers.throughLists(raw);
  return {
    alias,
    redirect: await servers.throughRedirect(raw),
    sealed: await remake("seal", alias),
    list: lists?.list ?? null,
    "list-tag": lists?.["list-tag"] ?? null,
    "list-footer": lists?.["list-footer"] ?? null,
    "list-sealed": await remake("seal", lists?.["list-both"] ?? null),
    downgrade: await servers.throughDowngrade(raw),
    recode: await onward(await remake("recode", raw)),
    boundary: await onward(await remake("boundary", raw)),
    unfold: await onward(unfoldWithFormail(raw)),
  };
}

function compare(
  { signatures }: Forwarding,
  outcome: Forwarding["transits"][number] | undefined,
  first: Verdicts,
  real: Verdicts | null,
): string | null {
  if (real === null) return outcome?.isAuthenticated === null ? null : "it did not arrive";
  if (outcome === undefined || outcome.isAuthenticated === null) return "no prediction";
  const wrong = outcome.signatures.flatMap(({ index, fate, changes }) => {
    const expected = fate === "survives";
    return (["dkimpy", "opendkim"] as const).flatMap((verifier) => {
      // Debian's OpenDKIM doesn't know Ed25519.
      if (first[verifier][index] !== true) return verifier === "dkimpy" ? [`dkimpy fails before`] : [];
      const found = real[verifier][index] === true;
      const why = JSON.stringify(changes);
      return found === expected ? [] : [`signature ${index}: predicted ${fate} ${why}, ${verifier} says ${found}`];
    });
  });
  const aligned = signatures.some(({ index, isAligned }) => isAligned && real.dkimpy[index] === true);
  const dmarc = aligned ? "pass" : "fail";
  if (outcome.dmarc !== dmarc) wrong.push(`DMARC: predicted ${outcome.dmarc}, it is ${dmarc}`);
  if (outcome.arc !== null && outcome.arc !== real.arc) wrong.push(`ARC: predicted ${outcome.arc}, it is ${real.arc}`);
  return wrong.length === 0 ? null : wrong.join("; ");
}
