import { subjectStyle } from "../../../../src/analyzer/checks/content/subject-style.ts";
import { testCheck } from "../test-check.ts";
import { messageOf } from "./given.ts";

const subject = (subject: string) => ({ message: messageOf({ subject, text: "Hello" }) });

testCheck(subjectStyle, [
  { when: "passes an ordinary subject", facts: subject("Your order 1234 is on its way") },
  { when: "finds capitals", facts: subject("BIG SUMMER SALE NOW"), finds: ["capitals"] },
  { when: "takes an abbreviation and a word for no shouting", facts: subject("NASA UPDATE") },
  { when: "counts only letters that have two cases", facts: subject("VIP 限时优惠活动现在开始了") },
  {
    when: "finds marks that are repeated",
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
    when: "finds an address",
    facts: subject("Look at https://own.example/sale now"),
    finds: ["address"],
    says: "The subject contains https://own.example/sale.",
  },
  { when: "takes a domain for a name", facts: subject("example.com invoice") },
  {
    when: "finds many emoji, each once whatever it is made of",
    facts: subject("Sale 🎉🇩🇪👩🏽‍🚀❤️"),
    finds: ["symbols"],
    says: "The subject has 4 emoji.",
  },
  { when: "allows one emoji", facts: subject("Sale 🎉 and ™ and ®") },
  { when: "finds a badge at the beginning", facts: subject("✅ Verified: your order"), finds: ["symbols"] },
  {
    when: "tells that a long one is cut",
    facts: subject("word ".repeat(19)),
    finds: ["truncated"],
    says: "The subject is 94 characters long. Phones show about 40 characters, and desktops show about 70.",
  },
  { when: "does not call one of 50 characters long", facts: subject("word ".repeat(10)) },
  { when: "does not judge a missing one", facts: subject(""), outcome: "not-applicable" },
]);
