// Signed reports from a real server, verified by the command line in this process and by openssl alone.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Zone } from "../../../src/analyzer/dns/zone.ts";
import { run } from "../../../src/commands.ts";
import { readSignedFile, signSections, toJsonFile } from "../../../src/features/signed-reports/rules/signed-file.ts";
import { createReportSigner } from "../../../src/features/signed-reports/rules/signing-key.ts";
import type { SectionName } from "../../../src/features/signed-reports/rules/statement.ts";
import { replaySigned } from "../../../src/features/signed-reports/work/replay-signed.ts";
import { seeded } from "../../analyzer/mail/ordinary-messages.ts";
import { fixtures, letterOf } from "../../fixtures/messages/fixture.ts";
import { toBytes } from "../../fixtures/messages/letter.ts";
import { startHttpWorld } from "../../http/http-world.ts";
import { listZone, signLetter, toLetter } from "../../http/unsubscribe-world.ts";
import { testTerminal } from "../../platform/cli/terminal.ts";
import { brokenLetter, brokenZone } from "../../web/letters.ts";
import { builtWeb } from "../../web/web-world.ts";

const secretKey = "a-secret-key-that-only-tests-have";
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) console.warn("SKIPPED: verifying with openssl alone (Debian: apt install openssl).");

async function worldWith(raw: Uint8Array, zone: Zone = brokenZone) {
  const world = await startHttpWorld({
    webFiles: await builtWeb(),
    // As the threads of the world call it.
    machine: { settings: { ASSAY_SMTP_HOSTNAME: "mx.seed.example" } },
  });
  world.internet.zone = zone;
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const folder = mkdtempSync(join(tmpdir(), "assay-signed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const receive = async (bytes: Uint8Array) => {
    const id = await world.receive(workspace, "spring", bytes);
    await world.analyzeAll();
    return id;
  };
  const id = await receive(raw);
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
    const answer = await fetch(world.base + path, { headers });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  /** The path of the downloaded file. */
  const save = async (query: string, of = id) => {
    const { status, bytes } = await get(`/api/tests/${of}/report.${query}`);
    expect(status, bytes.toString().slice(0, 200)).toBe(200);
    const file = join(folder, query.replace(/[?=&]/g, "-").replace(/^(\w+)(.*)$/, "report$2.$1"));
    writeFileSync(file, bytes);
    return file;
  };
  return { ...world, id, workspace, token, folder, get, save, receive };
}

async function assay(argv: readonly string[], environment: Record<string, string> = { ASSAY_SECRET_KEY: secretKey }) {
  const terminal = testTerminal(environment);
  const exitCode = await run(argv, terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

const kinds = [
  "html",
  "json",
  "html?redact=recipients",
  "json?redact=recipients",
  "html?redact=body",
  "json?redact=body",
  "html?message=1",
  "json?message=1",
];

test("GET /api/tests/:id/report.html and report.json are signed, complete or redacted, and assay verify accepts them", async () => {
  const { save } = await worldWith(brokenLetter);
  for (const kind of kinds) {
    const { exitCode, output } = await assay(["verify", await save(kind)]);
    expect([kind, exitCode]).toEqual([kind, 0]);
    expect(output).toContain("is unchanged");
    expect(output).toContain("this server’s key");
    expect(output.includes("Redacted copy")).toBe(kind.includes("redact"));
  }
});

test("a changed byte invalidates each kind of file", async () => {
  const { save } = await worldWith(brokenLetter);
  const random = seeded(200);
  for (const kind of kinds) {
    const bytes = readFileSync(await save(kind));
    for (let count = 0; count < 20; count++) {
      const at = Math.floor(random() * bytes.length);
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 + Math.floor(random() * 255));
      if (readSignedFile(changed).ok) throw new Error(`${kind}: byte ${at}`);
    }
  }
  const file = await save("html");
  writeFileSync(file, readFileSync(file, "utf8").replace("<body>", "<body> "));
  const { exitCode, output } = await assay(["verify", file]);
  expect(exitCode).toBe(1);
  expect(output).toContain("NOT as it was signed");
  expect(output).toContain("The page that you see was changed");
});

test("a key of another server is named as such, and a given key decides", async () => {
  const { save, base, folder, get } = await worldWith(brokenLetter);
  const file = await save("html");
  const foreign = await assay(["verify", file], { ASSAY_SECRET_KEY: "another-key-of-another-installation" });
  expect(foreign.exitCode).toBe(3);
  expect(foreign.output).toContain("Foreign key");
  expect(foreign.output).toContain("proves nothing about its origin");
  const noServer = await assay(["verify", file], { ASSAY_DATA_DIR: join(folder, "nothing") });
  expect(noServer.exitCode).toBe(3);
  expect((await assay(["verify", file, "--url", base], { ASSAY_DATA_DIR: join(folder, "nothing") })).exitCode).toBe(0);
  const pem = join(folder, "key.pem");
  writeFileSync(pem, (await get("/.well-known/assay-signing-key.pem")).bytes);
  expect((await assay(["verify", file, "--key", pem], {})).exitCode).toBe(0);
  const { keys } = JSON.parse((await get("/.well-known/assay-signing-key")).bytes.toString());
  expect(keys).toEqual([
    { kty: "OKP", crv: "Ed25519", x: expect.any(String), kid: expect.any(String), use: "sig", alg: "EdDSA" },
  ]);
  const json = JSON.parse((await assay(["verify", file, "--json"], {})).output);
  expect(json).toMatchObject({ unchanged: true, signedBy: "foreign", statement: { key: { id: keys[0].kid } } });
  expect((await assay(["verify", file, "--url", "http://127.0.0.1:1"], {})).exitCode).toBe(6);
  writeFileSync(pem, "no key");
  expect((await assay(["verify", file, "--key", pem], {})).exitCode).toBe(2);
});

test("a forged signed text cannot move the cursor, in text or JSON", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-signed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "report.json");
  const trick = "https://a.example \u009b2J \u001b[2J \u202e";
  const stranger = createReportSigner(new Uint8Array(32).fill(9));
  const statement = {
    signed_at: trick,
    issuer: trick,
    test: trick,
    received_at: trick,
    analyzed_at: trick,
    message: { sha256: "0".repeat(64), bytes: 1, source: trick },
    rules: { assay: trick, placement: trick },
    result: { composite: 1, spf: trick, dkim: trick, dmarc: trick },
    copies: { recipients: [], body: [] },
  };
  writeFileSync(file, toJsonFile(signSections(statement, [], stranger)));
  for (const more of [[], ["--json"]]) {
    const { exitCode, output } = await assay(["verify", file, ...more]);
    expect(exitCode).toBe(3);
    expect(output).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  }
});

