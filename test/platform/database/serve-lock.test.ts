import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockDataDirectory } from "../../../src/platform/database/open.ts";
import { openSqliteStore, temporaryFolder } from "./temporary.ts";

test("one process locks a data directory until it ends, even if killed, while commands still work", async () => {
  const folder = temporaryFolder();
  const module = new URL("../../../src/platform/database/open.ts", import.meta.url).href;
  const program = `
    const { lockDataDirectory } = await import(${JSON.stringify(module)});
    lockDataDirectory(${JSON.stringify(folder)});
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  expect(() => lockDataDirectory(folder)).toThrow(/^Another assay serve is running on .*\.$/);
  await openSqliteStore(join(folder, "assay.db"));
  holder.kill("SIGKILL");
  await once(holder, "exit");
  lockDataDirectory(folder).release();
  const lock = lockDataDirectory(folder);
  expect(() => lockDataDirectory(folder)).toThrow("Another assay serve");
  lock.release();
});
