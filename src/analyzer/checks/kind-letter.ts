// Whether a message reads like a personal email: its greeting, sign-off and forwarded parts, and whether it consists of
// fields like automated mail.

import type { Message } from "../mail/mime/message.ts";
import type { Fields } from "./infer-kind.ts";
import type { KindReason } from "./kind.ts";
import {
  crowdEndings,
  crowds,
  greetings,
  looseCrowds,
  passedFrom,
  passedOn,
  passedOthers,
} from "./kind-letter-tables.ts";
import { signOffs } from "./kind-weight-tables.ts";

/** The author's own text, and whether another message follows. */
type OwnPart = { readonly own: string; readonly passesOn: boolean };

const alternatives = (words: readonly string[]): string =>
  [...words].sort((one, other) => other.length - one.length).join("|");

const fromLine = new RegExp(`^[ \\t\\u00a0*>|]{0,6}(?:${alternatives(passedFrom)})[ \\u00a0*]{0,4}[:：]`, "gimu");
const otherLine = new RegExp(`^[ \\t\\u00a0*>|]{0,6}(?:${alternatives(passedOthers)})[ \\u00a0*]{0,4}[:：]`, "iu");
const passedOnWords: ReadonlySet<string> = new Set(passedOn);
const maxFromLines = 20;
const blockReach = 1_500;
const blockLines = 8;

/** Cuts off a forwarded or quoted message, starting at the headers that email clients put above it. */
export function cutPassedOn(text: string, isAnswer: boolean): OwnPart {
  let looks = 0;
  fromLine.lastIndex = 0;
  for (let match = fromLine.exec(text); match !== null && looks < maxFromLines; match = fromLine.exec(text)) {
    looks++;
    const before = text.slice(Math.max(0, match.index - 200), match.index).trimEnd();
    const last = before.slice(before.lastIndexOf("\n") + 1);
    const isAnnounced = passedOnWords.has(bare(last));
    const others = countOthers(text.slice(match.index, match.index + blockReach));
    const own = text.slice(0, match.index).trimEnd();
    if (isAnnounced && others >= 1)
      return { own: own.slice(0, Math.max(0, own.length - last.length)).trimEnd(), passesOn: true };
    // Without the author's own words, these may be the fields of a contact form.
    if (others >= 2 && (isAnswer || own !== "")) return { own, passesOn: true };
  }
  return { own: text, passesOn: false };
}

function bare(line: string): string {
  return line
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/^[-_=>*\s]{1,40}/, "")
    .replace(/[-_=:：*\s]{1,40}$/, "");
}

function countOthers(block: string): number {
  return block
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(1, blockLines)
    .filter((line) => otherLine.test(line)).length;
}

export type Letter = {
  /** `name`: greets by name. `crowd`: greets a group ("customers"). */
  readonly greets: "name" | "crowd" | "loosely" | null;
  readonly greeting: string;
  readonly isSigned: boolean;
  /** The sign-off. */
  readonly leave: string | null;
};

/** `own` in its original case. */
export function readLetter(own: string, { from }: Message): Letter {
  const first = linesIn(own.slice(0, 1_000));
  const greeted = first.slice(0, maxGreetingLines).flatMap((line) => greetingIn(line) ?? [])[0];
  const lines = linesIn(own.slice(-signedReach)).slice(-maxSignedLines);
  const names = toNames(from.list[0]?.name ?? "");
  const leaving = lines.findIndex((line) => leaveIn(line, names) !== null);
  const leave = lines[leaving];
  const tail = leave === undefined ? "" : (leaveIn(leave, names) ?? "");
  return {
    greets: greeted?.greets ?? null,
    greeting: greeted?.words ?? "",
    isSigned: names.length > 0 && [...lines, tail].some((line) => isSignature(line, names)),
    leave: leave?.slice(0, 40) ?? null,
  };
}