test.runIf(hasOpenssl)("openssl alone verifies the statement, each section, and the page", async () => {
  const { save, folder, get } = await worldWith(brokenLetter);
  writeFileSync(join(folder, "assay.pem"), (await get("/.well-known/assay-signing-key.pem")).bytes);
  const sh = (script: string) => {
    const { status, stdout, stderr } = spawnSync("sh", ["-euc", script], { cwd: folder, encoding: "utf8" });
    return { status, text: stdout + stderr };
  };
  for (const kind of ["html", "json", "html?redact=recipients"]) {
    const file = await save(kind);
    const verified = sh(`
      sed -n 's/^"statement":\\(.*\\),$/\\1/p' '${file}' > statement.json
      sed -n 's/^"signature":"\\(.*\\)",$/\\1/p' '${file}' | openssl base64 -d -A > signature.bin
      openssl pkeyutl -verify -pubin -inkey assay.pem -rawin -in statement.json -sigfile signature.bin`);
    expect(verified).toMatchObject({ status: 0, text: expect.stringContaining("Signature Verified Successfully") });
    const { sections } = JSON.parse(readFileSync(join(folder, "statement.json"), "utf8"));
    const { text } = sh(`sed -n 's/^\\["summary",\\(.*\\)\\],\\{0,1\\}$/\\1/p' '${file}' | openssl dgst -sha256 -r`);
    expect(text).toContain(sections.summary);
    if (!kind.startsWith("html")) continue;
    const page = sh(`sed '/^<!--assay-signed-report$/,$d' '${file}' | openssl dgst -sha256 -r`).text.slice(0, 64);
    expect(readFileSync(file, "utf8")).toContain(`"${page}"]`);
    const line = sh(`sed -n 's/^\\["page",\\(.*\\)\\],\\{0,1\\}$/\\1/p' '${file}' | openssl dgst -sha256 -r`).text;
    expect(line).toContain(sections.page);
  }
  writeFileSync(join(folder, "statement.json"), `${readFileSync(join(folder, "statement.json"), "utf8")} `);
  expect(
    sh("openssl pkeyutl -verify -pubin -inkey assay.pem -rawin -in statement.json -sigfile signature.bin").status,
  ).not.toBe(0);
});

