import { expect, test } from "vitest";
import { readMailto } from "../../../../src/analyzer/mail/headers/mailto.ts";
import { seeded } from "../ordinary-messages.ts";

function read(uri: string) {
  const reading = readMailto(uri);
  return reading.ok ? reading.message : reading.problem;
}

test("the address, the subject, and the body are parsed", () => {
  expect(read("mailto:leave@list.example")).toEqual({
    address: "leave@list.example",
    subject: "unsubscribe",
    text: "",
  });
  expect(read("MAILTO:leave+1%2B2@List.Example?Subject=a%20b+c&body=one%0D%0Atwo")).toEqual({
    address: "leave+1+2@list.example",
    subject: "a b+c",
    text: "one\ntwo",
  });
  expect(read("mailto:u@bücher.example?subject=%20")).toMatchObject({
    address: "u@xn--bcher-kva.example",
    subject: "unsubscribe",
  });
});

test.each([
  "https://list.example/u",
  "mailto:",
  "mailto:u",
  "mailto:u@a.example,v@b.example",
  "mailto:u@a.example%0D%0ABcc:v@b.example",
  "mailto:%E0%A4@a.example",
  "mailto:<u@a.example>,<v@b.example>",
  `mailto:${"u".repeat(5_000)}@a.example`,
])("anything but one plain address is rejected: %.60s", (uri) => {
  expect(readMailto(uri).ok).toBe(false);
});

test("no input makes the parser throw or adds a control character to a header", () => {
  const random = seeded(8);
  const pieces = [
    "mailto:",
    "u@a.example",
    "?subject=",
    "&body=",
    "%0D%0A",
    "%00",
    "%",
    "%E2%80%A8",
    "=?utf-8?q?=0D?=",
    "@",
    ",",
    "<",
    ">",
    '"',
    "\u0000",
    "\ud800",
    "&",
    "=",
    "x",
  ];
  for (let round = 0; round < 5_000; round++) {
    const length = Math.floor(random() * 12);
    const uri = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join("");
    const reading = readMailto(`mailto:u@a.example?subject=${uri}`);
    const whole = readMailto(uri);
    for (const one of [reading, whole]) {
      if (!one.ok) continue;
      expect(`${one.message.address}${one.message.subject}`).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/u);
      expect(one.message.text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    }
  }
});
