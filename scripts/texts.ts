// Lists all texts of the product: every string, template and page text in src/, the handbook and README. With --comments
// the comments, with --titles the names of tests. With --dialect only those with words that we no longer use. With
// --sample N a random choice.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import jsTokens from "js-tokens";

export type Text = { readonly place: string; readonly kind: "text" | "comment" | "title"; readonly text: string };

const root = join(import.meta.dirname, "..");

/**
 * Words of our first texts that no native writer would choose, with replacements. Only certain ones: the list prevents
 * a relapse and doesn't replace reading.
 */
export const dialect: readonly (readonly [RegExp, string])[] = [
  [/\b(?:mend|mends|mended|mending)\b/i, "fix"],
  [/\banew\b/i, "again"],
  [/\b(?:is|are|was|were|be|been|being) told\b/i, "is notified, gets alerts, learns"],
  [/\b(?:hear|hears) of\b/i, "is notified of"],
  [/\bof (?:yours|ours|theirs|its own)\b/i, "your …, our …, its own …"],
  [/\bstands? (?:in|at|on|there|as|here|beside|under|above|before|behind|within|alone)\b/i, "is, has, is listed in"],
  [/\bbears?\b/i, "has, contains"],
  [/\b(?:proven|unproven|genuine)\b/i, "authenticated, not authenticated, measured"],
  [/\b(?:nobody|somebody|whoever|whomever)\b/i, "name the actor: the sender, the receiver, you"],
  [/\bnone of whose\b/i, "name the actor"],
  [/\bby (?:itself|themselves)\b/i, "automatically, alone"],
  [/\bof (?:its|their) own accord\b/i, "automatically"],
  [/\bfor ever\b/i, "forever"],
  [/\bway out\b/i, "unsubscribe link"],
  [/\b(?:mail|e-mail|email) programs?\b/i, "email client"],
  [/\b(?:fro|hither|thither|thereof|whence|wherein|whereof|heretofore|lest)\b/i, "plain words"],
  [/\be-mails?\b/i, "email"],
  [/\bfaults? (?:is|are) yours\b/i, "issue to fix"],
  [/\bto your mind\b|\bthat you are thinking of\b/i, "plain words"],
  [/\b(?:heed|heeds|heeded|heeding)\b/i, "respect, follow"],
  [/\blook-?ups?\b(?=.{0,20}\btime is up\b)/i, "DNS timeout"],
  [
    /\b(?:analyse|analysed|analyses it|analysing|colour|colours|behaviour|recognise|recognised|honour|honours|licence)\b/i,
    "American spelling",
  ],
];

