import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands, run } from "../../../src/commands.ts";
import { waitExitCodes } from "../../../src/features/tests/command/wait.ts";
import { testTerminal } from "./terminal.ts";

async function assay(argv: string[], environment: Record<string, string> = {}) {
  const terminal = testTerminal(environment);
  const exitCode = await run(argv, terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

describe("the command line", () => {
  test("the command line has help with an example for every command", async () => {
    for (const command of await commands()) {
      const { exitCode, output } = await assay([...command.name.split(" "), "--help"]);
      expect(exitCode).toBe(0);
      expect(output).toContain(`Usage:    npm run -s assay -- ${command.usage}`);
      expect(output).toMatch(/Example: {2}.*npm run -s assay -- /);
      expect(command.usage.startsWith(command.name)).toBe(true);
    }
  });

  test("the command line lists every command with help, and explains one", async () => {
    const overview = await assay(["help", "all"]);
    for (const { name } of await commands()) expect(overview.output).toContain(`  ${name}`);
    expect((await assay(["help", "token", "create"])).output).toContain("token create --name");
  });

  test("the command line begins with eight commands, and says how to list all", async () => {
    const { output } = await assay(["--help"]);
    const shown = output.split("\n").flatMap((line) => /^ {2}(\S+(?: \S+)?) {2}/.exec(line)?.[1] ?? []);
    expect(shown).toEqual(["serve", "doctor", "analyze", "domain", "wait", "tests", "setup-link", "backup"]);
    expect(output).toMatch(/^All \d\d commands: +npm run -s assay -- help all$/m);
  });

  test("the command line lists the commands in groups", async () => {
    const { output } = await assay(["help", "all"]);
    const titles = output.split("\n").filter((line) => /^[A-Z][a-z ]+$/.test(line));
    expect(titles).toEqual(["Run", "Test messages and domains", "Use a server", "Workspaces and people", "Maintain"]);
  });

  test("the command line shows the configured blocklists without their keys", async () => {
    const environment = { ASSAY_DNSBLS: "s3cr3t.zen.dq.spamhaus.net" };
    for (const argv of [["config"], ["config", "--json"]]) {
      const { output } = await assay(argv, environment);
      expect(output).toContain("_key.zen.dq.spamhaus.net");
      expect(output).not.toContain("s3cr3t");
    }
  });

  test("the command line lists every setting with its default in the help of serve", async () => {
    expect((await assay(["serve", "--help"])).output).toMatch(/ASSAY_HTTP_PORT +\(8080\) +Port of/);
  });

  test.each([
    [[], "Usage: npm run -s assay -- <command>"],
    [["frobnicate"], 'Unknown command "frobnicate". To list all commands: npm run -s assay -- help all\n'],
    [["serv"], 'Unknown command "serv". Did you mean serve?\n'],
    [["anlyze", "a.eml"], 'Unknown command "anlyze". Did you mean analyze?\n'],
    [["token"], 'Incomplete command "token". Use one of: token list, token create, token revoke.\n'],
    [["token", "lst"], 'Unknown command "token lst". Did you mean token list?\n'],
    [["wrokspace", "list"], 'Unknown command "wrokspace list". Did you mean workspace list?\n'],
    [["version", "extra"], 'Unexpected argument: "extra". For help: npm run -s assay -- version --help\n'],
    [["backup"], "Missing argument: <file>, because ASSAY_BACKUP_TO is not set."],
    [["version", "--frob"], "Unknown option --frob. For help"],
    [["analyze", "--sarf", "a.eml"], "Unknown option --sarf. Did you mean --sarif?"],
    [["analyze", "a.eml", "--ip"], "Option '--ip <value>' argument missing. For help"],
    [["help", "frob"], 'Unknown command "frob".'],
    [["help", "backpu"], 'Unknown command "backpu". Did you mean backup?'],
  ])("the command line treats %j as a usage error with exit status 2 and one line", async (argv, sentence) => {
    const { exitCode, output, complaints } = await assay(argv);
    expect(exitCode).toBe(2);
    expect(output).toBe("");
    expect(complaints).toContain(sentence);
    if (argv.length > 0) expect(complaints.trimEnd().split("\n")).toHaveLength(1);
  });

  test("the command line prints the version as text and as JSON", async () => {
    expect((await assay(["version"])).output).toMatch(/^assay \d+\.\d+\.\d+\n$/);
    expect(JSON.parse((await assay(["version", "--json"])).output)).toHaveProperty("version");
  });

  test("the command line masks secrets in config, and shows the other settings", async () => {
    const { output } = await assay(["config"], { ASSAY_STRIPE_SECRET_KEY: "sk_live_1", ASSAY_HTTP_PORT: "9000" });
    expect(output).not.toContain("sk_live_1");
    expect(output).toMatch(/ASSAY_STRIPE_SECRET_KEY +\(set, hidden\)/);
    expect(output).toMatch(/ASSAY_HTTP_PORT +9000/);
  });

  test("the command line masks a password in a setting's URL too", async () => {
    const environment = {
      ASSAY_SEND_SMTP_URL: "smtp://user:hunter2@relay.example",
      ASSAY_DATABASE_URL: "postgres://assay:hunter2@db/assay",
      ASSAY_SECRET_KEY: "k".repeat(32),
    };
    expect((await assay(["config", "--json"], environment)).output).not.toContain("hunter2");
  });

  test("the command line reports all invalid settings at once", async () => {
    const { exitCode, complaints } = await assay(["serve"], { ASSAY_HTTP_PORT: "x", ASSAY_SEED_DOMAINS: ";" });
    expect(exitCode).not.toBe(0);
    expect(complaints).toContain("2 settings are invalid. Assay did not start.");
    expect(complaints).toContain('ASSAY_HTTP_PORT must be a port from 0 to 65535, not "x".');
    expect(complaints).toContain(
      "ASSAY_SEED_DOMAINS must be a comma-separated list in which each entry is a domain name",
    );
  });

  test("the command line reports an unknown setting, and suggests the intended one", async () => {
    const { exitCode, complaints } = await assay(["config"], { ASSAY_HTTP_PROT: "1", ASSAY_FOO: "2" });
    expect(exitCode).toBe(0);
    expect(complaints).toContain("ASSAY_HTTP_PROT is not a setting. Did you mean ASSAY_HTTP_PORT?\n");
    expect(complaints).toContain("ASSAY_FOO is not a setting and is ignored.\n");
  });

  test("the command line reports an unreadable settings file in one sentence", async () => {
    const { exitCode, complaints } = await assay(["config", "--config", "/nowhere/assay.env"]);
    expect(exitCode).not.toBe(0);
    expect(complaints).toBe('Cannot read the settings file "/nowhere/assay.env": no such file.\n');
  });

  test("the command line prints the same for --version and version, and explains a group of commands", async () => {
    expect((await assay(["--version"])).output).toBe((await assay(["version"])).output);
    const { exitCode, output } = await assay(["help", "token"]);
    expect(exitCode).toBe(0);
    for (const word of ["token list", "token create", "token revoke"]) expect(output).toContain(word);
  });
});

test("the handbook has the same exit statuses as the help", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../src/handbook", "ci.md"), "utf8");
  expect(page.replaceAll("`", "")).toContain(`| 3 | ${waitExitCodes[3]} |`);
});
