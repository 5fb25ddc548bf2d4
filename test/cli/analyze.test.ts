import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { testTerminal } from "./terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-analyze-"));
const message =
  "From: Ann <ann@sender.example>\r\nSubject: Hello\r\nMessage-ID: <1@sender.example>\r\n\r\nHi.\r\n";
let signed: string;

beforeAll(async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  // The types know another form of these options, which signs nothing.
  const options = { signatureData: [{ signingDomain: "sender.example", selector: "s1", privateKey: key }] };
  const { signatures } = await dkimSign(message, options as never);
  signed = signatures + message;
  const publicPart = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const strings = (`v=DKIM1; p=${publicPart}`.match(/.{1,200}/g) ?? []).map((part) => `"${part}"`).join(" ");
  const zone = [
    "$ORIGIN sender.example.",
    '@ TXT "v=spf1 ip4:192.0.2.10 -all"',
    `s1._domainkey TXT ${strings}`,
    '_dmarc TXT "v=DMARC1; p=reject"',
  ];
  writeFileSync(join(folder, "zone.txt"), `${zone.join("\n")}\n`);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function analyze(text: string, ...args: string[]) {
  const terminal = testTerminal({}, text);
  const exitCode = await run(["analyze", "-", "--dns", join(folder, "zone.txt"), ...args], terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

test("a message that is signed and sent as its domain says passes everything", async () => {
  const { exitCode, output } = await analyze(
    signed,
    "--ip",
    "192.0.2.10",
    "--mail-from",
    "ann@sender.example",
  );
  expect(output).toMatch(/SPF +pass/);
  expect(output).toMatch(/DKIM +pass +s1\._domainkey\.sender\.example, aligned/);
  expect(output).toMatch(/DMARC +pass +v=DMARC1; p=reject/);
  expect(exitCode).toBe(0);
});

test("a message from another address without a signature fails DMARC", async () => {
  const { output, exitCode } = await analyze(
    message,
    "--ip",
    "198.51.100.1",
    "--mail-from",
    "ann@sender.example",
    "--json",
  );
  expect(JSON.parse(output).authentication.value).toMatchObject({
    spf: { result: "fail" },
    dkim: [],
    dmarc: { result: "fail" },
  });
  expect(exitCode).toBe(0);
});

test("without the client's address SPF is unknown, never a pass or a fault, and the exit says so", async () => {
  const { output, exitCode } = await analyze(message);
  expect(output).toMatch(/SPF +unknown +give --ip/);
  expect(output).toMatch(/DMARC +unknown/);
  expect(exitCode).toBe(3);
});

test("a stranger's subject cannot steer the terminal", async () => {
  const { output } = await analyze("From: a@b.example\r\nSubject: =?utf-8?B?G1szMW3igK4=?=\r\n\r\n");
  for (const character of ["\u001b", "\u202e"]) expect(output).not.toContain(character);
  expect(output).toContain("\\u202e");
});

test("a file that is not there, a zone that is none and an address that is none are one line each", async () => {
  const lines = await Promise.all(
    [["/nowhere.eml"], ["-", "--dns", "/nowhere.txt"], ["-", "--ip", "1.2.3"]].map(async (args) => {
      const terminal = testTerminal({}, message);
      expect(await run(["analyze", ...args], terminal)).toBe(2);
      return terminal.complaints();
    }),
  );
  for (const line of lines) expect(line.trimEnd().split("\n")).toHaveLength(1);
});
