import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadSecretKey, secretKeyPath } from "../../../src/platform/system/secret-key.ts";

const home = mkdtempSync(join(tmpdir(), "assay-key-"));
afterAll(() => rmSync(home, { recursive: true }));

function freshDirectory(): string {
  return mkdtempSync(join(home, "d-"));
}

async function load(directory: string, configured: string | null = null) {
  const reading = await loadSecretKey(configured, directory, (count) => randomBytes(count), undefined);
  if (!reading.ok) throw new Error(reading.problem);
  return reading;
}

describe("the secret key", () => {
  it("the secret key is created at the first start, only for its owner, and kept", async () => {
    const directory = freshDirectory();
    const first = await load(directory);
    const second = await load(directory);
    expect([first.isNew, second.isNew]).toEqual([true, false]);
    expect(second.secretKey.fingerprint).toBe(first.secretKey.fingerprint);
    expect(second.secretKey.derive("integrations")).toEqual(first.secretKey.derive("integrations"));
    expect(statSync(secretKeyPath(directory)).mode & 0o777).toBe(0o600);
  });

  it("the secret key differs for each installation and each purpose", async () => {
    const one = (await load(freshDirectory())).secretKey;
    const other = (await load(freshDirectory())).secretKey;
    expect(one.fingerprint).not.toBe(other.fingerprint);
    expect(one.derive("a")).not.toEqual(one.derive("b"));
    expect(one.derive("a")).toHaveLength(32);
  });

  it("the secret key can be moved from its file to the settings", async () => {
    const directory = freshDirectory();
    const made = (await load(directory)).secretKey;
    const content = readFileSync(secretKeyPath(directory), "utf8").trim();
    expect((await load("/nowhere", content)).secretKey.fingerprint).toBe(made.fingerprint);
  });

  it("the secret key is the same if several processes start at once", async () => {
    const directory = freshDirectory();
    const loads = await Promise.all(
      Array.from({ length: 8 }, () => loadSecretKey(null, directory, (n) => randomBytes(n), undefined)),
    );
    const fingerprints = loads.flatMap((reading) => (reading.ok ? [reading.secretKey.fingerprint] : []));
    expect(new Set(fingerprints).size).toBe(1);
    expect(fingerprints).toHaveLength(8);
  });

  it("the secret key is not visible in its object", async () => {
    const directory = freshDirectory();
    const { secretKey } = await load(directory);
    const content = readFileSync(secretKeyPath(directory), "utf8").trim();
    expect(JSON.stringify(secretKey)).not.toContain(content);
  });

  it.each([
    ["others can read", (path: string) => chmodSync(path, 0o640), "Run chmod 600"],
    ["is empty", (path: string) => writeFileSync(path, ""), "does not contain a secret key"],
    ["is a directory", replaceByDirectory, "does not contain a secret key"],
  ])("the secret key is rejected from a file that %s, with a fix", async (_, spoil, words) => {
    const directory = freshDirectory();
    await load(directory);
    spoil(secretKeyPath(directory));
    await expect(load(directory)).rejects.toThrow(words);
  });
});

function replaceByDirectory(path: string): void {
  rmSync(path);
  mkdirSync(path, 0o700);
}
