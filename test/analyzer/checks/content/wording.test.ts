import { expect, test } from "vitest";
import { phraseGroups } from "../../../../src/analyzer/checks/content/phrase-table.ts";
import { findPhrases } from "../../../../src/analyzer/checks/content/phrases.ts";
import { wording } from "../../../../src/analyzer/checks/content/wording.ts";
import { testCheck } from "../test-check.ts";
import { given, givenText } from "./given.ts";

const rows = phraseGroups.flatMap(([group, phrases]) => phrases.map((phrase) => [group, phrase] as const));

test.each(rows)("the %s phrase is found: %s", (group, phrase) => {
  expect(findPhrases(`So, “${phrase.toUpperCase()}!`)).toContainEqual({ group, phrase });
  expect(findPhrases(`so ${phrase}ish`)).not.toContainEqual({ group, phrase });
});

const shouted = "BUY THESE SHOES TODAY AND WALK AWAY ".repeat(8);

testCheck(wording, [
  { when: "passes plain words", facts: given("<p>Your order has left our house. It will be with you on Friday.</p>") },
  {
    when: "finds typical phrases of three groups, in the subject too",
    facts: given("<p>Act now to claim your share.</p>", { subject: "Free money" }),
    finds: ["phrases"],
    says: 'The text has spam-like phrases (money, urgency, and prize): "free money", "act now", and "claim your".',
  },
  {
    when: "finds typical phrases in plain text",
    facts: givenText("You have won free money.\nClick here"),
    finds: ["phrases"],
  },
  { when: "passes phrases of one group", facts: given("<p>Last chance! Only a few left. Final reminder.</p>") },
  {
    when: "ignores quoted text and code",
    facts: given("<p>Hello</p><blockquote>You have won free money. Click here</blockquote>"),
  },
  {
    when: "finds text in capitals",
    facts: given(`<p>${shouted}</p>`),
    finds: ["shouting"],
    says: "100% of the letters are capitals.",
  },
  {
    when: "ignores an armored signature",
    facts: givenText(["Hello", "-----BEGIN PGP SIGNATURE-----", shouted, "-----END PGP SIGNATURE-----"].join("\n")),
  },
  {
    when: "finds text in capitals that an armored signature covers",
    facts: givenText(["-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA256", "", shouted].join("\n")),
    finds: ["shouting"],
  },
  { when: "passes headings in capitals", facts: given(`<h1>NEW SHOES</h1><p>${shouted.toLowerCase()}</p>`) },
  {
    when: "is skipped if there is HTML that could not be read",
    facts: { message: given("<p>x</p>", { text: "You have won free money. Click here" }).message },
    unknown: { html: "parser-failed" },
    outcome: "skipped",
  },
]);
