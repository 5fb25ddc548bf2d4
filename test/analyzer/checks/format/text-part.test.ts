import { textPart } from "../../../../src/analyzer/checks/format/text-part.ts";
import { multipart, part } from "../../mail/letter.ts";
import { testCheck } from "../test-check.ts";
import { instead, withBody } from "./given.ts";

const numerals = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const story = (count: number, subject: string) =>
  Array.from({ length: count }, (_, at) => `${subject}${numerals[at % 12]}${at}`).join(" ");

const text = (content: string, ...headers: readonly string[]) =>
  part(["Content-Type: text/plain; charset=utf-8", ...headers], Buffer.from(content).toString("latin1"));
const html = (content: string) =>
  part(["Content-Type: text/html; charset=utf-8"], `<p>${Buffer.from(content).toString("latin1")}</p>`);
const amp = part(["Content-Type: text/x-amp-html"], "<p>x");
const alternative = (...parts: readonly string[]) => withBody(multipart("alternative", "a", ...parts));

const sixty = story(60, "our");
const many = story(120, "our");

testCheck(textPart, [
  {
    when: "passes text and HTML with the same words",
    facts: alternative(text(sixty), html(sixty)),
    says: `The message has a plain-text part with ${sixty.length} characters.`,
  },
  { when: "does not apply to plain text", facts: instead(""), outcome: "not-applicable" },
  {
    when: "does not apply to an empty message",
    facts: withBody("Content-Type: text/html", "", ""),
    outcome: "not-applicable",
  },
  { when: "finds only HTML", facts: withBody(html("Hello")), finds: ["missing"] },
  { when: "finds an empty text before the HTML", facts: alternative(text(" "), html("Hello")), finds: ["missing"] },
  {
    when: "finds a text after the HTML that is not an alternative",
    facts: withBody(multipart("mixed", "m", html(sixty), text("You get this by a list."))),
    finds: ["missing"],
  },
  {
    when: "finds the text after the HTML",
    facts: alternative(html(sixty), text(sixty)),
    finds: ["wrong-order"],
    why: "Watches, screen readers, and filters use the plain-text part.",
  },
  { when: "passes text, AMP, and HTML", facts: alternative(text(sixty), amp, html(sixty)) },
  {
    when: "passes a text file inside the HTML part",
    facts: alternative(
      text(sixty),
      multipart("mixed", "m", html(sixty), text("log", 'Content-Disposition: attachment; filename="a.txt"')),
    ),
  },
  {
    when: "finds the text of another issue",
    facts: alternative(text(story(60, "old")), html(sixty)),
    finds: ["differs"],
    says: "The plain-text part and the HTML have different content (0% of words in common).",
  },
  {
    when: "passes a text with written-out URLs",
    facts: alternative(text(sixty.replaceAll(" ", " https://click.sender.example/a/b?c=d\r\n")), html(sixty)),
  },
  { when: "passes a text with a third of the words", facts: alternative(text(sixty), html(story(180, "our"))) },
  {
    when: "passes Japanese without spaces and with other line breaks",
    facts: alternative(
      text("本日のお知らせです。\r\n".repeat(12)),
      html(`${"本日のお知らせです。".repeat(6)}<br>${"お知らせです。本日の".repeat(6)}`),
    ),
  },
  {
    when: "finds a stub",
    facts: alternative(text("View in\r\nbrowser"), html(many)),
    finds: ["stub"],
    says: 'The plain-text part contains only "View in browser".',
  },
  {
    when: "passes a short text next to short HTML",
    facts: alternative(text("Your code is 1234"), html("Your code is 1234")),
  },
  {
    when: "passes images with few words in HTML and another text",
    facts: alternative(text(sixty), html("a b c d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4 5 6 7 8")),
  },
  {
    when: "finds HTML code in the text",
    facts: alternative(text(`<table><tr><td style="color:red">${sixty}</td></tr></table>`), html(sixty)),
    finds: ["markup"],
  },
  {
    when: "finds styles in the text",
    facts: alternative(text(`${"p { color: red }\r\n".repeat(4)}${sixty}`), html(sixty)),
    finds: ["markup"],
  },
  {
    when: "passes URLs in angle brackets",
    facts: alternative(text(`${sixty} ${"<https://x.example/a> <a@x.example> ".repeat(5)}`), html(sixty)),
  },
  {
    when: "passes a text about HTML",
    facts: alternative(text(`${sixty} <td> <tr> <b> </b> <p>`), html(`${sixty} &lt;td> &lt;tr> &lt;b> &lt;/b> &lt;p>`)),
  },
]);
