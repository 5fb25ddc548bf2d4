import { createHash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import firstDictionary from "../../../../src/features/tests/rows/report-dictionary-1.json" with { type: "json" };
import secondDictionary from "../../../../src/features/tests/rows/report-dictionary-2.json" with { type: "json" };
import thirdDictionary from "../../../../src/features/tests/rows/report-dictionary-3.json" with { type: "json" };
import { decodeReport, encodeReport } from "../../../../src/features/tests/rows/reports.ts";
import { fixtures, letterOf } from "../../../fixtures/messages/fixture.ts";
import { analyze } from "../../../fixtures/messages/run.ts";

test("an encoded report has its own small buffer for transfer to a thread", () => {
  const json = JSON.stringify({ words: "as they were ".repeat(2_000) });
  const report = encodeReport(json);
  expect(report.buffer.byteLength).toBe(report.length);
  expect(decodeReport(report)).toBe(json);
});

test("a stored report takes less than half the space with our dictionary, and decodes unchanged", async () => {
  const letters = fixtures.filter((_, index) => index % 8 === 3).map(letterOf);
  for (const letter of letters) {
    const json = JSON.stringify(await analyze(letter));
    const report = encodeReport(json);
    // Less still with the sentences that the dictionary was made from; change some, and it is a little more.
    expect(report.length).toBeLessThan(zstdCompressSync(json).length * 0.5);
    expect(decodeReport(report)).toBe(json);
  }
  for (const json of ["{}", '""', JSON.stringify({ text: "ü𝓕\u0000".repeat(100_000) })])
    expect(decodeReport(encodeReport(json))).toBe(json);
});

test.each([
  [1, firstDictionary, "7c2088cac7e43aae0ccec4e26f9fc7e4b6aff4cc533e101bb1ebb4b2d58f8693"],
  [2, secondDictionary, "596d676ac5cb19da213339152859a1e0dd5a24f897a48fbac1775c2397c05897"],
  [3, thirdDictionary, "fbd913a418155ab84cea37933f6f9c0173a94ad5c78f7863647b27660bc856c8"],
])("dictionary %i is the one that stored reports need, and decodes them", (number, packed, hash) => {
  const dictionary = zstdDecompressSync(Buffer.from(packed, "base64"));
  expect(createHash("sha256").update(dictionary).digest("hex")).toBe(hash);
  const json = JSON.stringify({ says: "The message has no Message-ID header." });
  const stored = Buffer.concat([Uint8Array.of(number), zstdCompressSync(json, { dictionary })]);
  expect(decodeReport(stored)).toBe(json);
});

test("a report without a dictionary is decoded, and one with an unknown dictionary is rejected", () => {
  expect(decodeReport(zstdCompressSync('{"old":true}'))).toBe('{"old":true}');
  expect(() => decodeReport(Uint8Array.of(4, 0x28, 0xb5))).toThrow(
    "dictionary 4, which only a newer version of Assay has",
  );
  expect(() => decodeReport(new Uint8Array())).toThrow();
});
