import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runProgram } from "../../../../scripts/assay-process.ts";
import { run } from "../../../../src/commands.ts";
import { ambiguousMessages } from "../../../analyzer/second-reader/ambiguous-messages.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";
import { testProgram } from "../../../program.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-second-"));
const file = join(folder, "message.eml");
const zone = join(folder, "zone.txt");

beforeAll(() => {
  writeFileSync(file, ambiguousMessages["a Content-Type without its semicolon"], "latin1");
  writeFileSync(zone, "$ORIGIN shop.example.\n@ A 192.0.2.10\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

test("analyze --second shows the second parser's results after the report", async () => {
  const terminal = testTerminal();
  await run(["analyze", file, "--dns", zone, "--second"], terminal);
  const [, second = ""] = terminal.output().split("\nSecond reader\n");
  expect(second).toMatch(/^. Two readers disagree about this message\.\n/);
  expect(second).toContain("Readers see different attachments");
  expect(second).toContain("Byte 128: Content-Type: text/html charset=us-ascii");
  expect(second).toContain("it doesn't change the score");
});

test("analyze --second reads with both libraries in the built program", async () => {
  const command = await testProgram();
  const { stdout } = await runProgram({ dataDir: folder, command }, ["analyze", file, "--dns", zone, "--second"]);
  expect(stdout).toContain("Two readers disagree about this message.");
  expect(stdout).not.toMatch(/not be read by|not a function/);
});

test("analyze --second --json has the same fields as the API, and none without it", async () => {
  const [plain, twice] = [testTerminal(), testTerminal()];
  await run(["analyze", file, "--dns", zone, "--json"], plain);
  await run(["analyze", file, "--dns", zone, "--json", "--second"], twice);
  expect(JSON.parse(plain.output())).not.toHaveProperty("second_reader");
  expect(JSON.parse(twice.output()).second_reader).toMatchObject({
    outcome: "differ",
    issues: [{ id: "second-reader.two-bodies" }, { id: "second-reader.hidden-attachment" }, {}],
  });
});
