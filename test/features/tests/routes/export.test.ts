// The CSV export over a real socket, read with common software.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exportColumns } from "../../../../src/features/tests/contract/export.ts";
import type { TestsTable } from "../../../../src/features/tests/tables.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { type HttpWorldOptions, startHttpWorld } from "../../../http/http-world.ts";
import { temporaryFolder } from "../../../platform/database/temporary.ts";
import { insertTests } from "../../../platform/database/test-rows.ts";

const path = "/api/tests/export.csv";

/** A workspace with these tests, the oldest first. */
async function startWith(changes: readonly Partial<TestsTable>[], options: HttpWorldOptions = {}) {
  const world = await startHttpWorld(options);
  const workspace = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace.id);
  const caller = { token, workspace: workspace.id };
  const rows = changes.map((changed, index) => {
    const receivedAt = world.clock.nowMs + index;
    const id = createId("test", receivedAt, new Uint8Array(16));
    return { id, received_at: receivedAt, ...changed };
  });
  await insertTests(world.store, workspace.id, rows);
  return { world, caller, ids: rows.map(({ id }) => id) };
}

const numbered = (count: number, subject = "Number") =>
  Array.from({ length: count }, (_, index) => ({ subject: `${subject} ${index}` }));

describe("GET /api/tests/export.csv", () => {
  test("GET /api/tests/export.csv has its twelve columns in the documented order", async () => {
    const whole: Partial<TestsTable> = {
      header_from: "Ann <ann@sender.example>",
      subject: "Hello",
      status: "analyzed",
      composite: 87.5,
      inbox_rate: 0.75,
      spam_rate: 0.25,
      promo_rate: 0,
      spf: "pass",
      dkim: "none",
      dmarc: "fail",
    };
    const waiting: Partial<TestsTable> = { header_from: null, subject: null, status: "received" };
    const { world, caller, ids } = await startWith([whole, waiting]);
    const { status, headers, text } = await world.ask("GET", path, caller);
    expect(status).toBe(200);
    expect(text).toBe(
      [
        "id,received_at,from,subject,status,composite,inbox_rate,spam_rate,promo_rate,spf,dkim,dmarc",
        `${ids[1]},2026-11-21T06:00:00.001Z,,,received,,,,,,,`,
        `${ids[0]},2026-11-21T06:00:00.000Z,Ann <ann@sender.example>,Hello,analyzed,87.5,0.75,0.25,0,pass,none,fail`,
        "",
      ].join("\r\n"),
    );
    expect(headers.get("content-type")).toMatch(/^text\/csv; *charset=utf-8/);
    expect(headers.get("content-disposition")).toBe('attachment; filename="assay-tests-2026-11-21.csv"');
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("GET /api/tests/export.csv has at most the newest 5,000 rows", async () => {
    const { world, caller, ids } = await startWith(numbered(5_001));
    const newestFirst = ids.toReversed();
    const exported = async (query: string) => (await world.ask("GET", path + query, caller)).text.match(/^tst_\w+/gm);
    expect(await exported("")).toEqual(newestFirst.slice(0, 5_000));
    expect(await exported("?limit=5001")).toEqual(newestFirst.slice(0, 5_000));
    expect(await exported("?limit=3")).toEqual(newestFirst.slice(0, 3));
  });

  test.each(["0", "-1", "1.5", "ten", ""])("GET /api/tests/export.csv rejects limit=%s", async (limit) => {
    const { world, caller } = await startWith([]);
    const answer = await world.ask("GET", `${path}?limit=${limit}`, caller);
    expect(answer.json).toMatchObject({ error: "invalid_request", field: "limit" });
  });

  test("GET /api/tests/export.csv has its header row even without tests", async () => {
    const { world, caller } = await startWith([]);
    expect((await world.ask("GET", path, caller)).text).toBe(`${exportColumns.join(",")}\r\n`);
  });

  test("GET /api/tests/export.csv answers HEAD with only headers, and does not count it", async () => {
    const bounds = { atOnceInWorkspace: 1, patienceMs: 1 };
    const { world, caller } = await startWith(numbered(3), { exports: bounds });
    for (let time = 0; time < 3; time++) {
      const { status, headers } = await world.ask("HEAD", path, caller);
      expect(status).toBe(200);
      expect(headers.get("content-disposition")).toContain("attachment");
    }
    expect((await world.ask("GET", path, caller)).status).toBe(200);
  });

  test("GET /api/tests/export.csv returns an error if it fails before its first row", async () => {
    const { world, caller } = await startWith(numbered(3), { wrapStore: failingAside(1) });
    const answer = await world.ask("GET", path, caller);
    expect(answer).toMatchObject({ status: 500, json: { error: "internal" } });
  });

  test("GET /api/tests/export.csv is not a complete file if it fails later", async () => {
    const options = { wrapStore: failingAside(2), exports: { pageRows: 2 } };
    const { world, caller } = await startWith(numbered(3), options);
    await expect(world.ask("GET", path, caller)).rejects.toThrow(/terminated|fetch failed/);
    expect(world.lines).toContainEqual(expect.objectContaining({ message: "export failed" }));
  });

  test("GET /api/tests/export.csv disconnects a client that reads nothing, while others wait", async () => {
    const exports = { atOnceInWorkspace: 1, patienceMs: 1, deadlineMs: 1_500 };
    // More than the sockets between us take.
    const { world, caller } = await startWith(numbered(1_000, "x".repeat(30_000)), { exports });
    const silent = connect(world.port, "127.0.0.1");
    silent.on("error", () => {});
    silent.write(
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${caller.token}\r\nX-Workspace-Id: ${caller.workspace}\r\n\r\n`,
    );
    await once(silent, "readable");
    const refused = await world.ask("GET", path, caller);
    expect(refused).toMatchObject({ status: 429, json: { error: "rate_limited" } });
    expect(refused.headers.get("retry-after")).toBe("5");
    let next = refused;
    while (next.status === 429) next = await world.ask("GET", `${path}?limit=1`, caller);
    expect(next.status).toBe(200);
    silent.destroy();
  });

  test("GET /api/tests/export.csv continues for others after a client disconnects", async () => {
    const exports = { atOnceInWorkspace: 1, patienceMs: 5_000 };
    const { world, caller } = await startWith(numbered(1_000, "x".repeat(30_000)), { exports });
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${caller.token}`, "x-workspace-id": caller.workspace };
    await fetch(world.base + path, { headers, signal: leaving.signal });
    leaving.abort();
    expect((await world.ask("GET", `${path}?limit=1`, caller)).status).toBe(200);
  });
});

/** What comes back as it was written. */
const keptSubjects = [
  "plain",
  "",
  " spaces at both ends ",
  'She said "hi", and left',
  '"',
  '""',
  ",",
  "two\nlines",
  "two\r\nlines",
  "lone\rreturn",
  'quote"\r\nand break',
  "ends with a break\r\n",
  "'quoted already",
  "\ufeffa byte order mark",
  "Grüße 🎉 日本語 עברית",
  "NULL",
  "1e9999",
  "# comment",
  "\\N \\. \\",
];
const changedSubjects: readonly (readonly [subject: string, cell: string | RegExp])[] = [
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@a", "'@a"],
  ["\ttab first", "'\ttab first"],
  ["\r=1", "'\r=1"],
  ["＝1", "'＝1"],
  ["a\x01\x1b[2J\x1f\x7f\x85b", "a\ufffd\ufffd[2J\ufffd\ufffd\ufffdb"],
  [`=${"long ".repeat(20_000)}`, /^'=(long )+l?o?n?g?…$/],
  ["🎉".repeat(30_000), /^(🎉)+…$/u],
  ['"'.repeat(100_000), /^"+…$/],
];
const subjects = [...keptSubjects, ...changedSubjects.map(([subject]) => subject)];

/** Cells as hex: no other program's way to write a text stands between. */
const readers: Readonly<Record<string, { program: string; read: (file: string) => string }>> = {
  "Python's csv module": {
    program: "python3",
    read: (file) =>
      run("python3", [
        "-c",
        "import csv,sys\nfor row in csv.reader(open(sys.argv[1], encoding='utf-8', newline=''), strict=True):\n print(','.join(cell.encode().hex() for cell in row))",
        file,
      ]),
  },
  "SQLite's .import": {
    program: "sqlite3",
    read: (file) => {
      const cells = exportColumns.map((name) => `lower(hex("${name}"))`).join(" || ',' || ");
      const names = "select group_concat(lower(hex(name)), ',') from pragma_table_info('t');";
      return run(
        "sqlite3",
        ["-batch", "-bail", ":memory:"],
        `.import --csv "${file}" t\n${names}\nselect ${cells} from t;\n`,
      );
    },
  },
};

function run(program: string, args: readonly string[], input = ""): string {
  return execFileSync(program, args, { input, encoding: "utf8", maxBuffer: 2 ** 27 });
}

const missing = Object.values(readers)
  .map(({ program }) => program)
  .filter((program) => !isInstalled(program));
if (missing.length > 0) {
  const what = `Debian's ${missing.join(" and ")}`;
  if (process.env.CI === "true") throw new Error(`CI reads the export with other programs: install ${what}.`);
  console.warn(`SKIPPED: the export is not read by other programs, because ${what} is not installed.`);
}

function isInstalled(program: string): boolean {
  try {
    run(program, ["--version"]);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(missing.length > 0)("the CSV export in other software", () => {
  test("the CSV export in other software has the same cells in Python's csv module and SQLite's .import", async () => {
    const tests = subjects.map((subject) => ({ subject, header_from: subject.slice(0, 1_000) }));
    const { world, caller, ids } = await startWith(tests);
    const headers = { authorization: `Bearer ${caller.token}`, "x-workspace-id": caller.workspace };
    const file = join(temporaryFolder(), "export.csv");
    const answer = await fetch(world.base + path, { headers });
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    const [python, sqlite] = Object.values(readers).map(({ read }) => toCells(read(file)));
    expect(sqlite).toEqual(python);
    expect(python?.[0]).toEqual(exportColumns);
    expect(python?.slice(1).map(([id]) => id)).toEqual(ids.toReversed());
    const cells =
      python
        ?.slice(1)
        .map((row) => row[3])
        .toReversed() ?? [];
    expect(cells.slice(0, keptSubjects.length)).toEqual(keptSubjects);
    for (const [index, [, expected]] of changedSubjects.entries())
      expect(cells[keptSubjects.length + index]).toEqual(
        typeof expected === "string" ? expected : expect.stringMatching(expected),
      );
    expect(python?.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  });
});

function toCells(hexLines: string): string[][] {
  const lines = hexLines.trimEnd().split("\n");
  return lines.map((line) => line.split(",").map((cell) => Buffer.from(cell, "hex").toString()));
}

/** A store whose long reads fail from the given one on. */
function failingAside(from: number): NonNullable<HttpWorldOptions["wrapStore"]> {
  let reads = 0;
  return (store) => ({
    ...store,
    readInWorker: store.readInWorker.withPlugin({
      transformQuery: ({ node }) => {
        reads++;
        if (reads >= from) throw new Error("the disk is gone");
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  });
}
