// The output formats and exit statuses of `assay analyze`.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { run } from "../../../../src/commands.ts";
import { bytesOf } from "../../../analyzer/domain-cases/verdict-world.ts";
import { startDnsServer } from "../../../dns-server.ts";
import { toBytes } from "../../../fixtures/messages/letter.ts";
import { newsletter } from "../../../fixtures/messages/newsletter.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";
import { readXml } from "../formats/xml.ts";
import { faulty } from "./letters.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-output-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const zone = write("zone.txt", 'a.example TXT "v=spf1 ip4:198.51.100.20 -all"\na.example A 198.51.100.1\n');
const letter = write("letter.eml", bytesOf(faulty));
const bounce = write(
  "bounce.eml",
  'From: MAILER-DAEMON@mx.example\r\nContent-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n' +
    "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n" +
    "Final-Recipient: rfc822; bob@b.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n",
);
const session = ["--dns", zone, "--ip", "198.51.100.20", "--mail-from", "ann@a.example"];

async function analyze(...args: string[]) {
  const terminal = testTerminal();
  const exitCode = await run(["analyze", ...args], terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

test("the score decides the exit status with --fail-under, and the reason is printed", async () => {
  const json = await analyze(letter, ...session, "--json");
  const { composite } = JSON.parse(json.output);
  expect(composite).toBeGreaterThan(5);
  expect(json.exitCode).toBe(0);
  expect((await analyze(letter, ...session, "--fail-under", String(composite))).exitCode).toBe(0);
  const under = await analyze(letter, ...session, "--fail-under", "99.5");
  expect(under.exitCode).toBe(1);
  expect(under.complaints).toBe(`${JSON.stringify(letter)} scored ${composite}, below 99.5.\n`);
});

test("a passed gate says how much was checked, on the screen and on the job page", async () => {
  const unsent = write(
    "unsent.eml",
    "From: Ann <ann@a.example>\r\nTo: bob@b.example\r\nSubject: Lunch\r\n\r\nAt noon.\r\n",
  );
  const gate = [unsent, "--dns", zone, "--fail-under", "10", "--markdown"];
  const { exitCode, complaints, output } = await analyze(...gate);
  expect(exitCode).toBe(0);
  const share = /Only (\d\d)% of checks were completed, so there is no score\./;
  expect(complaints).toMatch(/ passed as far as it could be checked \(at least 10 required\)\. /);
  expect(complaints).toMatch(share);
  expect(Number(share.exec(output)?.[1])).toBeLessThan(50);
  const short = (await analyze(unsent, "--dns", zone, "--fail-under", "100")).complaints;
  expect(short).toMatch(/ is, as far as it could be checked, below 100\.\n/);
  expect((await analyze(...gate, "--strict")).exitCode).toBe(3);
});

test("a low score takes precedence over incomplete checks, and a usage error over both", async () => {
  const unknown = await analyze(letter, "--dns", zone, "--strict");
  expect(unknown.exitCode).toBe(3);
  expect((await analyze(letter, "--dns", zone, "--fail-under", "99")).exitCode).toBe(1);
  expect((await analyze(letter, "/nowhere.eml", "--dns", zone, "--fail-under", "99")).exitCode).toBe(2);
});

test("the README's command for CI passes for a healthy unsent message", async () => {
  const dns = await startDnsServer({ zone: newsletter.zone });
  onTestFinished(dns.close);
  const headers = newsletter.headers.filter(([name]) => name !== "Received");
  write("message.eml", toBytes({ ...newsletter, headers, signatures: [], afterSigning: (raw) => raw }));
  const readme = readFileSync(join(import.meta.dirname, "../../../../README.md"), "utf8");
  const [, line = ""] = /`assay (analyze message\.eml [^`]+)`/.exec(readme) ?? [];
  const argv = line.replace("message.eml", join(folder, "message.eml")).split(" ");
  const terminal = testTerminal({ ASSAY_DNS_SERVERS: `127.0.0.1:${dns.port}` });
  const exitCode = await run(argv, terminal);
  expect(terminal.complaints()).toMatch(/: SPF, DKIM, and DMARC not checked, because the sending server is unknown/);
  expect(terminal.output()).toMatch(/^9\d(\.\d)? of 100|^100 of 100/m);
  expect(exitCode).toBe(0);
});

test("a file without a score does not pass --fail-under", async () => {
  expect((await analyze(bounce, ...session)).exitCode).toBe(0);
  const { exitCode, complaints } = await analyze(bounce, ...session, "--fail-under", "0");
  expect(exitCode).toBe(3);
  expect(complaints).toContain("has no score to compare with 0.");
});

test.each([
  [["--json", "--junit"], "Use only one of --json, --junit, --sarif, and --markdown. --save writes more.\n"],
  [["--sarif", "--junit"], "Use only one of --json, --junit, --sarif, and --markdown. --save writes more.\n"],
  [["--fail-under", "101"], "--fail-under must be a number from 0 to 100.\n"],
  [["--fail-under", "low"], "--fail-under must be a number from 0 to 100.\n"],
  [["--label", "a\r\nb"], "--label must have 1 to 200 characters and no line breaks or control characters.\n"],
  [["--kind", "spam"], "--type must be one of: bulk, transactional, personal, auto-reply.\n"],
])("the wrong options %j are rejected in one sentence", async (args, sentence) => {
  expect(await analyze(letter, ...args)).toEqual({ exitCode: 2, output: "", complaints: sentence });
});

test("--junit and --sarif write one document for all files, even if one cannot be read", async () => {
  const files = [letter, "/nowhere.eml", bounce];
  const junit = await analyze(...files, ...session, "--junit");
  expect(junit.exitCode).toBe(2);
  const suites = readXml(junit.output).filter(({ name }) => name === "testsuite");
  expect(suites.map(({ attributes }) => attributes.name)).toEqual([letter, bounce]);
  const sarif = await analyze(...files, ...session, "--sarif");
  expect(sarif.complaints).toContain('Cannot read "/nowhere.eml": no such file.');
  const { runs } = JSON.parse(sarif.output);
  expect(runs[0].properties.judged).toMatchObject([
    { name: letter, kind: "bulk" },
    { name: bounce, kind: null },
  ]);
});

test("--type decides which checks apply, and the report says that a user chose it", async () => {
  const { output } = await analyze(letter, ...session, "--type", "personal", "--json");
  expect(JSON.parse(output)).toMatchObject({ kind: "personal", kind_detail: { overridden: true } });
  expect(output).not.toContain('"list-unsubscribe.missing"');
});

test("--label is the label of the test address", async () => {
  const path = write("plain.eml", bytesOf({ headers: ["MIME-Version: 1.0"], sign: [] }));
  const kindOf = async (...args: string[]) =>
    JSON.parse((await analyze(path, ...session, "--json", ...args)).output).kind;
  expect(await kindOf()).toBe("personal");
  expect(await kindOf("--label", "bulk")).toBe("bulk");
});

test("each of several files has its name above its report", async () => {
  const { output } = await analyze(letter, bounce, ...session);
  const lines = output.split("\n");
  expect(lines[0]).toBe(letter);
  expect(lines).toContain(bounce);
  expect(output).toMatch(/\d of 100, grade/);
});

test("a blocklist that failed its own test is not used, so --strict doesn't fail because of it", async () => {
  const strict = async (environment: Record<string, string>) => {
    const terminal = testTerminal(environment);
    await run(["analyze", letter, ...session, "--strict"], terminal);
    return { output: terminal.output(), complaints: terminal.complaints() };
  };
  const without = await strict({});
  const dead = await strict({ ASSAY_DNSBLS: "dead.example" });
  expect(dead.complaints).toBe(without.complaints);
  expect(dead.complaints).not.toContain("blocklist");
  expect(dead.output).toContain("failed their own test, so they are not used");
});
