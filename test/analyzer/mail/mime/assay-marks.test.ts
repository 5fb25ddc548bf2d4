import { expect, test } from "vitest";
import { findBodyTokens, readAssayMarks, toMark } from "../../../../src/analyzer/mail/mime/assay-marks.ts";
import { parseMessage } from "../../../../src/analyzer/mail/mime/parse.ts";

const read = (text: string) => readAssayMarks(parseMessage(Buffer.from(text)));

test("a message has the IDs from X-Assay-Id and from tokens in its body, each once", () => {
  expect(
    read("X-Assay-Id: Campaign-7\r\nx-assay-id: campaign-7\r\n\r\nassay-launch-2026, assay-launch-2026\r\n"),
  ).toEqual(["campaign-7", "assay-launch-2026"]);
});

test("a token is found in HTML and in encoded parts", () => {
  const encoded =
    "Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>assay-lau=\r\nnch-26</p>";
  expect(read(encoded)).toEqual(["assay-launch-26"]);
});

test("a token is case-insensitive, like a seed mailbox", () => {
  expect(read("Subject: x\r\n\r\nassay-launch2026X and ASSAY-LAUNCH2026x\r\n")).toEqual(["assay-launch2026x"]);
});

test("an ordinary message has no token", () => {
  expect(read("Subject: x\r\n\r\nassay is a word, assay-short too\r\n")).toEqual([]);
});

test("at most four tokens are taken", () => {
  expect(read(`Subject: x\r\n\r\n${[1, 2, 3, 4, 5, 6].map((at) => `assay-token-000${at}`).join(" ")}`)).toHaveLength(4);
});

test.each([
  ["assay-12345678", true],
  ["assay-1234567", false],
  [`assay-${"a".repeat(64)}`, true],
  [`assay-${"a".repeat(65)}`, false],
  ["xassay-12345678", false],
  ["my-assay-12345678", false],
  ["https://x.example/?id=assay-12345678&y", true],
])("in %j a token is found: %j", (body, isFound) => {
  expect(findBodyTokens(body)).toHaveLength(isFound ? 1 : 0);
});

test("a body that repeats the start of a token is read quickly", () => {
  expect(findBodyTokens("assay-".repeat(200_000))).toEqual([]);
});

test.each(["", " ", "a b", "a\0b", "ä", "x".repeat(101)])("%j is not a message ID", (text) => {
  expect(toMark(text)).toBeNull();
});
