import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSendersFile } from "../../../../src/features/feedback/work/senders-file.ts";

const dataDir = mkdtempSync(join(tmpdir(), "assay-senders-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

test("without the file, there are no rows", async () => {
  expect(await readSendersFile({ dataDir: join(dataDir, "nothing") })).toEqual({ rows: [], bad: 0 });
});

test("reads a map of reverse DNS names, and leaves bad rows out", async () => {
  const lines = [
    "base_reverse_dns,name,type",
    "esp.example,Our ESP,Marketing",
    'comma.example,"Comma, ""Inc.""",Web Host',
    "hospital.example,A Hospital,Healthcare",
    "not a domain,Nothing,ISP",
    "noname.example,,ISP",
    "\u202eevil.example,Evil,ISP",
  ];
  writeFileSync(join(dataDir, "senders.csv"), lines.join("\r\n"));
  const { rows, bad } = await readSendersFile({ dataDir });
  expect(rows).toEqual([
    { name: "Our ESP", kind: "service", domains: ["esp.example"], page: null },
    { name: 'Comma, "Inc."', kind: "hosting", domains: ["comma.example"], page: null },
    { name: "A Hospital", kind: "organization", domains: ["hospital.example"], page: null },
  ]);
  expect(bad).toBe(3);
});

test("refuses a file that is too large", async () => {
  writeFileSync(join(dataDir, "senders.csv"), Buffer.alloc(4_000_001, "a"));
  await expect(readSendersFile({ dataDir })).rejects.toThrow(/can’t be used: it has more than 4 MB/);
});
