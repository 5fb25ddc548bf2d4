import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../../src/commands.ts";
import { maskLogLine } from "../../../../src/features/server/command/support-masks.ts";
import { type Setting, settings } from "../../../../src/platform/settings/config.ts";
import { settingNames } from "../../../../src/platform/settings/config-reading.ts";
import { readJournal } from "../../../../src/platform/system/journal.ts";
import { startHttpWorld } from "../../../http/http-world.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-support-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function writeSupport(environment: Record<string, string>, ...more: string[]) {
  const output = join(openFolder(), "support.txt");
  const terminal = testTerminal(environment);
  const code = await run(["support", "--output", output, ...more], terminal);
  return { code, output, terminal, text: code === 0 ? readFileSync(output, "utf8") : "" };
}

/** For each kind of setting, a value that it takes and that has the planted word in it. */
function plant(word: string): readonly string[] {
  const long = `${word}-and-more-than-32-characters`;
  return [
    `postgres://assay:${long}@127.0.0.1:1/assay`,
    `smtp://assay:${long}@127.0.0.1:1`,
    `https://assay:${long}@127.0.0.1:1/x?token=${long}`,
    `https://assay:${long}@127.0.0.1:1`,
    `authorization=Bearer ${long}`,
    long,
  ];
}

test("the support file contains no secret of any setting, even if it is repeated elsewhere", async () => {
  const environment: Record<string, string> = { ASSAY_DATA_DIR: openFolder() };
  const planted: string[] = [];
  for (const [index, entry] of Object.values<Setting<unknown>>(settings).entries()) {
    for (const name of settingNames(entry)) {
      const word = `planted${index}${name.length}`;
      const takesUrl = entry.kind.takes.includes("://") || entry.kind.takes.includes("URL");
      const value = plant(word).find((one) => (entry.secret || takesUrl) && entry.kind.read(one) !== undefined);
      if (value === undefined) {
        expect(entry.secret, name).toBe(false);
        continue;
      }
      if (name === "ASSAY_OIDC") continue;
      environment[name] = value;
      planted.push(word);
    }
  }
  environment.ASSAY_DNSBLS = "plantedkeyplantedkeyplanted.zen.dq.spamhaus.net";
  environment.ASSAY_S3_URL = "https://plantedaccesskey:planted%2Fsecretkey@s3.sender.example/bucket";
  environment.ASSAY_TOKEN = "plantedtoken-of-a-client";
  expect(planted.length).toBeGreaterThan(20);
  const log = join(openFolder(), "log");
  const said = Object.values(environment).map((value) =>
    JSON.stringify({ level: "error", message: value, error: value }),
  );
  writeFileSync(log, [...said, ...Object.values(environment)].join("\n"));
  const { code, text, terminal } = await writeSupport(environment, "--log", log);
  expect(terminal.complaints()).not.toContain("invalid");
  expect(code).toBe(0);
  expect(text).toContain("ASSAY_SEND_SMTP_URL");
  expect(text).toContain("== Server check (assay doctor) ==");
  expect(text.match(/.*planted.*/g)).toBeNull();
  expect(terminal.output()).not.toContain("planted");
});

test("the support file of a running server has useful facts, and nothing about people and messages", async () => {
  const world = await startHttpWorld();
  const log = join(openFolder(), "log");
  const lines = [
    {
      at: "2026-11-26T20:00:00.000Z",
      level: "info",
      message: "message received",
      test: `tst_${"0".repeat(26)}`,
      client: "9.9.9.9",
      from: "ann@sender.example",
      to: "seed+x@seed.example",
      bytes: 12,
      tls: "none",
    },
    {
      level: "info",
      message: "finish setup: this server has no owner yet",
      link: "http://127.0.0.1/set-up#secretlink",
      code: "CODE-1234",
    },
    {
      level: "error",
      message: "Request failed.",
      error: "Key (email)=(bob@private.example) already exists",
      subject: "Quarterly figures",
    },
  ];
  writeFileSync(
    log,
    `${lines.map((line) => JSON.stringify(line)).join("\n")}\nassay.service: Main process exited for 8.8.4.4\n`,
  );
  const environment = {
    ASSAY_DATA_DIR: world.folder,
    ASSAY_HTTP_PORT: String(world.port),
    ASSAY_SEED_DOMAINS: "seed.example",
  };
  const { code, text, output, terminal } = await writeSupport(environment, "--log", log);
  expect(code).toBe(0);
  expect(statSync(output).mode & 0o777).toBe(0o600);
  expect(terminal.output()).toContain("Nothing was sent");
  for (const title of [
    "Versions and machine",
    "Settings that are set",
    "Data directory",
    "Database",
    "Metrics (/metrics)",
    "Log",
  ])
    expect(text).toContain(`== ${title} ==`);
  expect(text).toMatch(/ASSAY_SEED_DOMAINS +seed\.example/);
  expect(text).toMatch(/0001-first-release +2\d{3}-/);
  expect(text).toMatch(/^ {2}tests +0$/m);
  expect(text).toContain("assay_backlog_messages 0");
  expect(text).toContain('200 {"status":"ready"}');
  expect(text).toContain("message received");
  expect(text).toContain("assay.service: Main process exited for (address)");
  for (const personal of ["ann@", "seed+x", "9.9.9.9", "8.8.4.4", "secretlink", "CODE-1234", "bob@", "Quarterly"])
    expect(text).not.toContain(personal);
});

