// No fix proposes a sender that Assay itself would call an imitation: for the gallery, the fixtures, names of brands in
// every broken shape of a From header, and mail from the wild.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { judgeFile } from "../../scripts/placement/judge-file.ts";
import { brandRows } from "../../src/analyzer/checks/brands-table.ts";
import { namesForeignBrand } from "../../src/analyzer/checks/impersonation/judge-name.ts";
import { checks } from "../../src/analyzer/checks/list.ts";
import { decodeWords } from "../../src/analyzer/mail/text/decoding.ts";
import { judgeMessage } from "../../src/analyzer/reports/judgment.ts";
import { toBytes as toPreparedBytes } from "../../src/analyzer/samples/letter.ts";
import { preparedMessages } from "../../src/analyzer/samples/messages-table.ts";
import { fixtures, letterOf } from "../fixtures/messages/fixture.ts";
import { toBytes } from "../fixtures/messages/letter.ts";
import { receivedAt } from "../fixtures/messages/sender.ts";
import { lane } from "../lanes.ts";

/** A name in front of an address or a host in angle brackets, as in From and List-Id. */
const pairs = /(?:^|[`:])\s*([^`:<>]{1,300}?)\s*<([^<>\s]*[@.][^<>\s]*)>/g;

async function fixesOf(raw: Buffer): Promise<string[]> {
  const { facts } = await judgeFile(raw, receivedAt);
  const { findings } = judgeMessage(facts, checks, (check, error) => {
    throw new Error(check, { cause: error });
  }).judgment;
  const fixes = findings.flatMap(({ fix, occurrences }) => [fix, ...occurrences.map((one) => one.fix)]);
  return [...new Set(fixes.map((fix) => fix ?? ""))];
}

/** The senders in the fixes of a message that put a brand beside a domain that isn't the brand's. */
async function imitationsIn(raw: Buffer): Promise<string[]> {
  return (await fixesOf(raw)).flatMap((fix) =>
    [...fix.matchAll(pairs)].flatMap(([pair, name = "", address = ""]) => {
      const isForeign = namesForeignBrand(decodeWords(name), address.includes("@") ? address : `@${address}`);
      return isForeign ? [pair] : [];
    }),
  );
}

test("no fix for a sample or a fixture proposes an imitation", async () => {
  const prepared = preparedMessages.map(({ id, letter }) =>
    toPreparedBytes(letter, { to: "reader@receiver.example", sentAt: receivedAt, mark: id }, "meadow.example"),
  );
  const letters = fixtures.map((fixture) => toBytes(letterOf(fixture)));
  for (const raw of [...prepared, ...letters]) expect(await imitationsIn(Buffer.from(raw))).toEqual([]);
});

const shapes: readonly ((name: string) => string)[] = [
  (name) => `${name} Team ,_<news@letters.example>`,
  (name) => `"${name} Team", <news@letters.example>`,
  (name) => `"${name} (news@other.example)" <news@letters.example>`,
  (name) => `news@letters.example (${name}), <>`,
  (name) => `"${name} Helpdesk <news@letters.example>`,
  (name) => `IT ${name} Support <news@letters.example`,
];

test("no fix puts the name of a brand beside the address of another sender", async () => {
  const names = brandRows().flatMap(({ name }, at) => (lane === "all" || at % 25 === 0 ? [name] : []));
  for (const [at, name] of names.entries()) {
    const shape = shapes[at % shapes.length];
    const head = `From: ${shape?.(name)}\r\nTo: ann@receiver.example\r\nList-Unsubscribe: <https://letters.example/u>\r\n`;
    expect(await imitationsIn(Buffer.from(`${head}Subject: News\r\n\r\nHello\r\n`)), name).toEqual([]);
  }
});

test("no fix repeats an address that spells the imitated brand", async () => {
  const names = brandRows().flatMap(({ name }, at) =>
    /^[\w ]{3,}$/.test(name) && (lane === "all" || at % 25 === 0) ? [name] : [],
  );
  for (const [at, name] of names.entries()) {
    const brand = name.toLowerCase().replaceAll(" ", "");
    const cut = `${brand.slice(0, 2)}.${brand.slice(2)}`;
    const addresses = [`${brand}-alerts@letters.example`, `${cut}@letters.example`, `you@${brand}-secure.example`];
    const head = `From: "${name} Support" <${addresses[at % addresses.length]}>\r\nTo: ann@receiver.example\r\n`;
    for (const fix of await fixesOf(Buffer.from(`${head}Subject: News\r\n\r\nHello\r\n`)))
      expect(/"Your name" <[^<>]*>/.exec(fix)?.[0].replace(/[.-]/g, "") ?? "").not.toContain(brand);
  }
});

const archives = join(import.meta.dirname, "../../../shared/data/mail");
const hasArchives = existsSync(archives);
if (!hasArchives) console.warn("Skipped: ../shared/data/mail is not there.");

describe.skipIf(!hasArchives)("mail from the wild", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-imitation-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("no fix for mail from the wild proposes an imitation", async () => {
    for (const name of ["trap", "chinese"]) {
      execFileSync("tar", ["xzf", join(archives, `${name}.tar.gz`), "-C", folder]);
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
      const some = files.toSorted((one, other) => one.name.localeCompare(other.name));
      for (const { parentPath, name: file } of some.slice(0, lane === "all" ? 1_000 : 75))
        expect(await imitationsIn(readFileSync(join(parentPath, file))), file).toEqual([]);
      for (const one of readdirSync(folder)) rmSync(join(folder, one), { recursive: true });
    }
  });
});
