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
  { when: "passes replaced merge tags", facts: given("<p>Hello Ada, your order is 12 €.</p>") },
  {
    when: "finds a merge tag with its location",
    facts: given("<p>Hello {{first_name}}</p>", { text: "Hello {{first_name}}" }),
    finds: ["left-over"],
    says: 'The merge tag "{{first_name}}" was not replaced (in the HTML and the plain text).',
  },
  {
    when: "reports several merge tags in one finding, because they have one cause",
    facts: given("<p>Hello {{first_name}} of {{company}}</p>", { subject: "News for *|FNAME|*" }),
    finds: ["left-over"],
    says: 'The merge tag "*|FNAME|*" was not replaced (in the subject). Others: {{first_name}} and {{company}}.',
  },
  {
    when: "finds a merge tag in a URL",
    facts: given(`<p>Hello <a href="https://{{host}}/x">shop</a></p>`),
    finds: ["left-over"],
    says: 'The merge tag "{{host}}" was not replaced (in a link URL).',
  },
  {
    when: "finds a merge tag in the hidden preview line, which is read first",
    facts: given(`<div style="display:none">{{preheader}}</div><p>Hello Ada</p>`),
    finds: ["left-over"],
  },
  {
    when: "ignores code and quoted messages",
    facts: given("<p>Write <code>{{name}}</code></p><blockquote>Hello {{name}}</blockquote>", {
      text: "Write\n> Hello {{name}}",
    }),
  },
  { when: "ignores percent-encoded URLs", facts: given(`<a href="https://own.example/?t=%7B%7Bx%7D%7D">shop</a>`) },
  {
    when: "suspects a greeting without a name",
    facts: given("<p>Hello <b></b>,</p><p>your order</p>"),
    finds: ["suspected"],
    says: '"Hello ," in the HTML looks like a missing value or placeholder text.',
  },
  { when: "suspects values that software prints", facts: givenText("Hi undefined,\nhere"), finds: ["suspected"] },
  { when: "suspects such a value after a title", facts: givenText("Dear Mr null,\nhere"), finds: ["suspected"] },
  { when: "suspects such a value as an amount", facts: givenText("To pay: € NaN"), finds: ["suspected"] },
  { when: "suspects such a value as a total", facts: givenText("Total: undefined"), finds: ["suspected"] },
  {
    when: "does not apply to a post to a mailing list, whose author may write about software",
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
    when: "finds a merge tag in personal mail, in a subject too",
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
    when: "ignores a reply about a merge tag",
    facts: {
      ...givenText("It was sent as\nHave a look, {{name}} again", {
        subject: "Re: {{first_name}}",
        headers: ["In-Reply-To: <2@own.example>"],
      }),
      ...kindOf("personal"),
    },
  },
  {
    when: "does not treat null as such a value elsewhere",
    facts: givenText("The null hypothesis is undefined. Hello, Ada"),
  },
  {
    when: "does not treat a name as such a value",
    facts: givenText("Dear Ms Null,\nHello,\nCosts $null in PowerShell"),
  },
]);
