import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import type { SmtpLimits } from "../../../../src/features/intake/smtp/limits.ts";
import type { ReceivedMessage } from "../../../../src/features/intake/work/receive-message.ts";
import { createWorkspace } from "../../../../src/features/people/work/workspaces.ts";
import { testSystem } from "../../../test-system.ts";
import { type Dialogue, type Ear, openDialogue, seedDomain, startEar } from "./dialogue.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-lmtp-"));
let count = 0;
const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(
  keep?: (message: ReceivedMessage) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
  limits: Partial<SmtpLimits> = {},
): Promise<{ ear: Ear; client: Dialogue; path: string }> {
  const path = join(folder, `${++count}.sock`);
  const ear = await startEar({ ASSAY_LMTP_LISTEN: `unix:${path}`, ...environment }, keep, undefined, undefined, {
    limits,
  });
  closers.push(ear.close);
  const client = await openDialogue(path);
  closers.push(client.destroy);
  return { ear, client, path };
}

async function greet(client: Dialogue): Promise<string> {
  expect(await client.reply()).toMatch(/^220 mx\.seed\.example LMTP/);
  return await client.say("LHLO mail.operator.example");
}

test("the listener speaks LMTP and not SMTP, without AUTH, STARTTLS, and XCLIENT", async () => {
  const { client } = await open(undefined, { ASSAY_SMTP_XCLIENT_FROM: "127.0.0.0/8" });
  await client.reply();
  expect(await client.say("EHLO mail.operator.example")).toMatch(/^500 /);
  const offer = await client.say("LHLO mail.operator.example");
  expect(offer).toMatch(/^250-mx\.seed\.example/);
  for (const keyword of ["PIPELINING", "ENHANCEDSTATUSCODES", "8BITMIME", "SIZE"]) expect(offer).toContain(keyword);
  expect(offer).not.toMatch(/AUTH|STARTTLS|XCLIENT/);
  expect(await client.say("AUTH PLAIN AGEAYg==")).toMatch(/^5\d\d /);
  expect(await client.say("XCLIENT ADDR=192.0.2.1")).toMatch(/^5\d\d /);
});

test("LMTP replies once per accepted recipient, and the envelope is stored", async () => {
  const { ear, client } = await open();
  await greet(client);
  await client.say("MAIL FROM:<bounce@sender.example>");
  expect(await client.say(`RCPT TO:<nobody@${seedDomain}>`)).toMatch(/^550 5\.1\.1 /);
  expect(await client.say("RCPT TO:<ann@other.example>")).toMatch(/^550 5\.7\.1 /);
  expect(await client.say(`RCPT TO:<${ear.seed}>`)).toMatch(/^250 /);
  expect(await client.say(`RCPT TO:<${ear.seed.replace("@", "+two@")}>`)).toMatch(/^250 /);
  await client.say("DATA");
  client.write("Subject: Hello\r\n\r\nBody\r\n.\r\n");
  expect(await client.reply()).toMatch(/^250 2\.6\.0 /);
  expect(await client.reply()).toMatch(/^250 2\.6\.0 /);
  expect(await client.say("NOOP")).toMatch(/^250 /);
  expect(ear.heard).toHaveLength(1);
  expect(ear.heard[0]?.session).toMatchObject({
    door: { kind: "lmtp" },
    protocol: "LMTP",
    trusted: ["mail.operator.example"],
    mailFrom: "bounce@sender.example",
    clientAddress: null,
    helo: null,
    tls: null,
  });
  expect(ear.heard[0]?.session.transcript.map(({ line }) => line)).toContain("LHLO mail.operator.example");
});

test("LMTP answers 250 for a stored recipient, and 451 for one whose workspace could not be stored", async () => {
  let other = "";
  const { ear, client } = await open(async ({ recipients }) => {
    if (recipients[0]?.address === other) throw new Error("no luck");
  });
  const made = await createWorkspace(ear.store, testSystem({ now: Date.now() }), { name: "Other", seedDomain });
  other = made.seed_address ?? "";
  await greet(client);
  await client.say("MAIL FROM:<>");
  await client.say(`RCPT TO:<${ear.seed}>`);
  expect(await client.say(`RCPT TO:<${other}>`)).toMatch(/^250 /);
  await client.say(`RCPT TO:<${ear.seed}>`);
  await client.say("DATA");
  client.write("Subject: Hello\r\n\r\nBody\r\n.\r\n");
  const replies = [await client.reply(), await client.reply(), await client.reply()];
  expect(replies.map((reply) => reply.slice(0, 9))).toEqual(["250 2.6.0", "451 4.3.0", "250 2.6.0"]);
  expect(ear.heard).toHaveLength(1);
  const seen = JSON.stringify(ear.heard[0]?.session);
  expect(seen).toContain(ear.seed);
  expect(seen).not.toContain(other);
});

