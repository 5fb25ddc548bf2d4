// assay unsubscribe, verify, and redact for users and pipelines, against a real server.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/commands.ts";
import { maxSignedBytes } from "../../../src/features/signed-reports/rules/signed-file.ts";
import { seeded } from "../../analyzer/mail/ordinary-messages.ts";
import { openUnsubscribeWorld, startListServer } from "../../http/unsubscribe-world.ts";
import { testTerminal } from "../../platform/cli/terminal.ts";
import { builtWeb } from "../../web/web-world.ts";

async function openWorld(status = 200) {
  const list = await startListServer((_, response) => response.writeHead(status).end("ok"));
  const world = await openUnsubscribeWorld({ webFiles: await builtWeb() });
  const id = await world.arrive({ unsubscribe: `<https://unsub.example:${list.port}/u>` });
  const assay = async (argv: readonly string[], typed: string | null = null) => {
    const terminal = {
      ...testTerminal({ ASSAY_URL: world.base, ASSAY_TOKEN: world.token }, typed ?? ""),
      isTerminal: typed !== null,
    };
    const exitCode = await run(argv, terminal);
    return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
  };
  return { ...world, list, id, assay };
}

test("assay unsubscribe asks for confirmation, and sends nothing without it", async () => {
  const { list, id, assay } = await openWorld();
  const piped = await assay(["unsubscribe", id]);
  expect(piped).toMatchObject({ exitCode: 2, complaints: expect.stringContaining("Pass --yes") });
  for (const typed of ["\n", "n\n", "", "yes please\n"]) {
    const { exitCode, complaints } = await assay(["unsubscribe", id], typed);
    expect([typed, exitCode]).toEqual([typed, 2]);
    expect(complaints).toContain("This really unsubscribes anyone@seed.example");
    expect(complaints).toContain("Nothing was sent.");
  }
  expect(list.connections()).toBe(0);
  const agreed = await assay(["unsubscribe", id], "y\n");
  expect(agreed).toMatchObject({ exitCode: 0, output: expect.stringContaining("accepted the request (200)") });
  expect(list.heard).toHaveLength(1);
  expect(await assay(["unsubscribe", id, "--yes"])).toMatchObject({
    exitCode: 1,
    complaints: expect.stringContaining("already requested"),
  });
  expect(list.heard).toHaveLength(1);
  expect((await assay(["unsubscribe", id, "--yes", "--again", "--json"])).exitCode).toBe(0);
  expect(list.heard).toHaveLength(2);
});

test("assay unsubscribe sets its exit status by the outcome", async () => {
  const { id, assay, clock, arrive, list } = await openWorld(500);
  expect(await assay(["unsubscribe", id, "--yes"])).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining("error (500)"),
  });
  expect((await assay(["unsubscribe", id, "--status"])).exitCode).toBe(0);
  clock.nowMs += 3 * 86_400_000;
  await arrive({ unsubscribe: `<https://unsub.example:${list.port}/u>`, number: 2 });
  const status = await assay(["unsubscribe", id, "--status"]);
  expect(status.exitCode).toBe(1);
  expect(status.output).toContain("still arrives");
  expect(list.heard).toHaveLength(1);
  expect((await assay(["unsubscribe", `tst_${"0".repeat(26)}`, "--yes"])).exitCode).toBe(4);
  expect((await assay(["unsubscribe", id, "--method", "fax"])).exitCode).toBe(2);
});

test("report --signed saves a file that verify accepts, from a remote server", async () => {
  const { id, assay, base } = await openWorld();
  const folder = mkdtempSync(join(tmpdir(), "assay-cli-signed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);
  await assay(["report", id, "--signed", file("report.html")]);
  await assay(["report", id, "--signed", file("report.json"), "--with-message"]);
  await assay(["report", id, "--signed", file("copy.html"), "--without", "body"]);
  for (const name of ["report.html", "report.json", "copy.html"])
    expect(await assay(["verify", file(name), "--url", base])).toMatchObject({ exitCode: 0 });
  expect((await assay(["redact", file("report.html"), "--without", "body", "--save", file("c.json")])).exitCode).toBe(
    0,
  );
  expect((await assay(["verify", file("c.json"), "--url", base])).output).toContain("Redacted copy, without:");
  for (const wrong of [
    ["report", id, "--signed", file("report.txt")],
    ["report", id, "--without", "body"],
    ["report", id, "--signed", file("x.json"), "--without", "everything"],
    ["report", id, "--signed", file("x.json"), "--without", "body", "--with-message"],
    ["redact", file("report.html"), "--without", "body"],
    ["redact", file("report.html"), "--without", "all", "--save", file("c.json")],
    ["verify", file("absent.html")],
    ["verify", file("report.html"), "--url", base, "--key", file("report.html")],
    ["verify", file("report.html"), "--url", "ftp://x"],
    ["verify", folder],
  ])
    expect([wrong, (await assay(wrong)).exitCode]).toEqual([wrong, 2]);
});

test("verify handles hostile files, and prints no control characters", async () => {
  const { id, assay } = await openWorld();
  const folder = mkdtempSync(join(tmpdir(), "assay-cli-hostile-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "report.json");
  await assay(["report", id, "--signed", file, "--with-message"]);
  const whole = readFileSync(file);
  const random = seeded(99);
  for (let round = 0; round < 20; round++) {
    const bytes = Buffer.from(whole);
    for (let count = 0; count < 1 + round / 10; count++)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    writeFileSync(file, bytes.subarray(0, round % 5 === 0 ? Math.floor(random() * bytes.length) : bytes.length));
    const { exitCode, output, complaints } = await assay(["verify", file, "--replay"]);
    expect([round, exitCode, complaints]).toEqual([round, 1, ""]);
    expect(output.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  }
  const name = join(folder, "a\u001b[31mb.json");
  writeFileSync(name, "{}");
  expect((await assay(["verify", name])).output).not.toContain("\u001b");
  writeFileSync(file, Buffer.alloc(maxSignedBytes + 1));
  expect(await assay(["verify", file])).toMatchObject({
    exitCode: 2,
    complaints: expect.stringContaining("larger than any signed report"),
  });
});
