import { createHash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { packedDictionary } from "../../../src/store/tests/report-dictionary.ts";
import { decodeReport, encodeReport } from "../../../src/store/tests/reports.ts";
import { fixtures, letterOf } from "../../fixtures/messages/fixture.ts";
import { analyze } from "../../fixtures/messages/run.ts";

test("an encoded report keeps no other memory: all of its buffer is copied to another thread", () => {
  const json = JSON.stringify({ words: "as they were ".repeat(2_000) });
  const report = encodeReport(json);
  expect(report.buffer.byteLength).toBe(report.length);
  expect(decodeReport(report)).toBe(json);
});

test("a report is kept in little more than half of what it takes without our dictionary, and is the same again", async () => {
  const letters = fixtures.filter((_, index) => index % 8 === 3).map(letterOf);
  for (const letter of letters) {
    const json = JSON.stringify(await analyze(letter));
    const report = encodeReport(json);
    // It was half when the dictionary contained the current sentences.
    expect(report.length).toBeLessThan(zstdCompressSync(json).length * 0.55);
    expect(decodeReport(report)).toBe(json);
  }
  for (const json of ["{}", '""', JSON.stringify({ text: "ü𝓕\u0000".repeat(100_000) })])
    expect(decodeReport(encodeReport(json))).toBe(json);
});

test("the dictionary is the one that reports are kept by", () => {
  const dictionary = zstdDecompressSync(Buffer.from(packedDictionary, "base64"));
  const hash = createHash("sha256").update(dictionary).digest("hex");
  expect(hash).toBe("7c2088cac7e43aae0ccec4e26f9fc7e4b6aff4cc533e101bb1ebb4b2d58f8693");
});

test("a report that is kept by no dictionary is read, and one by another is refused in a sentence", () => {
  expect(decodeReport(zstdCompressSync('{"old":true}'))).toBe('{"old":true}');
  expect(() => decodeReport(Uint8Array.of(2, 0x28, 0xb5))).toThrow(
    "dictionary 2, which only a newer Assay has",
  );
  expect(() => decodeReport(new Uint8Array())).toThrow();
});
