import { execFileSync, spawnSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer } from "node:tls";
import { afterAll, describe, expect, it } from "vitest";
import { createSelfSigned, ensureSelfSigned } from "../../../src/platform/system/self-signed.ts";

const now = Date.now();
const directory = mkdtempSync(join(tmpdir(), "assay-self-signed-"));
afterAll(() => rmSync(directory, { recursive: true }));

describe("a self-signed certificate", () => {
  it("a self-signed certificate names its hosts, matches its key, and is valid for ten years", () => {
    const { cert, key } = createSelfSigned(["mx.example.com", "seed.example.com"], now);
    const certificate = new X509Certificate(cert);
    expect(certificate.subject).toBe("CN=mx.example.com");
    expect(certificate.subjectAltName).toBe("DNS:mx.example.com, DNS:seed.example.com");
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.validToDate.getTime() - now).toBeGreaterThan(3_650 * 86_400_000);
    expect(certificate.validFromDate.getTime()).toBeLessThan(now);
  });

  it("a self-signed certificate has a unique serial number", () => {
    const serials = Array.from(
      { length: 20 },
      () => new X509Certificate(createSelfSigned(["a"], now).cert).serialNumber,
    );
    expect(new Set(serials).size).toBe(20);
    for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
  });

  it("a self-signed certificate encodes years from 2050 as its standard requires", () => {
    const certificate = new X509Certificate(createSelfSigned(["a"], Date.UTC(2045, 0, 1)).cert);
    expect(certificate.validToDate.getUTCFullYear()).toBe(2055);
  });

  it("a self-signed certificate accepts a host name longer than a common name", () => {
    const long = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.example`;
    const certificate = new X509Certificate(createSelfSigned([long], now).cert);
    expect(certificate.subject).toBe("CN=Assay");
    expect(certificate.checkHost(long)).toBe(long);
  });

  it("a self-signed certificate works in a TLS handshake that a client verifies", async () => {
    const { cert, key } = createSelfSigned(["mx.example.com"], now);
    const server = createServer({ cert, key }, (socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const client = connect({ port, host: "127.0.0.1", servername: "mx.example.com", ca: cert });
    await new Promise((resolve, reject) => client.once("secureConnect", resolve).once("error", reject));
    expect(client.authorized).toBe(true);
    client.destroy();
    server.close();
  });

  it.skipIf(spawnSync("openssl", ["version"]).error)(
    "a self-signed certificate is accepted by openssl as X.509 version 3",
    () => {
      const path = join(directory, "openssl.pem");
      writeFileSync(path, createSelfSigned(["mx.example.com"], now).cert);
      const text = execFileSync("openssl", ["x509", "-in", path, "-noout", "-text"], { encoding: "utf8" });
      expect(text).toContain("Version: 3 (0x2)");
      expect(text).toContain("CA:FALSE");
      expect(text).toContain("TLS Web Server Authentication");
      expect(
        execFileSync("openssl", ["verify", "-x509_strict", "-partial_chain", "-trusted", path, path]).toString(),
      ).toContain("OK");
    },
  );
});

describe("ensureSelfSigned", () => {
  it("ensureSelfSigned creates one file that only its owner can read, and keeps it while it is valid", async () => {
    const path = await ensureSelfSigned(directory, ["mx.example.com"], now);
    const first = readFileSync(path, "utf8");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(first).toContain("BEGIN PRIVATE KEY");
    await ensureSelfSigned(directory, ["mx.example.com"], now);
    expect(readFileSync(path, "utf8")).toBe(first);
  });

  it("ensureSelfSigned creates another certificate for another name, near expiry, if the file is damaged, and if the clock was ahead", async () => {
    const path = await ensureSelfSigned(directory, ["mx.example.com"], now);
    const seen = [readFileSync(path, "utf8")];
    await ensureSelfSigned(directory, ["other.example.com"], now);
    seen.push(readFileSync(path, "utf8"));
    await ensureSelfSigned(directory, ["other.example.com"], now + 3_640 * 86_400_000);
    seen.push(readFileSync(path, "utf8"));
    writeFileSync(path, "-----BEGIN CERTIFICATE-----\nAAAA");
    await ensureSelfSigned(directory, ["other.example.com"], now);
    seen.push(readFileSync(path, "utf8"));
    await ensureSelfSigned(directory, ["other.example.com"], now - 10 * 86_400_000);
    seen.push(readFileSync(path, "utf8"));
    expect(new Set(seen).size).toBe(5);
  });
});
