import { expect, test } from "vitest";
import { createDice } from "../../../../scripts/dice.ts";
import { seedLetters } from "../../../../scripts/fuzz/letters.ts";
import { mutate } from "../../../../scripts/fuzz/mutations.ts";
import { maxTold } from "../../../../src/analyzer/checks/format/header-lines.ts";
import { base64, multipart, ordinaryHead, part } from "../../mail/letter.ts";
import { ordinaryMessages } from "../../mail/ordinary-messages.ts";
import { findingsIn } from "./checks.ts";
import { given, givenBytes, instead } from "./given.ts";

test("a healthy message with text, HTML, an image, and an attachment has no finding", () => {
  const words = "Your order left our house this morning and will be with you on Tuesday.";
  const text = part(["Content-Type: text/plain; charset=utf-8"], words, "Gr\xc3\xbc\xc3\x9fe".replace(/[^ -~]/g, "u"));
  const html = part(
    ["Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"],
    `<meta charset=3D"utf-8"><p>${words} Gr=C3=BC=C3=9Fe</p><img src=3D"cid:logo@sender.example">`,
  );
  const logo = part(
    ["Content-Type: image/png", "Content-Transfer-Encoding: base64", "Content-ID: <logo@sender.example>"],
    base64("x".repeat(300)),
  );
  const file = part(
    ["Content-Type: application/pdf", "Content-Transfer-Encoding: base64", "Content-Disposition: attachment"],
    base64("x".repeat(300)),
  );
  const related = multipart("related", "r", html, logo);
  const message = multipart("mixed", "m", multipart("alternative", "a", text, related), file);
  expect(findingsIn(given(...ordinaryHead, message))).toEqual([]);
});

test("ordinary messages have no critical finding", () => {
  const found = ordinaryMessages(200).flatMap(({ message, kind }) =>
    findingsIn(givenBytes(Buffer.from(message))).map(({ id, severity, says }) => ({ kind, id, severity, says })),
  );
  expect(found.filter(({ severity }) => severity === "critical")).toEqual([]);
});

test.each([
  ["from-header.invalid", "From: Shop"],
  ["date-header.unreadable", "Date: 2026/11/21"],
  ["message-id.invalid", "Message-ID: 12345"],
  ["subject-header.missing", "Subject: "],
  ["header-8bit.raw", "Subject: \xfc"],
  ["encoded-words.needless", "Subject: =?utf-8?B?SGVsbG8=?="],
  ["thread-headers.malformed", "References: 1"],
  ["mime-version.wrong", "MIME-Version: 1"],
  ["stray-headers.return-path", "Return-Path: <a@x.example>"],
])("the finding for %s has its line and byte offset", (id, line) => {
  const key = line.slice(0, line.indexOf(":"));
  const found = findingsIn(instead(key, "X-First: 1", line)).find((finding) => finding.id === id);
  expect(found?.evidence).toMatchObject({ line: 2, offset: "X-First: 1\r\n".length });
});

test("repeated headers are reported with the line and byte offset of each", () => {
  const found = findingsIn(instead("reply-to", "Reply-To: a@x.example", "Reply-To: b@x.example"));
  expect(found).toMatchObject([
    {
      id: "single-headers.repeated",
      evidence: {
        fields: [
          { line: 1, offset: 0, value: "a@x.example" },
          { line: 2, offset: 23, value: "b@x.example" },
        ],
      },
    },
  ]);
});

test("a problem in a thousand MIME parts is reported only a few times", () => {
  const broken = part(["Content-Transfer-Encoding: base64"], "*");
  const found = findingsIn(given(...ordinaryHead, multipart("mixed", "b", ...Array<string>(900).fill(broken))));
  expect(found.filter(({ id }) => id === "transfer-encoding.broken")).toHaveLength(maxTold);
});

// The same every time.
test("findings for any input have complete texts, are few, and can be stored", () => {
  const dice = createDice(5);
  const letters = seedLetters();
  for (let round = 0; round < 400; round++) {
    const bytes = mutate(letters, dice);
    const told = JSON.stringify(findingsIn(givenBytes(bytes)));
    if (told.length > 60_000 || /\\u0000|\\ud[89a-f]/i.test(told))
      expect.fail(`${told.length}: ${told.slice(0, 2_000)}`);
  }
});
