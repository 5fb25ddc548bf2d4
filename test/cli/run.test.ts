import { describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { run } from "../../src/cli/run.ts";
import { testTerminal } from "./terminal.ts";

async function assay(argv: string[], environment: Record<string, string> = {}) {
  const terminal = testTerminal(environment);
  const exitCode = await run(argv, terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

describe("the command line", () => {
  test("every command has help with an example", async () => {
    for (const command of await commands()) {
      const { exitCode, output } = await assay([...command.name.split(" "), "--help"]);
      expect(exitCode).toBe(0);
      expect(output).toContain(`Usage:    assay ${command.usage}`);
      expect(output).toMatch(/Example: {2}.*assay /);
      expect(command.usage.startsWith(command.name)).toBe(true);
    }
  });

  test("help lists every command and explains one", async () => {
    const overview = await assay(["help"]);
    for (const { name } of await commands()) expect(overview.output).toContain(`  ${name}`);
    expect((await assay(["help", "token", "create"])).output).toContain("assay token create");
  });

  test("config shows which lists are asked, without the key of one", async () => {
    const environment = { ASSAY_DNSBLS: "s3cr3t.zen.dq.spamhaus.net" };
    for (const argv of [["config"], ["config", "--json"]]) {
      const { output } = await assay(argv, environment);
      expect(output).toContain("_key.zen.dq.spamhaus.net");
      expect(output).not.toContain("s3cr3t");
    }
  });

  test("the help of serve lists every setting with its default", async () => {
    expect((await assay(["serve", "--help"])).output).toMatch(/ASSAY_HTTP_PORT +\(8080\) +Port of/);
  });

  test.each([
    [[], "Usage: assay <command>"],
    [["frobnicate"], 'There is no command "frobnicate". assay help lists the commands.\n'],
    [["token"], "assay token takes one of: list, create, revoke.\n"],
    [["version", "extra"], 'Unexpected: "extra". Usage: assay version [--json]\n'],
    [["backup"], "Something is missing. Usage: assay backup <file>\n"],
    [["version", "--frob"], "Usage: assay version"],
    [["help", "frob"], 'There is no command "frob".'],
  ])("%j is wrong use: exit 2 and one clear line", async (argv, sentence) => {
    const { exitCode, output, complaints } = await assay(argv);
    expect(exitCode).toBe(2);
    expect(output).toBe("");
    expect(complaints).toContain(sentence);
    if (argv.length > 0) expect(complaints.trimEnd().split("\n")).toHaveLength(1);
  });

  test("version answers for people and for machines", async () => {
    expect((await assay(["version"])).output).toMatch(/^assay \d+\.\d+\.\d+\n$/);
    expect(JSON.parse((await assay(["version", "--json"])).output)).toHaveProperty("version");
  });

  test("config masks secrets and shows the rest", async () => {
    const { output } = await assay(["config"], {
      ASSAY_STRIPE_SECRET_KEY: "sk_live_1",
      ASSAY_HTTP_PORT: "9000",
    });
    expect(output).not.toContain("sk_live_1");
    expect(output).toMatch(/ASSAY_STRIPE_SECRET_KEY +\(set, not shown\)/);
    expect(output).toMatch(/ASSAY_HTTP_PORT +9000/);
  });

  test("a password in a setting's URL is masked too", async () => {
    const environment = {
      ASSAY_SEND_SMTP_URL: "smtp://user:hunter2@relay.example",
      ASSAY_DATABASE_URL: "postgres://assay:hunter2@db/assay",
      ASSAY_SECRET_KEY: "k".repeat(32),
    };
    expect((await assay(["config", "--json"], environment)).output).not.toContain("hunter2");
  });

  test("wrong settings are all named in one refusal", async () => {
    const { exitCode, complaints } = await assay(["serve"], {
      ASSAY_HTTP_PORT: "x",
      ASSAY_SEED_DOMAINS: ";",
    });
    expect(exitCode).not.toBe(0);
    expect(complaints).toContain("2 settings are wrong; nothing was started.");
    expect(complaints).toContain("ASSAY_HTTP_PORT takes a port");
    expect(complaints).toContain("ASSAY_SEED_DOMAINS takes a comma-separated list");
  });

  test("a settings file that cannot be read is one sentence", async () => {
    const { exitCode, complaints } = await assay(["config", "--config", "/nowhere/assay.env"]);
    expect(exitCode).not.toBe(0);
    expect(complaints).toBe('The settings file "/nowhere/assay.env" cannot be read (ENOENT).\n');
  });

  test("--version answers as version does, and help explains a family of commands", async () => {
    expect((await assay(["--version"])).output).toBe((await assay(["version"])).output);
    const { exitCode, output } = await assay(["help", "token"]);
    expect(exitCode).toBe(0);
    for (const word of ["token list", "token create", "token revoke"]) expect(output).toContain(word);
  });
});
