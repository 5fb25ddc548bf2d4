import { expect, test } from "vitest";
import { templateText } from "../../../../src/analyzer/checks/content/template-text.ts";
import { testCheck } from "../test-check.ts";
import { given, givenText, kindOf } from "./given.ts";

const lorem = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor";

testCheck(templateText, [
  { when: "passes a message that was written", facts: given("<h1>Three books for the evening</h1><p>Dear Ada, …</p>") },
  {
    when: "finds the sentence of a maker",
    facts: given("<p>Use this area to offer a short preview of your email’s content.</p><h1>Heading 1</h1>"),
    finds: ["left"],
    says: '"Use this area to offer a short preview of your email’s content." in the HTML looks like text of a template. Others: "Heading 1".',
  },
  {
    when: "finds it in the hidden preview line, which is read first",
    facts: given(`<div style="display:none">Your preview text here</div><p>Dear Ada, here is the news.</p>`),
    finds: ["left"],
    says: '"Your preview text here" in the preview text looks like text of a template.',
  },
  ...[
    "Your text here",
    "Add your headline here!",
    "Your main headline goes here",
    "Hier steht Ihr Text",
    "Votre texte ici",
    "Escribe tu texto aquí",
    "Il tuo testo qui",
    "Digite seu texto aqui",
    "Uw tekst hier",
    "Ваш текст здесь",
    "ここにテキストを入力してください",
    "Überschrift 2",
    "© 2026 Your Company Name. All rights reserved.",
    "1234 Broadway, City, State 12345",
  ].map((text) => ({ when: `finds “${text}”`, facts: given(`<p>${text}</p>`), finds: ["left"] as const })),
  ...[
    "Read the whole text here",
    "Download the text and the title here",
    "Title 1 schools get more money",
    "Write to us here",
    "Call to action",
    "Enter your postal code here to win",
    "Her title",
    "Use this area to store your shoes",
    "© 2026 Company Formations Ltd",
    "It's time to design your email",
  ].map((text) => ({ when: `leaves “${text}” alone`, facts: given(`<p>${text}</p>`) })),
  {
    when: "finds filler text",
    facts: given(`<p>${lorem}</p>`),
    finds: ["left"],
    says: `"${lorem}" in the HTML looks like text of a template.`,
  },
  {
    when: "finds filler text from its middle",
    facts: givenText("Maecenas sed ante pellentesque, posuere leo id, eleifend dolor."),
    finds: ["left"],
  },
  { when: "finds two words of filler as a heading", facts: given("<h1>Lorem ipsum</h1>"), finds: ["left"] },
  {
    when: "leaves filler text to people who write about it",
    facts: given(`<p>Where does “${lorem}” come from?</p><p>Why designers like lorem ipsum</p>`),
  },
  {
    when: "leaves Latin alone",
    facts: givenText("Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani"),
  },
  {
    when: "finds a field in brackets as it is written",
    facts: given("<p>Dear [First Name],</p><p>{company_name} says hello</p>", { subject: "News from [Company Name]" }),
    finds: ["left"],
    says: '"[Company Name]" in the subject looks like text of a template. Others: "[First Name]" and "{company_name}".',
  },
  ...[
    "[Firmenname]",
    "[Ihr Name]",
    "[Prénom]",
    "[Nombre de la empresa]",
    "{Nome azienda}",
    "[Insert date here]",
    "[ LOGO ]",
    "[type_of_action]",
  ].map((text) => ({ when: `finds the field ${text}`, facts: given(`<p>${text}</p>`), finds: ["left"] as const })),
  ...[
    "[Unsubscribe] [View online]",
    "[Announcement] [Harbor News]",
    "[email address]",
    "Use the subject “Application – [Your Name]”",
    "Name the file report_[Your Name].pdf",
    "The cell rows[my_index] is empty",
    "{{first_name}}",
  ].map((text) => ({ when: `leaves “${text}” without finding a field`, facts: given(`<p>${text}</p>`) })),
  {
    when: "leaves fields alone in mail between people, who send each other drafts",
    facts: { ...givenText("A draft for your customers:\nDear [First Name],"), ...kindOf("personal") },
  },
  {
    when: "names the part of a long line",
    facts: given(`<p>${"News of the house. ".repeat(8)}I'm a new text block ready for your content.</p>`),
    finds: ["left"],
    says: '"I\'m a new text block" in the HTML looks like text of a template.',
  },
  {
    when: "does not apply to a post to a mailing list",
    facts: { ...givenText(lorem), kind: { ...kindOf("bulk").kind, mailingList: true } },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a reply, which may quote a template",
    facts: givenText("Your text here", { headers: ["In-Reply-To: <2@own.example>"] }),
    outcome: "not-applicable",
  },
  {
    when: "is skipped if the HTML could not be read, because recipients don't see the plain text",
    facts: { message: given("<p>Hello</p>", { text: lorem }).message },
    unknown: { html: "too-large" },
    outcome: "skipped",
  },
]);

// A test that hangs is the failure.
test.each(["[a", "{", "lorem ", "your text ", "city, ", "© ", "Heading 1\n"])(
  "a hundred thousand repetitions of %j are read without trouble",
  (piece) => {
    const facts = givenText("x");
    const text = { parts: [], text: piece.repeat(100_000), decodedBytes: 0, isCut: false };
    const message = { ...facts.message, text };
    const wanted = { html: { known: false, why: "no-message" }, kind: { known: false, why: "no-message" } };
    expect(templateText.run({ message, ...wanted })).toBeDefined();
  },
);
