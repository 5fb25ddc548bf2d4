import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { readAsset, spawnThread, unpack, unpackAddon } from "../../../src/platform/system/assets.ts";
import { startThreadsFromSource } from "../../bundled-threads.ts";
import { temporaryFolder } from "../database/temporary.ts";

const bytes = Buffer.from("native code");

test("unpacks a file once, for its owner only, under a name with its hash", () => {
  const folder = join(temporaryFolder(), "native");
  const file = unpack(folder, "addon.node", bytes);
  expect(file).toMatch(/addon-[0-9a-f]{64}\.node$/);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const { ino } = statSync(file);
  expect(unpack(folder, "addon.node", bytes)).toBe(file);
  expect(statSync(file).ino).toBe(ino);
  expect(readdirSync(folder)).toHaveLength(1);
});

test("replaces a file whose content is not what its name says, and closes an open folder", () => {
  const folder = join(temporaryFolder(), "native");
  const file = unpack(folder, "addon.node", bytes);
  writeFileSync(file, "somebody else's code");
  chmodSync(folder, 0o777);
  expect(unpack(folder, "addon.node", bytes)).toBe(file);
  expect(readFileSync(file)).toEqual(bytes);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a folder that cannot take the file is refused in a sentence, and nothing half-written stays", () => {
  const dataDir = temporaryFolder();
  const folder = join(dataDir, "native");
  writeFileSync(folder, "");
  expect(() => unpack(folder, "addon.node", bytes)).toThrow(
    expect.objectContaining({ name: "Refusal", message: expect.stringMatching(/native: it is a file\.$/) }),
  );
  rmSync(folder);
  const name = basename(unpack(folder, "addon.node", bytes));
  rmSync(join(folder, name));
  mkdirSync(join(folder, name)); // is in the way of the file
  expect(() => unpack(folder, "addon.node", bytes)).toThrow(expect.objectContaining({ name: "Refusal" }));
  expect(readdirSync(folder)).toEqual([name]);
});

test("from source nothing is embedded, and a thread runs from its source", async () => {
  startThreadsFromSource();
  expect(readAsset("worker.cjs")).toBeUndefined();
  expect(unpackAddon(temporaryFolder())).toBeUndefined();
  const thread = spawnThread("reading-thread", { file: join(temporaryFolder(), "none.db") });
  const [error] = await once(thread, "error");
  expect(error).toMatchObject({ code: "SQLITE_CANTOPEN" });
});
