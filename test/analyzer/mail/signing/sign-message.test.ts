import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { describe, expect, test } from "vitest";
import { createZoneDns, type Zone } from "../../../../src/analyzer/dns/zone.ts";
import { verifyDkim } from "../../../../src/analyzer/facts/dkim.ts";
import { readHeaderSection } from "../../../../src/analyzer/mail/headers/fields.ts";
import { type Signer, signMessage } from "../../../../src/analyzer/mail/signing/sign-message.ts";
import {
  type KeyAlgorithm,
  toKeyRecord,
  toPublicText,
} from "../../../../src/analyzer/mail/signing/signing-algorithms.ts";

const at = Date.UTC(2026, 10, 22, 7, 0, 0);
const ed25519: Signer = toSigner("ed25519", generateKeyPairSync("ed25519").privateKey);
const rsa: Signer = toSigner("rsa", generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey);

function toSigner(algorithm: KeyAlgorithm, privateKey: KeyObject): Signer {
  return { domain: "a.example", selector: `assay-${algorithm}`, algorithm, privateKey };
}

const zone: Zone = Object.fromEntries(
  [rsa, ed25519].map((signer) => {
    const public_key = toPublicText(createPublicKey(signer.privateKey));
    const { name, value } = toKeyRecord({ ...signer, public_key });
    return [name, { TXT: [value] }];
  }),
);
const dns = createZoneDns(zone, () => at);

const header = [
  "From: Ann <ann@a.example>",
  "To: Bob <bob@b.example>",
  "Subject: Hello,",
  "  dear   Bob",
  "Date: Sun, 22 Nov 2026 07:00:00 +0000",
  "Message-ID: <1@a.example>",
  "MIME-Version: 1.0",
  "Content-Type: text/plain; charset=utf-8",
  "List-Unsubscribe: <https://a.example/u>",
  "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
];
const letter = toLetter("Hello  Bob, \r\n\r\n.dots and\ttabs \r\n\r\n\r\n");

function toLetter(body: string, fields: readonly string[] = header): string {
  return `${fields.join("\r\n")}\r\n\r\n${body}`;
}

function signed(message: string, signers: readonly Signer[] = [rsa, ed25519]): Buffer {
  return Buffer.from(signMessage(Buffer.from(message, "latin1"), signers, at));
}

async function ours(raw: Uint8Array) {
  const { signatures } = await verifyDkim({ raw, section: readHeaderSection(raw) }, dns, at);
  return signatures.map(({ algorithm, result, says }) => `${algorithm} ${result} ${says ?? ""}`.trim());
}

async function theirs(raw: Uint8Array) {
  const resolver = async (name: string) => {
    const { records } = await dns.query(name, "TXT");
    return records.flatMap((record) => (record.type === "TXT" ? [[...record.parts]] : []));
  };
  const { results } = await dkimVerify(Buffer.from(raw), { resolver, strict: true } as object);
  return results.map(({ algo, status }) => `${algo} ${status.result} ${status.comment || ""}`.trim());
}

const both = ["rsa-sha256 pass", "ed25519-sha256 pass"];

describe("a signed message", () => {
  test.each([
    ["an ordinary message", letter],
    ["an empty body", toLetter("")],
    ["a body of empty lines", toLetter("\r\n\r\n")],
    ["a body without a final line ending", toLetter("Hello")],
    ["bytes above 127 in header and body", toLetter("Gr\xfc\xdfe\r\n", [...header, "X-A: \xe4"])],
    ["lines that end with only LF", letter.replaceAll("\r\n", "\n")],
    ["bare CR and LF among CRLF", toLetter("one\rtwo\nthree\r\n")],
    ["two To fields", toLetter("Hello\r\n", [...header, "To: carl@c.example"])],
    ["no subject", toLetter("Hello\r\n", header.slice(0, 2))],
    ["no body and no empty line", `${header.join("\r\n")}\r\n`],
    ["a long body", toLetter("words and  words \r\n".repeat(20_000))],
  ])("a signed message with %s verifies with our verifier and with mailauth", async (_what, message) => {
    const raw = signed(message);
    expect(await ours(raw)).toEqual(both);
    expect(await theirs(raw)).toEqual(both);
  });

  test("a signed message stays valid if headers are refolded, and the content stays the same", async () => {
    const raw = signed(letter).toString("latin1");
    expect(raw.endsWith(letter)).toBe(true);
    const refolded = raw.replace("Hello,\r\n  dear   Bob", "Hello, dear\r\n Bob").replace("dots and\t", "dots and ");
    expect(await ours(Buffer.from(refolded, "latin1"))).toEqual(both);
  });

  test.each([
    ["From", "From: eve@e.example"],
    ["Subject", "Subject: Other"],
    ["To", "To: eve@e.example"],
    ["Date", "Date: Sun, 22 Nov 2026 08:00:00 +0000"],
    ["Message-ID", "Message-ID: <2@a.example>"],
    ["MIME-Version", "MIME-Version: 2.0"],
    ["Content-Type", "Content-Type: text/html"],
    ["List-Unsubscribe", "List-Unsubscribe: <https://e.example/>"],
    ["List-Unsubscribe-Post", "List-Unsubscribe-Post: no"],
    ["Reply-To", "Reply-To: eve@e.example"],
    ["Cc", "Cc: eve@e.example"],
  ])("a signed message fails with a second or new %s, above or below", async (_name, field) => {
    const raw = signed(letter).toString("latin1");
    for (const forged of [`${field}\r\n${raw}`, raw.replace("\r\n\r\n", `\r\n${field}\r\n\r\n`)])
      for (const verify of [ours, theirs])
        for (const verdict of await verify(Buffer.from(forged, "latin1"))) expect(verdict).toMatch(/ fail /);
  });

  test("a signed message fails with text appended to the body", async () => {
    const raw = `${signed(letter).toString("latin1")}More\r\n`;
    for (const verdict of await ours(Buffer.from(raw, "latin1"))) expect(verdict).toMatch(/ fail /);
    expect(raw).not.toMatch(/[;\s]l=/);
  });

  test("a signed message has signature lines of at most 78 characters", () => {
    const [signatures = ""] = signed(letter).toString("latin1").split("From: Ann");
    for (const line of signatures.split("\r\n")) expect(line.length).toBeLessThanOrEqual(78);
  });

  test("a signed message is unchanged without a signer", () => {
    const raw = Buffer.from(letter.replaceAll("\r\n", "\n"));
    expect(signMessage(raw, [], at)).toBe(raw);
  });
});
