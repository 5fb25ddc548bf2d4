import { mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createSelfSigned, type PemPair } from "../../../src/platform/system/self-signed.ts";
import { readTlsFiles, type TlsWatch, watchTlsFiles } from "../../../src/platform/system/tls-files.ts";

const now = Date.now();
const dayMs = 86_400_000;
const home = mkdtempSync(join(tmpdir(), "assay-tls-"));
afterAll(() => rmSync(home, { recursive: true }));

const one = createSelfSigned(["one.example"], now);
const two = createSelfSigned(["two.example"], now);

function filesOf(pair: PemPair) {
  const directory = mkdtempSync(join(home, "p-"));
  const files = { cert: join(directory, "cert.pem"), key: join(directory, "key.pem") };
  writeFileSync(files.cert, pair.cert);
  writeFileSync(files.key, pair.key);
  return files;
}

async function problemOf(pair: PemPair, atMs = now): Promise<string> {
  const reading = await readTlsFiles(filesOf(pair), atMs);
  return reading.ok ? "" : reading.problem;
}

describe("readTlsFiles", () => {
  it("readTlsFiles reads a matching certificate and key", async () => {
    expect(await problemOf(one)).toBe("");
  });

  it("readTlsFiles reads both from one file", async () => {
    const files = filesOf({ cert: one.cert + one.key, key: "" });
    expect((await readTlsFiles({ cert: files.cert, key: files.cert }, now)).ok).toBe(true);
  });

  it.each([
    ["a key of another certificate", { cert: one.cert, key: two.key }, now, "does not match"],
    ["an invalid certificate", { cert: "hello", key: one.key }, now, "does not contain a PEM certificate"],
    ["an invalid key", { cert: one.cert, key: one.cert }, now, "does not contain a PEM private key"],
    ["a certificate that has expired", one, now + 4_000 * dayMs, "expired on 20"],
    ["a certificate that is not valid yet", one, now - 2 * dayMs, "is not valid until"],
    [
      "a chain with a broken link",
      { ...one, cert: `${one.cert}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n` },
      now,
      "cannot be used for TLS",
    ],
  ])("readTlsFiles reports the problem with %s", async (_, pair, atMs, words) => {
    expect(await problemOf(pair, atMs)).toContain(words);
  });

  it("readTlsFiles names a missing or invalid file", async () => {
    const files = filesOf(one);
    expect(await readTlsFiles({ ...files, key: "/nowhere/key.pem" }, now)).toEqual({
      ok: false,
      problem: "/nowhere/key.pem does not exist.",
    });
    expect(await readTlsFiles({ ...files, cert: "/dev/zero" }, now)).toEqual({
      ok: false,
      problem: "/dev/zero is not a PEM file.",
    });
  });
});

describe("watchTlsFiles", () => {
  let watch: TlsWatch | undefined;
  afterEach(() => watch?.stop());

  /** What the watch reports, in order. `next` waits for one more. */
  function follow(files: { cert: string; key: string }) {
    const queue: string[] = [];
    let wake = () => {};
    const tell = (word: string) => {
      queue.push(word);
      wake();
    };
    watch = watchTlsFiles(
      files,
      one,
      { onChange: (pair) => tell(pair.cert === two.cert ? "two" : "one"), onProblem: tell },
      { now: () => now, intervalMs: 5 },
    );
    const next = async (): Promise<string> => {
      while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return queue.shift() ?? "";
    };
    return { next, queue };
  }

  it("watchTlsFiles notices files replaced by links, as renewal tools do", async () => {
    const [first, second] = [filesOf(one), filesOf(two)];
    const live = { cert: join(home, "live-cert.pem"), key: join(home, "live-key.pem") };
    symlinkSync(first.cert, live.cert);
    symlinkSync(first.key, live.key);
    const { next } = follow(live);
    for (const part of ["cert", "key"] as const) {
      symlinkSync(second[part], `${live[part]}.new`);
      renameSync(`${live[part]}.new`, live[part]);
    }
    let told = await next();
    while (told.includes("does not belong")) told = await next();
    expect(told).toBe("two");
  });

  it("watchTlsFiles keeps the old certificate and warns once while the new one is broken", async () => {
    const files = filesOf(one);
    const { next, queue } = follow(files);
    writeFileSync(files.cert, two.cert);
    expect(await next()).toContain("does not match");
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(queue).toEqual([]);
    writeFileSync(files.key, two.key);
    expect(await next()).toBe("two");
  });

  it("watchTlsFiles survives missing files", async () => {
    const files = filesOf(one);
    const { next } = follow(files);
    unlinkSync(files.key);
    expect(await next()).toContain("does not exist");
    writeFileSync(files.cert, two.cert);
    writeFileSync(files.key, two.key);
    let told = await next();
    while (told !== "two") told = await next();
  });
});