const dialects: Readonly<Record<Text["kind"], typeof dialect>> = {
  text: dialect,
  comment: [...dialect, [/^(?:\/\/|\/\*\*?|\*)?\s*Of (?!course)/, "begin with the subject"]],
  // A report of a failure shows only the name, so it must be a whole sentence.
  title: [
    ...dialect,
    [/^(?:of|that|whose|but|and|or|except|including|regardless|beside|than)\b/i, "begin with the subject"],
    [
      /^(?:is|are|was|were|has|have|had|may|can|cannot|can't|does|do|did|doesn't|don't|must|never)\b/,
      "name the subject",
    ],
    [/\btells? of\b/i, "reports, says"],
    [/\b(?:anybody|everybody)\b/i, "anyone, everyone"],
    [/\b(?:that|which) (?:is|are) none\b/i, "invalid, is not a …"],
    [
      /\b(?:crowd|patience|patient|comes home|comes to nothing|is glad|look-alikes?|log-ins?|time-outs?)\b/i,
      "plain words",
    ],
    [
      /\b(?:neighbours?|organisations?|labelled|grey|centre|favours?|favourite|misspelt|unauthorised|armoured)\b/i,
      "American spelling",
    ],
  ],
};

export function dialectIn({ kind, text }: Pick<Text, "kind" | "text">): string | undefined {
  const rules = dialects[kind];
  const words = text.replaceAll(/`[^`]*`/g, "");
  for (const [pattern, better] of rules) {
    const match = pattern.exec(words);
    if (match) return `"${match[0]}": ${better}`;
  }
  return undefined;
}

/** Tables contain words of other people's mail. */
const isTable = (path: string): boolean => /-tables?\.ts$|\/reports\/bounce|\/migrations\//.test(path);

/** A text has two words, or is written like a label. Everything else is a name. */
const isText = (value: string): boolean =>
  /[A-Za-z]{2,}[ \n]+[A-Za-z(“"']/.test(value) || /^[A-Z][a-z]{2,}[.!?…]?$/.test(value);

/** Code in a string: statements and parts of statements in SQL, style sheets, and alternatives of an expression. */
const codeInStrings: readonly RegExp[] = [
  /^(?:select|insert (?:or replace )?into|delete from|update \w+ set|with (?:recursive |\w+ (?:as|\())|create (?:table|(?:unique )?index|virtual|trigger))\s/,
  /^(?:alter table|drop (?:table|index|trigger)|case when|(?:left |cross )?join|order by|vacuum into|pragma)\s|^analyze sqlite_/,
  /^(?:begin (?:immediate|exclusive)|(?:savepoint|release|rollback to) turn|set (?:local )?\w+ = \w+)$/,
  /^[a-z_][\w.]* as [a-z]\w*$|^(?:is not|not in)$|^\w+\(.*\) over \(/,
  /(?:^|[\s,}])[.#:]?[\w-]+ \{ ?(?:--)?[\w-]+: ?[^;{}]+;?/,
  /^[^|]+(?:\|[^|]+){3,}$/,
];

const isCode = (text: string): boolean => codeInStrings.some((pattern) => pattern.test(text));

/** The value of a class attribute. */
const isClass = (before: string): boolean => /\bclass(?:Name)?=$/.test(before.slice(-12));

/** A template that is tagged as SQL: sql`…`, sql<Row>`…` or sql.raw(`…`). */
const endsInSqlTag = (before: string): boolean => /\bsql(?:<[^`]*>)?(?:\.raw\(\s*)?$/.test(before.slice(-400));

export function readTexts(path: string, source: string): Text[] {
  if (path.endsWith(".md")) return readMarkdown(path, source);
  const texts: Text[] = [];
  const templates: { readonly line: number; readonly isSql: boolean; text: string }[] = [];
  let line = 1;
  let isImport = false;
  let before = "";
  const add = (value: string, at = line) => void texts.push({ place: `${path}:${at}`, kind: "text", text: value });
  const addWhole = (value: string) => isImport || isClass(before) || endsInSqlTag(before) || add(value.slice(1, -1));
  const comment = (value: string) => void texts.push({ place: `${path}:${line}`, kind: "comment", text: value });
  const extend = (value: string) => {
    const open = templates.at(-1);
    if (open) open.text += value;
  };
  const readers: Readonly<Record<string, (value: string) => void>> = {
    IdentifierName: (value) => {
      isImport = value === "from" || value === "import";
    },
    SingleLineComment: (value) => comment(value.slice(2)),
    MultiLineComment: (value) => comment(value.slice(2, -2).replaceAll(/^\s*\*+/gm, "")),
    StringLiteral: addWhole,
    NoSubstitutionTemplate: addWhole,
    JSXString: addWhole,
    JSXText: (value) => add(value),
    TemplateHead: (value) =>
      void templates.push({ line, isSql: endsInSqlTag(before), text: `${value.slice(1, -2)}{…}` }),
    TemplateMiddle: (value) => extend(`${value.slice(1, -2)}{…}`),
    TemplateTail: (value) => {
      extend(value.slice(1, -1));
      const open = templates.pop();
      if (open && !open.isSql) add(open.text, open.line);
    },
  };
  for (const { type, value } of jsTokens(joinComments(source), { jsx: path.endsWith(".tsx") })) {
    readers[type]?.(value);
    before = `${before.slice(-400)}${value}`;
    line += value.split("\n").length - 1;
  }
  return texts
    .map((text) => ({ ...text, text: text.text.replaceAll(/\s+/g, " ").trim() }))
    .filter(({ kind, text }) => (kind === "comment" ? text !== "" : isText(text) && !isCode(text)));
}

/** Joins a comment of several lines into one. Its other lines become empty. */
function joinComments(source: string): string {
  const lines = source.split("\n");
  for (let index = lines.length - 1; index > 0; index--) {
    const [words] = /^\s*\/\/ ?(.*)$/.exec(lines[index] ?? "")?.slice(1) ?? [];
    if (words === undefined || !/^\s*\/\//.test(lines[index - 1] ?? "")) continue;
    lines[index - 1] += ` ${words}`;
    lines[index] = "";
  }
  return lines.join("\n");
}

function readMarkdown(path: string, source: string): Text[] {
  let isCode = false;
  return source.split("\n").flatMap((text, index) => {
    if (text.startsWith("```")) isCode = !isCode;
    return isCode || text.trim() === "" ? [] : [{ place: `${path}:${index + 1}`, kind: "text" as const, text }];
  });
}

export function readAllTexts(): Text[] {
  const names = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:tsx?|md)$/.test(name) && !isTable(`/${name}`))
    .map((name) => `src/${name}`);
  const documents = [
    "README.md",
    ".github/CONTRIBUTING.md",
    ".github/SECURITY.md",
    "test/README.md",
    "scripts/README.md",
  ];
  return [...names.sort(), ...documents].flatMap((path) => readTexts(path, readFileSync(join(root, path), "utf8")));
}

