import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/commands.ts";
import { testTerminal } from "../../platform/cli/terminal.ts";

test("a broken file of login providers stops the start before anything is opened or changed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-oidc-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const file = join(folder, "oidc.json");
  writeFileSync(file, '{"issuers": {}}', { mode: 0o600 });
  const terminal = testTerminal({ ASSAY_DATA_DIR: dataDir, ASSAY_LOGIN: "both", ASSAY_OIDC: file });
  expect(await run(["serve"], terminal)).toBe(78);
  expect(readdirSync(dataDir)).toEqual([]);
});
