import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ensureDataDirectory, inspectDataDirectory } from "../../../src/platform/system/data-directory.ts";

const home = mkdtempSync(join(tmpdir(), "assay-directory-"));
afterAll(() => rmSync(home, { recursive: true }));
const at = (name: string) => join(home, name);
const modeOf = (path: string) => statSync(path).mode & 0o777;

async function problemOf(path: string): Promise<string> {
  const reading = await ensureDataDirectory(path);
  return reading.ok ? "" : reading.problem;
}

describe("ensureDataDirectory", () => {
  it("ensureDataDirectory creates the directory and its parents for their owner only, and leaves no files", async () => {
    const reading = await ensureDataDirectory(at("a/b/c"));
    expect(reading).toMatchObject({ ok: true, path: at("a/b/c") });
    expect(reading.ok && reading.freeBytes).toBeGreaterThan(0);
    expect(modeOf(at("a/b/c"))).toBe(0o700);
    expect(readdirSync(at("a/b/c"))).toEqual([]);
  });

  it("ensureDataDirectory makes an empty directory private", async () => {
    mkdirSync(at("empty"));
    chmodSync(at("empty"), 0o755);
    expect(await problemOf(at("empty"))).toBe("");
    expect(modeOf(at("empty"))).toBe(0o700);
  });

  it("ensureDataDirectory asks before it makes a directory with files private", async () => {
    mkdirSync(at("shared"));
    writeFileSync(at("shared/of-somebody-else"), "");
    chmodSync(at("shared"), 0o755);
    expect(await problemOf(at("shared"))).toContain(`run chmod 700 ${at("shared")}`);
    expect(modeOf(at("shared"))).toBe(0o755);
  });

  it.each([
    ["a file", () => at("file"), "is not a directory, or is below a file"],
    ["a path under a file", () => at("file/data"), "is not a directory, or is below a file"],
    ["a place that cannot be written", () => "/proc/assay", "does not exist and cannot be created"],
  ])("ensureDataDirectory describes the problem with %s in one sentence", async (_, path, words) => {
    writeFileSync(at("file"), "");
    expect(await problemOf(path())).toBe(
      `The data directory ${path()} ${words}. Fix this, or set ASSAY_DATA_DIR to another directory.`,
    );
  });
});

describe("inspectDataDirectory", () => {
  it("inspectDataDirectory creates nothing", async () => {
    expect((await inspectDataDirectory(at("absent"))).ok).toBe(false);
    expect(readdirSync(home)).not.toContain("absent");
  });
});
