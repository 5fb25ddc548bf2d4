// The RFC 7208 suite as mail: each case is sent to the built program over SMTP by a client that XCLIENT names, and
// its result is read over REST.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssayProcess, startAssay } from "../../scripts/assay-process.ts";
import { makeToken } from "../../scripts/first-message.ts";
import { isSendingAddress } from "../../src/analyzer/addresses.ts";
import { readSpfSuite, type SpfCase } from "../analyzer/facts/spf-suite.ts";
import { startDnsServer, type TestDnsServer } from "../dns-server.ts";
import { openDialogue } from "../features/intake/smtp/dialogue.ts";
import { fewOf } from "../lanes.ts";
import { testProgram } from "../program.ts";

const suite = readSpfSuite();
/** No reverse-path has a label that is empty or of 64 bytes, or no local part. */
const impossible = ["toolonglabel", "emptylabel", "nolocalpart"];

describe.skipIf(suite.length === 0)("the RFC 7208 test suite by mail", () => {
  let folder: string;
  let dns: TestDnsServer;
  let server: AssayProcess;
  let headers: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-spf-"));
    // Nothing may be kept from one zone to the next.
    dns = await startDnsServer({ behave: () => ({ ttlSeconds: 0 }) });
    const command = await testProgram();
    const environment = {
      ...dns.settings,
      // Some names of the suite have no answer.
      ASSAY_DNS_TIMEOUT_MS: "4000",
      ASSAY_SMTP_XCLIENT_FROM: "127.0.0.1",
      ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "100",
      ASSAY_MIN_FREE_BYTES: "0",
    };
    const program = { command, dataDir: folder, environment };
    server = await startAssay(program);
    const { token, workspaceId } = makeToken(program);
    headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId };
  });

  afterAll(async () => {
    await server?.end("SIGKILL");
    await dns?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(fewOf(suite))(
    "the RFC 7208 tests have the right results by mail: $description",
    async ({ zone, cases }) => {
      dns.setZone(zone);
      const possible = cases.filter(({ name }) => !impossible.includes(name));
      await Promise.all(possible.map((spfCase) => send(spfCase, server)));
      const verdicts = await Promise.all(possible.map(async ({ name }) => [name, await readVerdict(name)]));
      expect(verdicts).toEqual(possible.map((one) => [one.name, toExpected(one)]));
    },
  );

  async function readVerdict(label: string): Promise<string | null> {
    for (let tries = 0; tries < 600; tries++) {
      const { items } = (await ask(`/api/tests?label=${label}`)) as { items: { id: string; status: string }[] };
      const [found] = items;
      if (found?.status === "analyzed") return ((await ask(`/api/tests/${found.id}`)) as { spf: string | null }).spf;
      await sleep(100);
    }
    throw new Error(`${label} was not analysed in time`);
  }

  async function ask(path: string): Promise<unknown> {
    return (await fetch(`${server.http}${path}`, { headers })).json();
  }
});

/** Of a client that no receiver on the internet could see only a pass is told. */
function toExpected({ client, results: [result] }: SpfCase): string | null {
  return isSendingAddress(client.address) || result === "pass" ? (result ?? null) : null;
}

async function send({ name, client }: SpfCase, { smtp, seedAddress }: AssayProcess): Promise<void> {
  const dialogue = await openDialogue(smtp.port, "127.0.0.1");
  const address = client.address.includes(":") ? `IPV6:${client.address}` : client.address;
  const to = seedAddress.replace("@", `+${name}@`);
  const lines = [
    "EHLO client.example",
    `XCLIENT ADDR=${address} HELO=${toXtext(client.helo)}`,
    `MAIL FROM:<${toPath(client.mailFrom)}>`,
    `RCPT TO:<${to}>`,
    "DATA",
    `Subject: ${name}\r\n\r\nHello.\r\n.`,
  ];
  await dialogue.reply();
  for (const line of lines) {
    const reply = await dialogue.say(line);
    if (!/^[23]/.test(reply)) throw new Error(`${name}: ${JSON.stringify(line)} was answered ${reply}`);
  }
  dialogue.destroy();
}

/** RFC 3461 §4. */
function toXtext(text: string): string {
  return text.replace(/[^!-*,-<>-~]/g, (character) => {
    const hex = character.charCodeAt(0).toString(16).toUpperCase();
    return `+${hex.padStart(2, "0")}`;
  });
}

/** A local part with a space is sent between quotes. */
function toPath(mailFrom: string): string {
  const at = mailFrom.lastIndexOf("@");
  const localPart = mailFrom.slice(0, Math.max(at, 0));
  return localPart.includes(" ") ? `"${localPart}"${mailFrom.slice(at)}` : mailFrom;
}
