import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createDiskGuard, withReserve } from "../../../../src/features/server/readiness/disk-guard.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { Refusal } from "../../../../src/platform/errors.ts";
import { testSystem } from "../../../test-system.ts";

function openWorld() {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-guard-"));
  const disk = { isFull: false, shrunk: 0 };
  const guard = createDiskGuard({
    dataDir,
    system: { random: randomBytes, log: testSystem().log },
    makeSpace: async () => {
      disk.shrunk += 1;
      if (disk.isFull) throw new Error("full");
    },
    bytes: 1_048_576,
    everyMs: 5,
    afterMs: 1,
  });
  onTestFinished(() => {
    guard.stop();
    rmSync(dataDir, { recursive: true });
  });
  guard.start();
  const file = join(dataDir, "reserve");
  return { guard, disk, file, isThere: () => expect.poll(() => existsSync(file)).toBe(true) };
}

const diskFull = () => new Refusal("overloaded", "The disk is full.", { diskFull: true });

test("the reserve file is written after the start, deleted when the disk is full, and written again later", async () => {
  const { guard, disk, file, isThere } = openWorld();
  await isThere();
  expect(statSync(file)).toMatchObject({ size: 1_048_576 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  disk.isFull = true;
  expect(guard.noteFull()).toBe(true);
  expect(guard.isFull()).toBe(true);
  expect(existsSync(file)).toBe(false);
  expect(guard.noteFull()).toBe(false);
  await expect.poll(() => disk.shrunk).toBeGreaterThan(2);
  expect(guard.isFull()).toBe(true);
  disk.isFull = false;
  await expect.poll(() => guard.isFull()).toBe(false);
  expect(existsSync(file)).toBe(true);
});

test("a user's change on a full disk uses the reserve file, and other changes fail", async () => {
  const { guard, isThere } = openWorld();
  await isThere();
  let tries = 0;
  const write = async () => {
    tries += 1;
    if (tries === 1) throw diskFull();
    if (tries > 2) throw new Error("a bug");
    return "done";
  };
  const store = withReserve({ write } as unknown as Store, guard);
  expect(await store.write(async () => "")).toBe("done");
  await expect(store.write(async () => "")).rejects.toThrow("a bug");
  expect(tries).toBe(3);
});
