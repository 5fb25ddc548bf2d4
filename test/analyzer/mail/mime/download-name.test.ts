import { expect, test } from "vitest";
import { toDownloadName } from "../../../../src/analyzer/mail/mime/file-names.ts";

const nameOf = (filename: string) => toDownloadName({ filename, path: "1.2", type: "application/pdf" });

test.each([
  ["bill.pdf", "bill.pdf"],
  ["bill.pdf. .", "bill.pdf"],
  [" ..bill. of .may", "bill. of .may"],
  [". . ", "part-1-2.pdf"],
])("the attachment %j is saved as %j", (filename, saved) => {
  expect(nameOf(filename)).toBe(saved);
});

test("a name that is too long is cut between characters and keeps its extension", () => {
  expect(nameOf(`a${"é".repeat(150)}.pdf`)).toBe(`a${"é".repeat(97)}.pdf`);
});
