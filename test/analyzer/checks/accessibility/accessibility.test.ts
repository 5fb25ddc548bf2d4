import { headings } from "../../../../src/analyzer/checks/accessibility/headings.ts";
import { htmlDir } from "../../../../src/analyzer/checks/accessibility/html-dir.ts";
import { htmlLang } from "../../../../src/analyzer/checks/accessibility/html-lang.ts";
import { htmlTitle } from "../../../../src/analyzer/checks/accessibility/html-title.ts";
import { tableRoles } from "../../../../src/analyzer/checks/accessibility/table-roles.ts";
import { kindFact } from "../compliance/facts.ts";
import { emptyMessage, plainText, prose, shown } from "../looks.ts";
import { testCheck } from "../test-check.ts";

const english = "This is the letter that we write to you and your friends, for the day is long and we are not in it. ";
const german =
  "Wir freuen uns, dass Sie die Ware und das Zubehör mit der Post erhalten, und sind nicht für den Zoll da. ";
const greek = "Σας ευχαριστούμε για την παραγγελία σας, θα λάβετε σύντομα την απόδειξη. ";
const arabic = "شكرا لطلبك من متجرنا وسوف نرسل اليك البضاعة قريبا مع اطيب التحيات. ";
const hebrew = "תודה על ההזמנה שלך, המשלוח יגיע בקרוב עם ברכות חמות מכולנו. ";

