// Uses real servers on loopback: one that speaks proper SMTP, and misbehaving ones.

import { createServer, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { type CertificateAskerOptions, createCertificateAsker } from "../../../src/platform/system/mail-certificate.ts";
import { createSelfSigned } from "../../../src/platform/system/self-signed.ts";
import { createHostResolver, createTargetGuard } from "../../../src/platform/system/target-guard.ts";

const host = "mx.a.example";
const now = Date.now();
const pair = createSelfSigned([host], now);
const dns = createZoneDns({ [host]: { A: ["127.0.0.1"] }, "mx.b.example": { A: ["127.0.0.1"] } });
const resolveHost = createHostResolver(dns);
const anywhere = createTargetGuard({ allow: { all: true, networks: [] }, resolveHost });

async function smtp(options: SMTPServerOptions = {}): Promise<number> {
  const server = new SMTPServer({ ...pair, name: host, logger: false, ...options });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  return (server.server.address() as { port: number }).port;
}

/** Sends the greeting, then `answer` for each line that it receives. Records what it received. */
async function scripted(greeting: string, answer: (line: string) => string = () => "") {
  const heard: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.write(greeting);
    socket.on("data", (chunk) => {
      heard.push(String(chunk).slice(0, 100));
      socket.write(answer(String(chunk)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, heard };
}

function ask(port: number, options: Partial<CertificateAskerOptions> = {}, name = host) {
  const asker = createCertificateAsker({
    guard: anywhere,
    now: () => now,
    ownName: "assay.example",
    port,
    timeoutMs: 1_000,
    ca: pair.cert,
    ...options,
  });
  return asker(name);
}

const shown = { startsAt: expect.any(Number), endsAt: expect.any(Number), seenAt: now };

describe("the certificate of a mail server", () => {
  test("the certificate of a mail server is read after STARTTLS and trusted for its name", async () => {
    const outcome = await ask(await smtp());
    expect(outcome).toEqual({ known: true, value: { certificate: shown, problem: null } });
    if (!outcome.known || outcome.value.certificate === null) throw new Error("It showed none.");
    const { startsAt, endsAt } = outcome.value.certificate;
    expect(startsAt).toBeLessThanOrEqual(now);
    expect(endsAt).toBeGreaterThan(now);
  });

  test("the certificate of a mail server is read without sending anything but QUIT afterwards", async () => {
    const heard: string[] = [];
    const port = await smtp({
      onConnect: (_, callback) => callback(),
      onMailFrom: (_, __, callback) => {
        heard.push("MAIL");
        callback();
      },
      onClose: () => heard.push("closed"),
    });
    await ask(port);
    await expect.poll(() => heard).toEqual(["closed"]);
  });

  test.each<[string, Partial<CertificateAskerOptions>, string, string]>([
    ["as one for another host name", {}, "mx.b.example", "its certificate is for a different host name"],
    ["as self-signed", { ca: "" }, host, "its certificate is self-signed"],
  ])("the certificate of a mail server is reported %s", async (_what, options, name, problem) => {
    const outcome = await ask(await smtp(), options, name);
    expect(outcome).toEqual({ known: true, value: { certificate: shown, problem } });
  });

  test("the certificate of a mail server is reported as expired, with its end", async () => {
    const old = createSelfSigned([host], now - 20 * 365 * 86_400_000);
    const outcome = await ask(await smtp(old), { ca: old.cert });
    expect(outcome).toMatchObject({ known: true, value: { problem: "its certificate has expired" } });
    if (outcome.known) expect(outcome.value.certificate?.endsAt).toBeLessThan(now);
  });

  test("the certificate of a mail server is missing without STARTTLS", async () => {
    const outcome = await ask(await smtp({ disabledCommands: ["STARTTLS"] }));
    expect(outcome).toEqual({ known: true, value: { certificate: null, problem: "it does not offer STARTTLS" } });
  });

  test("the certificate of a mail server is missing if TLS fails", async () => {
    const { port } = await scripted("220 mx\r\n", (line) =>
      line.startsWith("EHLO")
        ? "250-mx\r\n250 STARTTLS\r\n"
        : line.startsWith("STARTTLS")
          ? "220 go\r\n"
          : "nonsense\r\n",
    );
    expect(await ask(port)).toEqual({ known: true, value: { certificate: null, problem: "its TLS handshake fails" } });
  });

  test("the certificate of a mail server is requested without a host name that contains a line break", async () => {
    const { port, heard } = await scripted("220 mx\r\n", () => "500 no\r\n");
    await ask(port, { ownName: "x\r\nMAIL FROM:<>" });
    expect(heard).toEqual(["EHLO localhost\r\n"]);
  });
});

describe("the certificate is unknown for a mail server", () => {
  test.each<[string, string, (line: string) => string]>([
    ["that is silent", "", () => ""],
    ["that is busy", "421 later\r\n", () => ""],
    ["that is a web server", "HTTP/1.1 400 Bad Request\r\n\r\n", () => ""],
    ["that sends an endless greeting", "220-x\r\n".repeat(2_000), () => "220-x\r\n".repeat(2_000)],
    ["that answers before the request", "220 mx\r\n250-mx\r\n250 STARTTLS\r\n220 go\r\n", () => ""],
    ["that refuses EHLO", "220 mx\r\n", () => "550 no\r\n"],
    ["that refuses STARTTLS", "220 mx\r\n", (line) => (line.startsWith("EHLO") ? "250 STARTTLS\r\n" : "454 no\r\n")],
    [
      "that stops in the TLS handshake",
      "220 mx\r\n",
      (line) => (line.startsWith("EHLO") ? "250 STARTTLS\r\n" : line.startsWith("STARTTLS") ? "220 go\r\n" : ""),
    ],
  ])("the certificate is unknown for a mail server %s", async (_what, greeting, answer) => {
    const { port } = await scripted(greeting, answer);
    expect((await ask(port, { timeoutMs: 300 })).known).toBe(false);
  });

  test("the certificate is unknown for a mail server that does not listen or has no address", async () => {
    expect(await ask(1)).toEqual({ known: false, why: "timeout" });
    expect(await ask(1, {}, "mx.nowhere.example")).toEqual({ known: false, why: "timeout" });
  });

  test("the certificate is unknown for a mail server at a private address, without connecting", async () => {
    const { port, heard } = await scripted("220 mx\r\n");
    const guard = createTargetGuard({ allow: { all: false, networks: [] }, resolveHost });
    expect(await ask(port, { guard })).toEqual({ known: false, why: "not-public" });
    expect(await ask(port, { guard }, "127.0.0.1")).toEqual({ known: false, why: "not-public" });
    expect(await ask(port, {}, "mx.a.example\r\n")).toEqual({ known: false, why: "parser-failed" });
    expect(heard).toEqual([]);
  });
});