describe("a redacted copy", () => {
  const letter = signLetter(toLetter({ unsubscribe: "<https://unsub.example/u>", number: 7 }));

  test("a redacted copy hides what a share hides, and keeps the original signature valid", async () => {
    const { save, folder } = await worldWith(letter, listZone);
    const whole = await save("html?message=1");
    expect(readFileSync(whole, "utf8")).toContain("anyone@seed.example");
    const copies = [];
    for (const without of ["recipients", "body"]) {
      const copy = join(folder, `offline-${without}.json`);
      expect((await assay(["redact", whole, "--without", without, "--save", copy])).exitCode).toBe(0);
      copies.push(copy, await save(`html?redact=${without}`), await save(`json?redact=${without}`));
    }
    for (const copy of copies) {
      const text = readFileSync(copy, "utf8");
      for (const hidden of ["anyone@", "anyone+", "seed.example", "7@news.example", "spring"])
        expect(text, `${copy}: ${hidden}`).not.toContain(hidden);
      const { exitCode, output } = await assay(["verify", copy]);
      expect([copy, exitCode]).toEqual([copy, 0]);
      expect(output).toContain("Redacted copy, without:");
    }
    // The same sections have the same hashes, so a copy can be matched to the whole report.
    const hashes = (file: string) => {
      const reading = readSignedFile(readFileSync(file));
      return reading.ok ? { ...reading.report.statement.sections, page: "", message: "" } : null;
    };
    expect(hashes(copies[2] ?? "")).toEqual({ ...hashes(whole) });
  });

  test("a redacted copy cannot be analyzed again, and cannot contain the message", async () => {
    const { save, get, id, folder } = await worldWith(letter, listZone);
    expect((await get(`/api/tests/${id}/report.json?redact=body&message=1`)).status).toBe(400);
    const eml = join(folder, "letter.eml");
    writeFileSync(eml, letter);
    const { exitCode, output } = await assay([
      "verify",
      await save("json?redact=recipients"),
      "--replay",
      "--message",
      eml,
    ]);
    expect(exitCode).toBe(1);
    expect(output).toContain("Only the complete file can be analyzed again");
  });
});