testCheck(htmlLang, [
  { when: "passes German text declared as German", facts: shown(`<html lang="de">${german.repeat(5)}`) },
  { when: "finds a missing language", facts: shown(`<html>${english.repeat(5)}`), finds: ["missing"] },
  {
    when: "does not apply to a personal message whose HTML was written by an email client",
    facts: { ...shown(`<html>${english.repeat(5)}`), kind: kindFact("personal") },
    outcome: "not-applicable",
  },
  {
    when: "finds an empty language of Hebrew text",
    facts: shown(`<html lang="">${hebrew}`),
    finds: ["missing"],
    fix: 'Declare the language of your text: `<html lang="he" dir="rtl">`.',
  },
  {
    when: "names no language for text that is too short to recognize",
    facts: shown("<html><p>Ihr Guthaben ist da: 25 €"),
    finds: ["missing"],
    fix: "Declare the language of your text.",
  },
  {
    when: "passes the language of the outermost element",
    facts: shown(`<body><div lang="en-GB" style="margin:0">${english.repeat(5)}</div>`),
  },
  {
    when: "finds Greek text declared as English",
    facts: shown(`<html lang="en">${greek}`),
    finds: ["differs"],
    says: 'The HTML declares its language as "en", but the text looks like Greek.',
  },
  {
    when: "finds German text in a template declared as English",
    facts: shown(`<html lang="en-US">${german.repeat(5)}`),
    finds: ["differs"],
    fix: 'Set `lang="de"`, or use the code for the language of your text.',
  },
  {
    when: "passes English with a few words that exist in another language too",
    facts: shown(`<html lang="en">${"I am a button. Do it. ".repeat(12)}`),
  },
  { when: "passes Ukrainian", facts: shown(`<html lang="uk">${"Дякуємо за ваше замовлення. ".repeat(5)}`) },
  { when: "passes Serbian in Latin letters", facts: shown(`<html lang="sr-Latn">${german.repeat(5)}`) },
  { when: "passes Japanese", facts: shown(`<html lang="ja">${"本日のお知らせです。".repeat(9)}`) },
  {
    when: "passes Norwegian",
    facts: shown(`<html lang="nb">${"Vi har det som er for deg og ikke på jobb. ".repeat(9)}`),
  },
  { when: "passes a language that cannot be detected", facts: shown(`<html lang="eu">${english.repeat(5)}`) },
  { when: "passes a few words in another language", facts: shown(`<html lang="de">Your code is 1234`) },
  {
    when: "passes two languages in one message",
    facts: shown(`<html lang="en">${english.repeat(5)}${german.repeat(5)}`),
  },
  { when: "does not apply to an empty message", facts: emptyMessage, outcome: "not-applicable" },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);

testCheck(htmlDir, [
  { when: "passes Latin letters without dir", facts: shown(english), says: "The text runs left to right." },
  {
    when: "finds Arabic without dir",
    facts: shown(arabic),
    finds: ["missing-rtl"],
    says: 'The text runs right to left, but the HTML does not declare dir="rtl".',
  },
  {
    when: "finds Hebrew declared as left-to-right",
    facts: shown(`<html dir="ltr">${hebrew}`),
    finds: ["missing-rtl"],
    says: 'The text runs right to left, but the HTML does not declare dir="rtl" (found: dir="ltr").',
  },
  {
    when: "passes Arabic declared as right-to-left",
    facts: shown(`<html dir="RTL">${arabic}`),
    says: 'The text runs right to left and is marked with dir="rtl".',
  },
  {
    when: "passes Arabic declared as right-to-left only in its cell",
    facts: shown(`<table><tr><td><div><div dir="rtl">${arabic}</div></div></table>`),
  },
  {
    when: "passes Arabic declared as right-to-left by a style",
    facts: shown(`<div style="direction: rtl">${arabic}</div>`),
  },
  { when: "passes an Arabic name in English text", facts: shown(`${english} محمد`) },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);

testCheck(htmlTitle, [
  { when: "passes a title", facts: shown("<title>Hello</title><p>Hi"), says: 'The HTML has the title "Hello".' },
  {
    when: "finds a missing title, and repeats no subject, which may be that of an imitation",
    facts: shown("<p>Hi"),
    finds: ["missing"],
    fix: "Add a `<title>` to the head, for example with the subject.",
  },
  { when: "finds an empty title", facts: shown("<title> </title><p>Hi"), finds: ["missing"] },
  {
    when: "finds a merge tag as the title",
    facts: shown("<title>{{ subject }}</title><p>Hi"),
    finds: ["missing"],
    says: 'The HTML has no title except "{{ subject }}".',
  },
  { when: "finds a number as the title", facts: shown("<title>07</title><p>Hi"), finds: ["missing"] },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);

const table = "<table><tr><td>x</td></tr></table>";
testCheck(tableRoles, [
  {
    when: "passes if all layout tables have a role",
    facts: shown('<table role="presentation"><tr><td>x</td></tr></table>'.repeat(6)),
    says: "Every layout table has a role (6 in total).",
  },
  {
    when: "finds a few tables without a role among others",
    facts: shown(`${'<table role="presentation"><tr><td>x</td></tr></table>'.repeat(6)}${table}`),
    finds: ["some"],
    says: "Layout tables without a role: 1 of 7.",
  },
  {
    when: "finds eight tables without a role",
    facts: shown(table.repeat(8)),
    finds: ["missing"],
    says: "None of the 8 layout tables has a role.",
  },
  {
    when: "does not apply to data tables",
    facts: shown("<table><tr><th>n<tr><td>1</table>".repeat(8)),
    outcome: "not-applicable",
  },
  { when: "finds two tables without a role", facts: shown(table.repeat(2)), finds: ["some"] },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);

const long = prose(400);
testCheck(headings, [
  { when: "passes a long text with a heading", facts: shown(`<h2>Title</h2><p>${long}`) },
  { when: "passes a long text with a heading by role", facts: shown(`<div role="heading">Title</div><p>${long}`) },
  { when: "finds a long text with only bold text", facts: shown(`<b>Title</b><p>${long}`), finds: ["none"] },
  { when: "does not apply to a short text", facts: shown("<p>Hi"), outcome: "not-applicable" },
  {
    when: "is skipped for a text so large that its end was not read",
    facts: shown(`<p>${long}</p>${"<i></i>".repeat(160_000)}`),
    outcome: "skipped",
  },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);
