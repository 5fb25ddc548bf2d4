import { dirname } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { run } from "../../../../src/commands.ts";
import { lockDataDirectory } from "../../../../src/platform/database/open.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";
import { placeRelease, releases, unreleased } from "../../../platform/database/release-databases.ts";

test("a command does not migrate a database that a server uses", async () => {
  const location = await placeRelease(unreleased, "sqlite");
  const file = "databaseFile" in location ? location.databaseFile : "";
  const dataDir = dirname(file);
  const facts = releases.find(({ name }) => name === unreleased)?.facts;
  const versionOf = () => {
    const database = new Database(file, { readonly: true });
    const version = database.pragma("user_version", { simple: true });
    database.close();
    return version;
  };
  const listTokens = async () => {
    const terminal = testTerminal({ ASSAY_DATA_DIR: dataDir, ASSAY_SECRET_KEY: facts?.secretKey ?? "" });
    return { exitCode: await run(["token", "list"], terminal), terminal };
  };
  const server = lockDataDirectory(dataDir);
  const refused = await listTokens();
  expect(refused.exitCode).not.toBe(0);
  expect(refused.terminal.complaints()).toContain("Restart it with this version");
  expect(versionOf()).toBe(28);

  server.release();
  const served = lockDataDirectory(dataDir); // looking at the lock takes nothing away
  served.release();
  await listTokens();
  expect(versionOf()).toBeGreaterThan(100);
});
