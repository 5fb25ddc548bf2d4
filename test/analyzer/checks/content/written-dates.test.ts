import { expect, test } from "vitest";
import { writtenDates } from "../../../../src/analyzer/checks/content/written-dates.ts";
import { testCheck } from "../test-check.ts";
import { given, givenText, kindOf, messageOf } from "./given.ts";

const footer = (text: string) => given(`<p>News</p><p>${text}</p>`);
const january = messageOf({ text: "x", html: "<p>x</p>" });
const date = { at: Date.UTC(2027, 0, 4), offsetMinutes: 0, zoneIsGuess: false, faults: [] };
const sentInJanuary = { ...january, date: { written: "", reading: { ok: true as const, date } } };

// The messages are from Saturday, November 21, 2026.
testCheck(writtenDates, [
  {
    when: "passes the right weekday",
    facts: given("<p>Come on Friday, November 27, or on Friday, 4 December 2026.</p>"),
  },
  {
    when: "finds a weekday of last year",
    facts: given("<p>Come on Thursday, November 27!</p>"),
    finds: ["weekday"],
    says: '"Thursday, November 27" in the HTML can\'t be right: in 2026, that date is a Friday.',
  },
  {
    when: "finds it in the subject",
    facts: givenText("Hello", { subject: "Open house on Sunday 29 November 2025" }),
    finds: ["weekday"],
    says: '"Sunday 29 November 2025" in the subject can\'t be right: in 2025, that date is a Saturday.',
  },
  ...[
    "Donnerstag, den 27. November",
    "Donnerstag, 27.11.2026",
    "jeudi 27 novembre 2026",
    "jueves, 27 de noviembre de 2026",
    "giovedì 27 novembre",
    "quinta-feira, 27 de novembro",
    "donderdag 27 november",
    "czwartek, 27 listopada",
    "torsdag den 27 november",
    "čtvrtek 27. listopadu",
    "четверг, 27 ноября",
    "27 kasım perşembe, or perşembe 27 kasım",
    "11月27日(木)",
    "2026年11月27日（星期四）",
    "11월 27일(목)",
    "Thursday, Nov. 27th",
  ].map((text) => ({ when: `finds “${text}”`, facts: givenText(text), finds: ["weekday"] as const })),
  ...[
    "Freitag, den 27. November 2026",
    "vendredi 27 novembre",
    "piątek, 27 listopada",
    "petak, 30. listopada 2026",
    "11月27日（金）",
    "2026年11月27日（星期五）",
    "Friday, 11/27/2026, or Thursday, 12/11/2026",
    "Saturday and Sunday, November 28 and 29",
    "Friday to Sunday, November 27–29",
    "Thursday, November 27–28",
    "Sunday, June 7",
    "Friday, November 22, 1963",
    "Of those on Friday, 3 may apply",
    "The meeting is on Thursday\nNovember 27 is the deadline",
    "Friday the 13th",
    "Thursday, 31 February 2026",
    "วันศุกร์ที่ 27 พฤศจิกายน 2569",
  ].map((text) => ({ when: `leaves “${text}” alone`, facts: givenText(text) })),
  { when: "passes the current year", facts: footer("© 2026 Harrow Lane Books") },
  {
    when: "finds a past year",
    facts: footer("© 2024 Harrow Lane Books"),
    finds: ["year"],
    says: 'The footer says "© 2024", but the message is from 2026.',
  },
  ...["Copyright © Harrow Lane Books 2025", "© 2011–2025 Harrow Lane", "2025 © Harrow Lane", "Copyright 2023"].map(
    (text) => ({ when: `finds “${text}”`, facts: footer(text), finds: ["year"] as const }),
  ),
  ...[
    "© 2011–2026 Harrow Lane",
    "© 2011–today Harrow Lane",
    "Photo © 2019 A. Moore. © 2026 Harrow Lane",
    "© 1405 کتاب",
    "Copyright and Related Rights Act 2000",
  ].map((text) => ({ when: `passes “${text}”`, facts: footer(text) })),
  {
    when: "leaves time to update the year after the holidays",
    facts: { ...footer("© 2026 Harrow Lane"), message: sentInJanuary },
  },
  {
    when: "does not apply to a post to a mailing list, which quotes dates of others",
    facts: { ...footer("© 2024"), kind: { ...kindOf("bulk").kind, mailingList: true } },
    outcome: "not-applicable",
  },
  {
    when: "has nothing to compare with in a message without a date",
    facts: { message: { ...givenText("Thursday, November 27").message, date: null } },
    outcome: "not-applicable",
  },
  {
    when: "is skipped if the HTML could not be read",
    facts: { message: given("<p>Hello</p>").message },
    unknown: { html: "too-large" },
    outcome: "skipped",
  },
]);

// A test that hangs is the failure.
test.each(["Friday, ", "Friday 1 ", "1月1日(", "a b ", "Friday the "])(
  "a hundred thousand repetitions of %j are read without trouble",
  (piece) => {
    const { message } = givenText("x");
    const text = { parts: [], text: piece.repeat(100_000), decodedBytes: 0, isCut: false };
    expect(
      writtenDates.run({
        message: { ...message, text },
        html: { known: false, why: "no-message" },
        kind: { known: false, why: "no-message" },
      }),
    ).toBeDefined();
  },
);
