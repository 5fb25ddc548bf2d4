// How the words of a message change the prediction, and for which messages they don't.

import { describe, expect, test } from "vitest";
import { readText, textBounds, toBelieved } from "../../../src/analyzer/placement/text-model.ts";
import textWeights from "../../../src/analyzer/placement/text-weights.json" with { type: "json" };
import { readWords } from "../../../src/analyzer/placement/text-words.ts";
import { base } from "../../../src/analyzer/placement/weights-table.ts";
import { judge, newsletter, receipt, toFolders } from "./given.ts";

const weigh = (subject: string, body: string) => readText(subject, body)?.points ?? 0;

const pills =
  "Act now!!! You have been selected for a limited time offer. Make money fast from home with no obligation. " +
  "Click here to receive your free information, 100% guaranteed. To be removed from our list click below.";
const plain =
  "Hi, I tried the patch that you sent and it works for me. There is still a problem with the second file, " +
  "though I think that is a bug in the old version. Could you have a look at it when you are back?";

describe("the words of a message", () => {
  test("the words of a message count towards spam if they are typical of spam", () => {
    expect(weigh("FREE money", pills)).toBeGreaterThan(1.5);
  });

  test("the words of a message count against spam if they are typical of personal mail", () => {
    expect(weigh("Re: the patch", plain)).toBeLessThan(-0.3);
  });

  test("the words of a message never decide alone, however many there are", () => {
    expect(base + textBounds.most).toBeLessThan(0);
    expect(weigh("FREE money", Array.from({ length: 50 }, () => pills).join(" "))).toBeLessThanOrEqual(textBounds.most);
    expect([-100, -1, 0, 1, 100].map(toBelieved)).toEqual([
      expect.closeTo(textBounds.least, 1),
      expect.closeTo(textBounds.least / 10, 2),
      0,
      expect.closeTo(textBounds.most / 10, 2),
      expect.closeTo(textBounds.most, 1),
    ]);
  });

  test.each([
    [
      "German",
      "Jetzt zugreifen! Verdienen Sie schnell Geld, kostenlos und unverbindlich. Klicken Sie hier und gewinnen Sie.",
    ],
    ["Spanish", "¡Oferta limitada! Gane dinero rápido desde su casa, gratis y sin compromiso. Haga clic aquí ahora."],
    ["Japanese", "今すぐクリックして無料のプレゼントを受け取ってください。期間限定のオファーです。"],
    ["no language", "10023456 ---- 4711 XQ-22"],
  ])("the words of a message do not count in %s", (_, text) => {
    expect(weigh("", text)).toBe(0);
  });

  test("a message in a language that the model doesn't know is said to be unread", async () => {
    const body =
      "您好，我公司有多余的发票可以优惠代开，欢迎来电咨询，价格从优，长期有效，请与我们的经理联系，谢谢您的合作。";
    const { placement } = await judge({
      ...receipt,
      headers: ["Content-Type: text/plain; charset=utf-8"],
      body: `${body}\r\n`,
    });
    for (const { reasons } of placement.predictions)
      expect(reasons.map(({ text }) => text)).toContain("The text is in Chinese, which the word model doesn't read.");
  });

  test("the words of a message exclude those in addresses, links, and markup", () => {
    const said = "please call us and we will help you with the rest of it";
    const one = readWords("", said);
    const other = readWords(
      "",
      `<font color="free money">${said}</font> https://free.money.example/click?here info@free.example`,
    );
    expect([...other.tokens]).toEqual([...one.tokens]);
  });

  test("the words of a message are read in limited time from hostile text", () => {
    for (const text of ["<a".repeat(50_000), "a.".repeat(50_000), "a@".repeat(50_000), "free ".repeat(50_000)])
      expect(readWords(text, text).tokens.size).toBeLessThan(2_000);
  });
});

test("the table of words has at most 100 KB and no duplicates", () => {
  const bytes = Buffer.from(textWeights.packed, "base64");
  expect(textWeights.packed.length).toBeLessThan(100_000);
  const keys = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUIntBE(at * 4, 3));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).not.toContain(0);
});

describe("the words in a prediction", () => {
  test("the words in a prediction are shown with their points, and leave an authenticated message in the inbox", async () => {
    const body = `${pills.replaceAll("!", ".")}\r\n\r\nUnsubscribe: https://a.example/u/1234\r\n`;
    const { placement, gmail } = await judge({ ...newsletter, body });
    expect(Object.values(toFolders(placement)).filter((folder) => folder === "spam")).toEqual([]);
    const reason = gmail.reasons.find(({ text }) => text === "The words are typical of spam.");
    expect(reason?.points).toBeGreaterThan(1);
  });

  test("the words in a prediction barely raise the spam odds of a newsletter", async () => {
    const { gmail } = await judge(newsletter);
    expect(gmail.odds.spam).toBeLessThan(0.06);
  });
});
