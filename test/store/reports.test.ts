import { expect, test } from "vitest";
import { decodeReport, encodeReport } from "../../src/store/reports.ts";

test("a report that was encoded holds no memory but its own: all that it holds is copied to another thread", () => {
  const json = JSON.stringify({ words: "as they were ".repeat(2_000) });
  const report = encodeReport(json);
  expect(report.buffer.byteLength).toBe(report.length);
  expect(decodeReport(report)).toBe(json);
});
