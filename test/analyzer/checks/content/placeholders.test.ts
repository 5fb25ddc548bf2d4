import { expect, test } from "vitest";
import { placeholders } from "../../../../src/analyzer/checks/content/placeholders.ts";
import { templateMarksIn } from "../../../../src/analyzer/mail/urls/patterns.ts";
import { testCheck } from "../test-check.ts";
import { given, givenText, kindOf } from "./given.ts";

test.each([
  "{{first_name}}",
  "{{ user.name | default }}",
  "*|FNAME|*",
  "*|IF:VIP|*",
  "%%first_name%%",
  "<%= name %>",
  "{% if vip %}",
  `\${name}`,
  "[[First Name]]",
])("%s is an unreplaced merge tag", (mark) => {
  expect(templateMarksIn(`Hello ${mark}, here is more`, 5)).toEqual([mark]);
});

test.each(["{{}}", "100%% of 5%%", "a * | b | * c", `\${}`, "[[1]]", "{ name }", "<%", "[1][2]", "50% {off}"])(
  "%s is not a merge tag",
  (text) => {
    expect(templateMarksIn(text, 5)).toEqual([]);
  },
);

// A test that hangs is the failure.
test.each(["{{", "*|", "%%a", "<%", "{%", `\${a`, "[[a "])(
  "a million repetitions of %s are read without trouble",
  (piece) => {
    expect(templateMarksIn(piece.repeat(1_000_000), 5).length).toBeLessThanOrEqual(5);
  },
);

testCheck(placeholders, [
  { when: "passes what was filled in", facts: given("<p>Hello Ada, your order is 12 €.</p>") },
  {
    when: "finds a mark, and says where it stands",
    facts: given("<p>Hello {{first_name}}</p>", { text: "Hello {{first_name}}" }),
    finds: ["left-over"],
    says: 'The merge tag "{{first_name}}" was not replaced (in the HTML and the plain text).',
  },
  {
    when: "names the others in one finding, for they have one cause",
    facts: given("<p>Hello {{first_name}} of {{company}}</p>", { subject: "News for *|FNAME|*" }),
    finds: ["left-over"],
    says: 'The merge tag "*|FNAME|*" was not replaced (in the subject). Others: {{first_name}} and {{company}}.',
  },
  {
    when: "finds one in an address",
    facts: given(`<p>Hello <a href="https://{{host}}/x">shop</a></p>`),
    finds: ["left-over"],
    says: 'The merge tag "{{host}}" was not replaced (in a link URL).',
  },
  {
    when: "finds one in the hidden preview line, which is read first",
    facts: given(`<div style="display:none">{{preheader}}</div><p>Hello Ada</p>`),
    finds: ["left-over"],
  },
  {
    when: "leaves code and quoted messages alone",
    facts: given("<p>Write <code>{{name}}</code></p><blockquote>Hello {{name}}</blockquote>", {
      text: "Write\n> Hello {{name}}",
    }),
  },
  {
    when: "leaves the encoded part of an address alone",
    facts: given(`<a href="https://own.example/?t=%7B%7Bx%7D%7D">shop</a>`),
  },
  {
    when: "suspects a greeting without a name",
    facts: given("<p>Hello <b></b>,</p><p>your order</p>"),
    finds: ["suspected"],
    says: '"Hello ," in the HTML looks like a missing value or placeholder text.',
  },
  { when: "suspects what programs print", facts: givenText("Hi undefined,\nhere"), finds: ["suspected"] },
  { when: "suspects it behind a title", facts: givenText("Dear Mr null,\nhere"), finds: ["suspected"] },
  { when: "suspects an amount", facts: givenText("To pay: € NaN"), finds: ["suspected"] },
  { when: "suspects a total", facts: givenText("Total: undefined"), finds: ["suspected"] },
  {
    when: "suspects filler text",
    facts: givenText("Lorem ipsum dolor"),
    finds: ["suspected"],
    says: '"Lorem ipsum" in the plain text looks like a missing value or placeholder text.',
  },
  {
    when: "asks nothing of the post of a mailing list, whose author may write of programs",
    facts: { ...givenText(`+ cp \${path} /tmp`), kind: { ...kindOf("bulk").kind, mailingList: true } },
    outcome: "not-applicable",
  },
  ...(
    ["Hi {{first_name}},\nshall we meet?", "Dear *|FNAME|*,\nhello", "Hello %%Name%%,\n", "Hi [[name]]\n"] as const
  ).map((text) => ({
    when: `finds ${text.split("\n", 1)} in mail between people`,
    facts: { ...givenText(text), ...kindOf("personal") },
    finds: ["left-over"] as const,
  })),
  {
    when: "finds a field's mark in mail between people, in a subject too",
    facts: {
      ...givenText("Are you the right person at {{company}}?", { subject: "{{first_name}}, a question" }),
      ...kindOf("personal"),
    },
    finds: ["left-over"],
    says: 'The merge tag "{{first_name}}" was not replaced (in the subject). Others: {{company}}.',
  },
  ...[
    "Bob,\nput {{first_name}} into the template",
    'It says "{{first_name}}" to everyone',
    `Set \${HOME} and {{ item }} and <%= x %>, then [[Talk page]]`,
    "The cell a[[i]] holds {% raw %}",
    "Hello ,\nnull and undefined",
  ].map((text) => ({
    when: `leaves “${text}” to people who write of such things`,
    facts: { ...givenText(text), ...kindOf("personal") },
  })),
  {
    when: "leaves a reply about a mark alone",
    facts: {
      ...givenText("It was sent as\nHave a look, {{name}} again", {
        subject: "Re: {{first_name}}",
        headers: ["In-Reply-To: <2@own.example>"],
      }),
      ...kindOf("personal"),
    },
  },
  { when: "takes null for a word elsewhere", facts: givenText("The null hypothesis is undefined. Hello, Ada") },
  { when: "takes a name for a name", facts: givenText("Dear Ms Null,\nHello,\nCosts $null in PowerShell") },
]);