/** Trimmed lines, without empty ones. */
function linesIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The parts of a person's name, in lowercase and without initials. */
export function toNames(name: string): string[] {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .split(/[\s,."'()]+/)
    .filter((part) => part.length > 2);
}

const maxGreetingLines = 3;
const signedReach = 3_000;
/** Lines at the end that may contain a signature. */
const maxSignedLines = 12;

const greeting = new RegExp(`^(?:${alternatives(greetings)})(?![\\p{L}\\p{N}])[ ,]{0,3}([^,!.:;\\n]{0,50})`, "iu");

function greetingIn(line: string): { readonly greets: Letter["greets"]; readonly words: string } | null {
  const short = line.slice(0, 100).normalize("NFKC");
  const crowd = crowdEndings.find((words) => short.slice(0, 20).includes(words));
  if (crowd !== undefined) return { greets: "crowd", words: crowd };
  if (/^[^\s、。]{1,12}[ \u3000]?(?:様|さま|さん|殿|先生)[、,。 \u3000]{0,3}$/u.test(short))
    return { greets: "name", words: short };
  const match = greeting.exec(short);
  if (match === null) return null;
  const [words, rest = ""] = match;
  const lower = rest.toLowerCase().trim();
  const [one = "", two = ""] = lower.split(/\s+/);
  if (crowds.has(one) || (crowds.has(two) && !/^\p{Lu}/u.test(rest))) return { greets: "crowd", words };
  if (looseCrowds.has(lower) || looseCrowds.has(one)) return { greets: "loosely", words };
  const isName = /^\p{Lu}[\p{L}'.-]{0,30}(?: \p{Lu}[\p{L}'.-]{0,30}){0,3}$/u.test(rest.trim());
  return isName ? { greets: "name", words } : null;
}

const signOffWords: ReadonlySet<string> = new Set(signOffs);
const longestSignOff = 4;

/** The text after a sign-off like "best regards", if it is at most a name; null for any other line. */
function leaveIn(line: string, names: readonly string[]): string | null {
  if (line.length > 60) return null;
  const words = line.toLowerCase().split(/\s+/);
  for (let count = Math.min(longestSignOff, words.length); count > 0; count--) {
    const said = words
      .slice(0, count)
      .join(" ")
      .replace(/[,.!;:~-]{1,3}$/, "");
    const rest = words.slice(count);
    if (signOffWords.has(said) && rest.length <= 2) {
      const isParted =
        rest.length === 0 || /[,.!;:-]$/.test(words[count - 1] ?? "") || beginsWith(rest.join(" "), names);
      if (isParted) return rest.join(" ");
    }
  }
  return null;
}

function beginsWith(line: string, names: readonly string[]): boolean {
  const words = line.toLowerCase().replace(/^[-–—*~>\s]{1,20}/, "");
  return words !== "" && words.length <= 40 && names.some((part) => words.startsWith(part));
}

/** A name, perhaps with a role. Not a postal address, a company's legal name, or a sentence. */
function isSignature(line: string, names: readonly string[]): boolean {
  return beginsWith(line, names) && line.split(/\s+/).length <= 6 && !ofCompany.test(line);
}

/** Numbers of addresses and phones, links, copyright, and legal forms of companies. */
const ofCompany =
  /\d|[@©®™]|:\/\/|(?<![\p{L}\p{N}])(?:ltd|limited|inc|llc|llp|plc|corp|corporation|gmbh|ag|kg|ug|bv|nv|sarl|sas|srl|spa|oy|ab|aps|pty|company)(?![\p{L}\p{N}])/iu;

/** Evidence from the greeting, the sign-off and a signature with the name in From. */
export function weighLetter({ greets, greeting: words, isSigned, leave }: Letter): KindReason[] {
  const reasons: KindReason[] = [];
  const said = words.trim().slice(0, 40);
  if (greets === "name") reasons.push(personal(`Its greeting looks personal ("${said}").`, 1));
  if (greets === "crowd")
    reasons.push(
      { text: `It greets a group of people ("${said}").`, points: 2, kind: "bulk" },
      personal("Personal mail usually greets the recipient by name.", -1),
    );
  if (greets === "loosely")
    reasons.push({ text: `It has a greeting without a name ("${said}").`, points: 1, kind: "bulk" });
  if (isSigned) reasons.push(personal("It is signed with the sender's name.", 2));
  if (leave !== null) reasons.push(personal(`It ends with a sign-off ("${leave}").`, 1));
  return reasons;
}

function personal(text: string, points: number): KindReason {
  return { text, points, kind: "personal" };
}

const field = /^[\p{L}\p{N}][\p{L}\p{N} _./()'-]{0,30}[:：=](?!\/)\s{0,9}\S/u;
const maxLines = 80;
const fewest = 3;

/** Lines like `Host: web1`, `State: DOWN` or `##### Report #####`. */
export function weighFields(body: string): KindReason[] {
  const lines = linesIn(body.slice(0, 6_000)).slice(0, maxLines);
  const written = lines.filter((line) => line.length <= 120 && (field.test(line) || isRuled(line))).length;
  if (written < fewest || written / lines.length < 0.6) return [];
  return [
    {
      text: `${written} of its ${lines.length} lines are labeled fields, which are typical of automated mail.`,
      points: 3,
      kind: "transactional",
    },
    personal("Personal mail usually has sentences.", -2),
  ];
}

function isRuled(line: string): boolean {
  const rule = /^[-=*#_+]{3,}/.exec(line);
  return rule !== null && rule[0].length < line.length && /^[-=*#_+]{3}$/.test(line.slice(-3));
}

/** Ticket systems, wikis and list servers also add these to receipts and notices, so they don't decide alone. */
export function weighListFields(fields: Fields): KindReason[] {
  const precedence = /^(?:bulk|list)\b/i.exec(fields.get("precedence") ?? "")?.[0].toLowerCase();
  const names = [
    ...(fields.has("list-id") ? ["List-Id"] : []),
    ...(precedence === undefined ? [] : [`Precedence: ${precedence}`]),
  ];
  if (names.length === 0) return [];
  const text = `It has bulk mail headers (${names.join(", ")}).`;
  return [
    { text, points: 1 + names.length, kind: "bulk" },
    { text, points: -4, kind: "personal" },
  ];
}
