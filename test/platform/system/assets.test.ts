import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { readAsset, spawnThread, unpack, unpackAddon } from "../../../src/platform/system/assets.ts";
import { startThreadsFromSource } from "../../bundled-threads.ts";
import { temporaryFolder } from "../database/temporary.ts";

const bytes = Buffer.from("native code");

test("an embedded file is unpacked once, only for its owner, under a name with its hash", () => {
  const folder = join(temporaryFolder(), "native");
  const file = unpack(folder, "addon.node", bytes);
  expect(file).toMatch(/addon-[0-9a-f]{64}\.node$/);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const { ino } = statSync(file);
  expect(unpack(folder, "addon.node", bytes)).toBe(file);
  expect(statSync(file).ino).toBe(ino);
  expect(readdirSync(folder)).toHaveLength(1);
});

test("a file with wrong content is replaced, and an open folder is made private", () => {
  const folder = join(temporaryFolder(), "native");
  const file = unpack(folder, "addon.node", bytes);
  writeFileSync(file, "somebody else's code");
  chmodSync(folder, 0o777);
  expect(unpack(folder, "addon.node", bytes)).toBe(file);
  expect(readFileSync(file)).toEqual(bytes);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a folder that cannot take the file is reported in a sentence, and no partial file is left", () => {
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

test("nothing is embedded when running from source, and threads run from source", async () => {
  startThreadsFromSource();
  expect(readAsset("worker.cjs")).toBeUndefined();
  expect(unpackAddon(temporaryFolder())).toBeUndefined();
  const thread = spawnThread("reading-thread", { file: join(temporaryFolder(), "none.db") });
  const [error] = await once(thread, "error");
  expect(error).toMatchObject({ code: "SQLITE_CANTOPEN" });
});