test("the support file is written with wrong settings, and names them without their values", async () => {
  const environment = {
    ASSAY_DATA_DIR: openFolder(),
    ASSAY_HTTP_PORT: "none",
    ASSAY_RSPAMD_URL: `ftp://u:${"hidden-word".repeat(9)}@x`,
  };
  const { code, text } = await writeSupport(environment);
  expect(code).toBe(0);
  expect(text).toContain("ASSAY_HTTP_PORT must be a port from 0 to 65535");
  expect(text).toContain("== Versions and machine ==");
  expect(text).toContain("== Log ==");
  expect(text).not.toContain("hidden-word");
});

test("an existing file is not replaced", async () => {
  const file = join(openFolder(), "mine.txt");
  writeFileSync(file, "mine");
  const terminal = testTerminal({ ASSAY_DATA_DIR: openFolder() });
  expect(await run(["support", "--output", file], terminal)).not.toBe(0);
  expect(terminal.complaints()).toContain("it exists");
  expect(readFileSync(file, "utf8")).toBe("mine");
});

test("only harmless fields and IDs of our log lines are kept", () => {
  const id = `tst_${"a".repeat(26)}`;
  const line = JSON.stringify({
    level: "warn",
    message: "m",
    test: `${id} ${id}`,
    ms: 4,
    isOn: true,
    note: "free text",
    deep: { a: "b" },
  });
  expect(JSON.parse(maskLogLine(line))).toEqual({
    level: "warn",
    message: "m",
    test: `${id} ${id}`,
    ms: 4,
    isOn: true,
    note: "(left out)",
    deep: "(left out)",
  });
  expect(maskLogLine("a\u001b[2J 2001:db8::1 ::1 10.0.0.1 2606:4700::1111 at 20:54:52")).toBe(
    "a\\u001b[2J 2001:db8::1 ::1 10.0.0.1 (address) at 20:54:52",
  );
});

test("terminal log lines lose personal fields, setup links, and codes", () => {
  const id = `tst_${"a".repeat(26)}`;
  const line = `2026-11-26T20:00:00.000Z info  message received test=${id} from=ann@x.example to="a \\"b\\" c" bytes=235 tls=none note="two words"`;
  expect(maskLogLine(line)).toBe(
    `2026-11-26T20:00:00.000Z info  message received test=${id} from=(left out) to=(left out) bytes=235 tls=none note=(left out)`,
  );
  expect(maskLogLine("Finish setup: http://127.0.0.1:8080/setup#4ww9ynynLJK6cMbVNdDRW_XbBW7 or 5NHQ-3T3R")).toBe(
    "Finish setup: http://127.0.0.1:8080/setup#(hidden) or (hidden)",
  );
});

test("the journal is read with fixed arguments, and a missing one is reported", async () => {
  const folder = openFolder();
  const program = join(folder, "journalctl");
  writeFileSync(program, '#!/bin/sh\necho "$@"\necho second\n');
  chmodSync(program, 0o755);
  expect(await readJournal(program)).toEqual({
    ok: true,
    lines: ["--unit=assay.service --lines=500 --no-pager --output=cat --quiet", "second"],
  });
  writeFileSync(program, "#!/bin/sh\n");
  expect(await readJournal(program)).toMatchObject({ ok: false });
  expect(await readJournal(join(folder, "none"))).toEqual({
    ok: false,
    problem: "This machine has no systemd journal (journalctl).",
  });
});
