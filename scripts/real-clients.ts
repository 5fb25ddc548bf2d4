// Checks that real mail clients can deliver to a new Assay, and that it stores exactly the bytes that were sent.
// Usage: npm run script -- scripts/real-clients.ts [--all]
// Clients missing on this machine are skipped with a note. With --all that is a failure.

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { type AssayProcess, startAssay } from "./assay-process.ts";
import { makeToken } from "./first-message.ts";
import { bodyOf, type Letter } from "./real-clients/letters.ts";
import {
  createPostfixTrial,
  createTrials,
  type Facts,
  proxyAddress,
  type Trial,
  xclientAddress,
} from "./real-clients/trials.ts";

const environment = {
  ASSAY_SMTP_PROXY_FROM: proxyAddress,
  ASSAY_SMTP_XCLIENT_FROM: xclientAddress,
  ASSAY_MIN_FREE_BYTES: "0",
};
const patienceMs = 30_000;

type Delivered = { readonly raw: Buffer; readonly transport: Facts };
type Read = (label: string) => Promise<Delivered>;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } });
  const folder = mkdtempSync(join(tmpdir(), "assay-clients-"));
  chmodSync(folder, 0o755);
  const command = [process.execPath, fileURLToPath(new URL("../src/main.ts", import.meta.url))];
  const program = { command, dataDir: join(folder, "data"), environment };
  const server = await startAssay(program);
  const trials = [...createTrials(server.smtp)];
  try {
    trials.push(await createPostfixTrial(folder, server.smtp));
    const lacks = await runTrials(trials, server, createRead(server, makeToken(program)));
    if (values.all && lacks > 0) throw new Error(`${lacks} clients could not be tested.`);
  } finally {
    for (const { client } of trials) await client.end?.();
    await server.end("SIGTERM");
    rmSync(folder, { recursive: true });
  }
}

/** Returns how many clients this machine lacks. */
async function runTrials(trials: readonly Trial[], { seedAddress }: AssayProcess, read: Read): Promise<number> {
  let lacks = 0;
  for (const [index, trial] of trials.entries()) {
    const { client } = trial;
    const lack = client.findLack();
    if (lack !== null) {
      lacks++;
      console.log(`skip  ${client.name}: this machine lacks ${lack}`);
      continue;
    }
    for (const letter of trial.letters.filter(client.carries)) {
      const label = `${index}-${letter.name}`;
      const to = seedAddress.replace("@", `+${label}@`);
      await client.send(letter, { from: trial.from, to });
      check(trial, letter, await read(label));
      console.log(`pass  ${client.name}: ${letter.name}`);
    }
  }
  return lacks;
}

function check({ client, facts }: Trial, letter: Letter, { raw, transport }: Delivered): void {
  const part = client.addsHeader ? bodyOf : (bytes: Buffer) => bytes;
  const [kept, sent] = [part(raw), part(letter.bytes)];
  if (!kept.equals(sent)) {
    const at = kept.findIndex((byte, index) => byte !== sent[index]);
    const shown = (bytes: Buffer) => JSON.stringify(bytes.subarray(Math.max(0, at - 10), at + 20).toString("latin1"));
    throw new Error(
      `${client.name}: ${letter.name} differs: ${kept.length} bytes of ${sent.length}, ${shown(kept)} for ${shown(sent)}`,
    );
  }
  for (const [name, expected] of Object.entries(facts))
    if (!isDeepStrictEqual(transport[name], expected))
      throw new Error(`${client.name}: ${name} is ${JSON.stringify(transport[name])}, not ${JSON.stringify(expected)}`);
}

/** Over the API, as soon as it is there. */
function createRead(server: AssayProcess, access: { readonly token: string; readonly workspaceId: string }): Read {
  const headers = { authorization: `Bearer ${access.token}`, "x-workspace-id": access.workspaceId };
  const ask = async (path: string) => {
    const answer = await fetch(`${server.http}${path}`, { headers });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  return async (label) => {
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(100)) {
      const { items } = (await (await ask("/api/tests?limit=5")).json()) as { items: { id: string; label: string }[] };
      const test = items.find((candidate) => candidate.label === label);
      if (test === undefined) continue;
      const { transport } = (await (await ask(`/api/tests/${test.id}`)).json()) as { transport: Facts };
      return { raw: Buffer.from(await (await ask(`/api/tests/${test.id}/raw`)).arrayBuffer()), transport };
    }
    throw new Error(`The message with the label ${label} did not arrive.`);
  };
}

await main();
