import { subjectStyle } from "../../../../src/analyzer/checks/content/subject-style.ts";
import { testCheck } from "../test-check.ts";
import { messageOf } from "./given.ts";

const subject = (subject: string) => ({ message: messageOf({ subject, text: "Hello" }) });

testCheck(subjectStyle, [
  {
    when: "passes an ordinary subject",
    facts: subject("Your order 1234 is on its way"),
    says: "The subject has normal capitals and punctuation, and phones show it in full.",
  },
  { when: "finds a subject in capitals", facts: subject("BIG SUMMER SALE NOW"), finds: ["capitals"] },
  { when: "passes an abbreviation and a single word in capitals", facts: subject("NASA UPDATE") },
  { when: "counts only letters that have two cases", facts: subject("VIP 限时优惠活动现在开始了") },
  {
    when: "finds repeated punctuation",
    facts: subject("Now!!!"),
    finds: ["punctuation"],
    says: 'The subject has "!!!".',
  },
  {
    when: "finds many exclamation marks",
    facts: subject("Big! New! Today! Here"),
    finds: ["punctuation"],
    says: "The subject has 3 exclamation marks.",
  },
  { when: "allows one exclamation mark", facts: subject("Now!") },
  {
    when: "finds a URL",
    facts: subject("Look at https://own.example/sale now"),
    finds: ["address"],
    says: "The subject contains https://own.example/sale.",
  },
  { when: "passes a domain name", facts: subject("example.com invoice") },
  {
    when: "finds many emoji, and counts each combined one once",
    facts: subject("Sale 🎉🇩🇪👩🏽‍🚀❤️"),
    finds: ["symbols"],
    says: "The subject has 4 emoji.",
  },
  { when: "allows one emoji", facts: subject("Sale 🎉 and ™ and ®") },
  { when: "finds a symbol at the beginning", facts: subject("✅ Verified: your order"), finds: ["symbols"] },
  {
    when: "reports that a long subject is cut",
    facts: subject("word ".repeat(19)),
    finds: ["truncated"],
    why: "Email clients cut off the end of a long subject.",
    says: "The subject is 94 characters long. Phones show about 40 characters, and desktops show about 70.",
  },
  {
    when: "passes a subject of 49 characters, which phones cut",
    facts: subject("word ".repeat(10)),
    says: "The subject has normal capitals and punctuation, and desktops show it in full.",
  },
  {
    when: "notes a test, which costs nothing",
    facts: subject("[Test] Three books"),
    finds: ["test"],
    says: 'The subject "[Test] Three books" says that this is a test. That is fine while you test.',
  },
  ...[
    "Test",
    "test 2",
    "This is a test email",
    "Testmail",
    "Nur ein Test",
    "Correo de prueba",
    "тест",
    "【テスト】秋の本",
  ].map((text) => ({ when: `notes “${text}”`, facts: subject(text), finds: ["test"] as const })),
  ...["Test: 12 phones", "Your driving test results", "We test newsletters", "Latest news", "[Contest] Win a book"].map(
    (text) => ({ when: `passes “${text}”, which is about one`, facts: subject(text) }),
  ),
  { when: "does not apply without a subject", facts: subject(""), outcome: "not-applicable" },
]);