describe("analyzing a signed report again", () => {
  test("analyzing a signed report again from the file alone gives the same results with the recorded DNS, for every fixture", async () => {
    const world = await worldWith(brokenLetter);
    let replayed = 0;
    for (const fixture of fixtures) {
      const letter = letterOf(fixture);
      world.internet.zone = letter.zone;
      const id = await world.receive(toBytes(letter));
      const path = `/api/tests/${id}/report`;
      if ((await world.get(`${path}.json`)).status !== 200) continue;
      const file = await world.save("json?message=1", id);
      world.internet.zone = {};
      const { exitCode, output } = await assay(["verify", file, "--replay"]);
      expect([fixture, exitCode, output]).toEqual([fixture, 0, expect.stringContaining("the same results")]);
      replayed++;
    }
    expect(replayed).toBeGreaterThan(40);
  });

  test("analyzing a signed report again uses what the workspace had learned, even if it was forgotten", async () => {
    const { ask, workspace, token, receive, save, get, id } = await worldWith(brokenLetter);
    const learn = (learned: object | null) =>
      ask("PATCH", `/api/workspaces/${workspace}`, { token, body: { learned } });
    await learn({ slope: 0.5, intercept: 2, spam: 200, wanted: 200, brierBefore: 0.2, brierAfter: 0.1 });
    const learned = await receive(brokenLetter);
    await learn(null);
    const read = async (one: string) => JSON.parse((await get(`/api/tests/${one}`)).bytes.toString());
    expect((await read(learned)).placement_results).not.toEqual((await read(id)).placement_results);
    const { exitCode, output } = await assay(["verify", await save("json?message=1", learned), "--replay"]);
    expect([exitCode, output]).toEqual([0, expect.stringContaining("the same results")]);
  });

  test("analyzing a signed report again names different results, and never throws for unusable evidence", async () => {
    const { save } = await worldWith(brokenLetter);
    const reading = readSignedFile(readFileSync(await save("json?message=1")));
    if (!reading.ok) throw new Error(reading.why);
    const read = (name: SectionName) => reading.report.read(name) ?? "";
    const sections = {
      dns: read("dns"),
      session: read("session"),
      workspace: read("workspace"),
      report: read("report"),
    };
    expect(await replaySigned(brokenLetter, sections)).toEqual({ ok: true, differences: [], sameVersion: true });
    const { dns, ...rest } = JSON.parse(sections.dns);
    const without = JSON.stringify({ ...rest, dns: dns.filter(({ type }: { type: string }) => type !== "TXT") });
    const changed = await replaySigned(brokenLetter, { ...sections, dns: without });
    expect(changed).toMatchObject({
      ok: true,
      differences: expect.arrayContaining([expect.stringContaining("dmarc: ")]),
    });
    const random = seeded(5);
    const hostile = [
      "null",
      "[]",
      "1",
      '"x"',
      "{",
      "{}",
      '{"dns":[null]}',
      '{"dns":[{"name":1,"type":[],"records":7}]}',
      '{"session":"{}"}',
      '{"session":"[","received_at":"x"}',
    ];
    for (let round = 0; round < 10; round++) {
      const name = (["dns", "session", "workspace", "report"] as const)[Math.floor(random() * 4)] ?? "dns";
      const cut = sections[name].slice(0, Math.floor(random() * sections[name].length));
      const value = round % 3 === 0 ? cut : (hostile[Math.floor(random() * hostile.length)] ?? "");
      const replay = await replaySigned(brokenLetter, { ...sections, [name]: value });
      if (replay.ok) expect([name, value, replay.differences]).not.toEqual([name, value, []]);
    }
  });

  test("analyzing a signed report again works with the separate message, and fails with another one", async () => {
    const { save, folder } = await worldWith(brokenLetter);
    const [file, eml] = [await save("html"), join(folder, "message.eml")];
    expect((await assay(["verify", file, "--replay"])).output).toContain("Pass it with --message");
    writeFileSync(eml, brokenLetter);
    const same = await assay(["verify", file, "--message", eml, "--replay"]);
    expect(same).toMatchObject({ exitCode: 0, output: expect.stringContaining("The message is the one") });
    writeFileSync(eml, `${brokenLetter} `);
    const other = await assay(["verify", file, "--message", eml]);
    expect(other).toMatchObject({ exitCode: 1, output: expect.stringContaining("NOT the one") });
  });
});