test("LMTP rejects a message that is too big once per recipient", async () => {
  const { ear, client } = await open(undefined, { ASSAY_SMTP_MAX_MESSAGE_BYTES: "65536" });
  await greet(client);
  await client.say("MAIL FROM:<a@sender.example>");
  await client.say(`RCPT TO:<${ear.seed}>`);
  await client.say(`RCPT TO:<${ear.seed}>`);
  await client.say("DATA");
  client.write(`Subject: Hello\r\n\r\n${"x".repeat(70_000)}\r\n.\r\n`);
  expect([await client.reply(), await client.reply()]).toEqual([
    expect.stringMatching(/^552 5\.3\.4 /),
    expect.stringMatching(/^552 5\.3\.4 /),
  ]);
  expect(ear.heard).toEqual([]);
});

test("LMTP listens on TCP too, and trusts the server name in LHLO", async () => {
  const ear = await startEar({ ASSAY_LMTP_LISTEN: "127.0.0.1:0" });
  closers.push(ear.close);
  const client = await openDialogue(Number(ear.lmtp[0]?.split(":").at(-1)));
  closers.push(client.destroy);
  await greet(client);
  await client.say("MAIL FROM:<a@sender.example>");
  await client.say(`RCPT TO:<${ear.seed}>`);
  await client.say("DATA");
  client.write("Subject: Hello\r\n\r\nBody\r\n.\r\n");
  expect(await client.reply()).toMatch(/^250 /);
  expect(ear.heard[0]?.session.trusted).toEqual(["mail.operator.example"]);
});

test("the LMTP socket is usable only by its group, and removed at the end", async () => {
  const { ear, path } = await open();
  expect(statSync(path).mode & 0o777).toBe(0o660);
  await ear.close();
  closers.splice(0, 1);
  expect(existsSync(path)).toBe(false);
});

test("the LMTP socket gets the group of a directory with the setgid bit", async () => {
  if (process.getuid?.() !== 0) return;
  const own = mkdtempSync(join(folder, "group-"));
  chownSync(own, 0, 65_534);
  chmodSync(own, 0o2750);
  const ear = await startEar({ ASSAY_LMTP_LISTEN: `unix:${own}/lmtp` });
  closers.push(ear.close);
  expect(statSync(join(own, "lmtp")).gid).toBe(65_534);
});

test("an abandoned LMTP socket is replaced, but no file and no socket in use", async () => {
  const stale = join(folder, "stale");
  const dead = createServer().listen(stale);
  await once(dead, "listening");
  // Closing would remove it; a killed process can't.
  renameSync(stale, `${stale}.kept`);
  dead.close();
  await once(dead, "close");
  const ear = await startEar({ ASSAY_LMTP_LISTEN: `unix:${stale}.kept` });
  closers.push(ear.close);
  const client = await openDialogue(`${stale}.kept`);
  expect(await client.reply()).toMatch(/^220 /);
  client.destroy();

  await expect(startEar({ ASSAY_LMTP_LISTEN: `unix:${stale}.kept` })).rejects.toThrow(/another program listens on it/);
  const file = join(folder, "file");
  writeFileSync(file, "precious");
  await expect(startEar({ ASSAY_LMTP_LISTEN: `unix:${file}` })).rejects.toThrow(/is not a socket/);
  await expect(startEar({ ASSAY_LMTP_LISTEN: `unix:${folder}/no/where` })).rejects.toThrow(/create the directory/);
});

test("a relative or too long socket path is rejected", async () => {
  for (const bad of ["unix:lmtp.sock", "unix:", "unix:/run/", `unix:/${"x".repeat(90)}`, "24"])
    await expect(startEar({ ASSAY_LMTP_LISTEN: bad })).rejects.toThrow(/ASSAY_LMTP_LISTEN/);
});

test("LMTP replies for each recipient of a message, however many fail", async () => {
  let other = "";
  const { ear, client } = await open(
    async ({ recipients }) => {
      if (recipients[0]?.address === other) throw new Error("no luck");
    },
    {},
    { errors: 10 },
  );
  const made = await createWorkspace(ear.store, testSystem({ now: Date.now() }), { name: "Other", seedDomain });
  other = made.seed_address ?? "";
  await greet(client);
  await client.say("MAIL FROM:<a@sender.example>");
  for (let count = 0; count < 12; count++) await client.say(`RCPT TO:<${other}>`);
  await client.say(`RCPT TO:<${ear.seed}>`);
  await client.say("DATA");
  client.write("Subject: Hello\r\n\r\nBody\r\n.\r\n");
  for (let count = 0; count < 12; count++) expect(await client.reply()).toMatch(/^451 4\.3\.0 /);
  // Without this one, the client would send a message again that is stored.
  expect(await client.reply()).toMatch(/^250 2\.6\.0 /);
  expect(await client.say("NOOP")).toMatch(/^250 /);
});