const literal = /("(?:[^"\\\n]|\\.)+"|'(?:[^'\\\n]|\\.)+'|`(?:[^`\\]|\\.)+`)/.source;

/** A test or a group of tests: the first text in brackets that is followed by a function, perhaps after options. */
const namedFunction = new RegExp(`\\(\\s*${literal},\\s*(?:\\{[^{}]*\\},\\s*)?(?:async\\b|\\(|\\w+ =>)`, "g");

/** A case of a check, whose name continues the check's ID. */
const namedCase = new RegExp(`\\bwhen: ${literal}`, "g");

export function readTitles(path: string, source: string): Text[] {
  const read = (pattern: RegExp, before: string) =>
    [...source.matchAll(pattern)].map(({ index, 1: name = "" }): Text => {
      const line = source.slice(0, index).split("\n").length;
      return { place: `${path}:${line}`, kind: "title", text: `${before}${name.slice(1, -1)}` };
    });
  return [...read(namedFunction, ""), ...read(namedCase, "check ")].filter(({ text }) => text.includes(" "));
}

export function readAllTitles(): Text[] {
  return readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .sort()
    .flatMap((name) => readTitles(`test/${name}`, readFileSync(join(root, "test", name), "utf8")));
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      dialect: { type: "boolean", default: false },
      comments: { type: "boolean", default: false },
      titles: { type: "boolean", default: false },
      sample: { type: "string" },
    },
  });
  const [under = ""] = positionals;
  const listed = (values.titles ? readAllTitles() : readAllTexts()).filter(
    (text) =>
      text.place.startsWith(under) &&
      (values.dialect ? dialectIn(text) : values.titles || values.comments === (text.kind === "comment")),
  );
  const count = values.sample === undefined ? listed.length : Number(values.sample);
  const chosen = values.sample === undefined ? listed : pickFrom(listed, count);
  for (const text of chosen) {
    const why = dialectIn(text);
    process.stdout.write(`${text.place}  ${text.text}${why ? `\n    ${why}` : ""}\n`);
  }
  process.stderr.write(`${chosen.length} of ${listed.length}\n`);
}

function pickFrom(texts: readonly Text[], count: number): Text[] {
  const sentences = texts.filter(({ text }) => text.split(" ").length >= 4);
  return sentences
    .map((text) => ({ text, order: Math.random() }))
    .sort((left, right) => left.order - right.order)
    .slice(0, count)
    .map(({ text }) => text);
}
