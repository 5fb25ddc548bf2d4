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
  { when: "German that says so", facts: shown(`<html lang="de">${german.repeat(5)}`) },
  { when: "no language", facts: shown(`<html>${english.repeat(5)}`), finds: ["missing"] },
  {
    when: "none in a letter, whose HTML its author's mail program wrote",
    facts: { ...shown(`<html>${english.repeat(5)}`), kind: kindFact("personal") },
    outcome: "not-applicable",
  },
  {
    when: "an empty one, on Hebrew",
    facts: shown(`<html lang="">${hebrew}`),
    finds: ["missing"],
    fix: 'Use `<html lang="he" dir="rtl">`, with the language of your text.',
  },
  {
    when: "the outermost element's",
    facts: shown(`<body><div lang="en-GB" style="margin:0">${english.repeat(5)}</div>`),
  },
  {
    when: "English that is Greek",
    facts: shown(`<html lang="en">${greek}`),
    finds: ["differs"],
    says: 'The HTML declares its language as "en", but the text looks like Greek.',
  },
  {
    when: "a template's English on German",
    facts: shown(`<html lang="en-US">${german.repeat(5)}`),
    finds: ["differs"],
    fix: 'Set `lang="de"`, or use the code for the language of your text.',
  },
  {
    when: "English of few words that are words of another language too",
    facts: shown(`<html lang="en">${"I am a button. Do it. ".repeat(12)}`),
  },
  { when: "Ukrainian", facts: shown(`<html lang="uk">${"Дякуємо за ваше замовлення. ".repeat(5)}`) },
  { when: "Serbian in Latin letters", facts: shown(`<html lang="sr-Latn">${german.repeat(5)}`) },
  { when: "Japanese", facts: shown(`<html lang="ja">${"本日のお知らせです。".repeat(9)}`) },
  { when: "Norwegian", facts: shown(`<html lang="nb">${"Vi har det som er for deg og ikke på jobb. ".repeat(9)}`) },
  { when: "a language that we cannot tell", facts: shown(`<html lang="eu">${english.repeat(5)}`) },
  { when: "a few words in another", facts: shown(`<html lang="de">Your code is 1234`) },
  { when: "two languages in one message", facts: shown(`<html lang="en">${english.repeat(5)}${german.repeat(5)}`) },
  { when: "an empty message", facts: emptyMessage, outcome: "not-applicable" },
  { when: "text alone", facts: plainText, outcome: "not-applicable" },
]);

testCheck(htmlDir, [
  { when: "Latin without dir", facts: shown(english), says: "The text runs left to right." },
  {
    when: "Arabic without dir",
    facts: shown(arabic),
    finds: ["missing-rtl"],
    says: 'The text runs right to left, but the HTML does not declare dir="rtl".',
  },
  {
    when: "Hebrew that says the contrary",
    facts: shown(`<html dir="ltr">${hebrew}`),
    finds: ["missing-rtl"],
    says: 'The text runs right to left, but the HTML does not declare dir="rtl" (found: dir="ltr").',
  },
  {
    when: "Arabic with it",
    facts: shown(`<html dir="RTL">${arabic}`),
    says: 'The text runs right to left and is marked with dir="rtl".',
  },
  {
    when: "Arabic with it in its cell alone",
    facts: shown(`<table><tr><td><div><div dir="rtl">${arabic}</div></div></table>`),
  },
  { when: "Arabic with it by style", facts: shown(`<div style="direction: rtl">${arabic}</div>`) },
  { when: "an Arabic name in English", facts: shown(`${english} محمد`) },
  { when: "text alone", facts: plainText, outcome: "not-applicable" },
]);

testCheck(htmlTitle, [
  { when: "a title", facts: shown("<title>Hello</title><p>Hi"), says: 'The HTML has the title "Hello".' },
  { when: "none", facts: shown("<p>Hi"), finds: ["missing"], fix: "Add a title to the head: `<title>Hello</title>`." },
  { when: "an empty one", facts: shown("<title> </title><p>Hi"), finds: ["missing"] },
  { when: "text alone", facts: plainText, outcome: "not-applicable" },
]);

const table = "<table><tr><td>x</td></tr></table>";
testCheck(tableRoles, [
  {
    when: "all with a role",
    facts: shown('<table role="presentation"><tr><td>x</td></tr></table>'.repeat(6)),
    says: "All 6 layout tables have a role.",
  },
  {
    when: "most with a role",
    facts: shown(`${'<table role="presentation"><tr><td>x</td></tr></table>'.repeat(6)}${table}`),
    finds: ["some"],
    says: "Layout tables without a role: 1 of 7.",
  },
  {
    when: "eight without",
    facts: shown(table.repeat(8)),
    finds: ["missing"],
    says: "None of the 8 layout tables has a role.",
  },
  { when: "tables of figures", facts: shown("<table><tr><th>n<tr><td>1</table>".repeat(8)), outcome: "not-applicable" },
  { when: "two", facts: shown(table.repeat(2)), finds: ["some"] },
  { when: "text alone", facts: plainText, outcome: "not-applicable" },
]);

const long = prose(400);
testCheck(headings, [
  { when: "a long text with one", facts: shown(`<h2>Title</h2><p>${long}`) },
  { when: "a long text with a role", facts: shown(`<div role="heading">Title</div><p>${long}`) },
  { when: "bold alone", facts: shown(`<b>Title</b><p>${long}`), finds: ["none"] },
  { when: "a short text", facts: shown("<p>Hi"), outcome: "not-applicable" },
  {
    when: "a text so large that its end was not read",
    facts: shown(`<p>${long}</p>${"<i></i>".repeat(160_000)}`),
    outcome: "skipped",
  },
  { when: "text alone", facts: plainText, outcome: "not-applicable" },
]);
