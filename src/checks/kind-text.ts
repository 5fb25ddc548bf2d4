// What the words of a message say of its kind: its subject, its first words, and the rest, each with its own weight.

import type { Html } from "../mail/html.ts";
import type { Message } from "../mail/message.ts";
import { withoutUnsubscribing } from "../mail/unsubscribe-words.ts";
import { ownLinesOf } from "./content/own-words.ts";
import { findPhrases } from "./content/phrases.ts";
import type { KindReason } from "./kind.ts";
import { codeIn, isNumbered } from "./kind-signs.ts";
import { groupLimits, signOffs, transactionSubjects, wordWeights } from "./kind-weight-tables.ts";
import { transactionPhrases } from "./kind-word-tables.ts";
import { type FoundWords, findWords } from "./kind-words.ts";

/** In lower case, without quoted messages and without the sentences that tell how to unsubscribe. */
export type KindText = {
  readonly subject: string;
  readonly body: string;
  /** As it is written, for names. */
  readonly written: string;
};

const maxSubject = 500;
const maxHead = 5_000;
const maxTail = 1_500;
/** Of the end more is read, so that a way out that is cut away changes nothing else. */
const tailReach = 2_500;
const openingLength = 600;

export function readKindText({ message, html }: { message: Message; html: Html | null }): KindText {
  const own = (html === null ? ownLinesOf(message) : html.ownText).trim();
  const head = plain(own.slice(0, maxHead));
  const tail = own.length > maxHead ? plain(own.slice(maxHead).slice(-tailReach)).slice(-maxTail) : "";
  const subject = plain((message.subject ?? "").slice(0, maxSubject)).trim();
  return { subject, body: `${head}\n${tail}`.trim(), written: own.slice(-tailReach) };
}

function plain(text: string): string {
  return withoutUnsubscribing(text.normalize("NFKC")).replace(/[\u2018\u2019]/g, "'");
}

type Zone = "subject" | "opening" | "body";

export function weighWords(text: KindText): KindReason[] {
  const whole = `${text.subject}\n${text.body}`;
  const found = findWords(whole);
  const zoneOf = ({ end }: FoundWords): Zone =>
    end <= text.subject.length ? "subject" : end <= text.subject.length + openingLength ? "opening" : "body";
  return [
    ...weighTransactions(found, whole, zoneOf),
    ...weighOffers(found, zoneOf),
    ...weighRows(found, zoneOf),
    ...weighSubject(text.subject),
    ...weighPhrases(whole),
  ];
}

type ZoneOf = (words: FoundWords) => Zone;

const phrasePoints: Readonly<Record<Zone, number>> = { subject: 6, opening: 5, body: 1.5 };
const numberPoints: Readonly<Record<Zone, number>> = { subject: 5, opening: 4, body: 1.5 };

function weighTransactions(found: readonly FoundWords[], whole: string, zoneOf: ZoneOf): KindReason[] {
  const reasons: KindReason[] = [];
  for (const what of Object.keys(transactionPhrases)) {
    const phrase = best(
      found.filter(({ row }) => row === `transaction ${what}`),
      zoneOf,
      phrasePoints,
    );
    if (phrase) reasons.push(transactional(`It speaks of ${what} ("${phrase.words}").`, phrase.points));
  }
  const codeName = found.find(({ row, end }) => row === "code" && end < maxSubject + openingLength);
  if (codeName && codeIn(whole.slice(0, codeName.end + openingLength)))
    reasons.push(transactional(`It brings a code ("${codeName.words}").`, 6));
  else if (!codeName && whole.length < maxCodeLetter && loneCode.test(whole))
    reasons.push(transactional("It brings a number on a line of its own, as codes are brought.", 4));
  const numbered = best(
    found.filter((words) => words.row === "thing" && isNumbered(words, whole)),
    zoneOf,
    numberPoints,
  );
  if (numbered) reasons.push(transactional(`It gives a number for "${numbered.words}".`, numbered.points));
  return reasons;
}

/** Messages with a code are short. */
const maxCodeLetter = 800;
const loneCode = /^[^\S\n]{0,9}\d{4,8}[^\S\n]{0,9}$/m;

function transactional(text: string, points: number): KindReason {
  return { text, points, kind: "transactional" };
}

type Weighed = { readonly words: string; readonly points: number };

function best(
  found: readonly FoundWords[],
  zoneOf: ZoneOf,
  points: Readonly<Record<Zone, number>>,
): Weighed | null {
  let most: Weighed | null = null;
  for (const one of found) {
    const worth = points[zoneOf(one)];
    if (worth > (most?.points ?? 0)) most = { words: one.words, points: worth };
  }
  return most;
}

const offerPoints: Readonly<Record<Zone, number>> = { subject: 2.5, opening: 1.5, body: 1 };
const mostForOffers = 6;

/** Two words of one idea are one. */
function weighOffers(found: readonly FoundWords[], zoneOf: ZoneOf): KindReason[] {
  const rows = Map.groupBy(
    found.filter(({ row }) => row.startsWith("offer ")),
    ({ row }) => row,
  );
  const ideas = [...rows.values()].flatMap((alike) => best(alike, zoneOf, offerPoints) ?? []);
  if (ideas.length === 0) return [];
  const points = Math.min(
    mostForOffers,
    ideas.reduce((sum, idea) => sum + idea.points, 0),
  );
  return [{ text: `It makes an offer (${quoted(ideas)}).`, points, kind: "bulk" }];
}

function quoted(ideas: readonly Weighed[]): string {
  return ideas
    .slice(0, 3)
    .map(({ words }) => `"${words}"`)
    .join(", ");
}

function weighRows(found: readonly FoundWords[], zoneOf: ZoneOf): KindReason[] {
  const left = new Map(Object.entries(groupLimits));
  const byRow = Map.groupBy(found, ({ row }) => row);
  return wordWeights.flatMap((row, index): KindReason[] => {
    const words = best(byRow.get(`weight ${index}`) ?? [], zoneOf, row);
    const room = left.get(row.group) ?? 0;
    if (words === null || room <= 0) return [];
    const points = Math.min(room, words.points);
    left.set(row.group, room - points);
    return [{ text: `${row.says} ("${words.words}").`, points, kind: row.kind }];
  });
}

function weighSubject(subject: string): KindReason[] {
  const word = subject.split(/[^\p{L}\p{M}]+/u).find((one) => transactionSubjects.has(one));
  return word === undefined
    ? []
    : [transactional(`Its subject names what such messages are about ("${word}").`, 2.5)];
}

const pointsPerPhrase = 1.5;
const mostForPhrases = 4.5;
/** As far as the check of wording reads. */
const maxPhrases = 4_000;

/** What people seldom write to one another: prizes, urgency, money, medicine. */
function weighPhrases(whole: string): KindReason[] {
  const found = findPhrases(whole.slice(0, maxPhrases)).filter(({ group }) => group !== "phishing");
  if (found.length === 0) return [];
  const examples = found.map(({ phrase }) => `"${phrase}"`).join(", ");
  const points = Math.min(mostForPhrases, found.length * pointsPerPhrase);
  return [{ text: `It uses phrases of advertising (${examples}).`, points, kind: "bulk" }];
}

const signOffWords: ReadonlySet<string> = new Set(signOffs);
/** Lines at the end where a person signs. */
const maxSignedLines = 12;

/** Signed by the name that From bears, or after words like "best regards". */
export function weighSignature({ written }: KindText, { from }: Message): KindReason[] {
  const lines = written
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(-maxSignedLines);
  const name = (from.list[0]?.name ?? "").normalize("NFKC").toLowerCase();
  const names = name.split(/[\s,."'()]+/).filter((part) => part.length > 2);
  const signed = lines.some((line) => {
    const words = line.toLowerCase().replace(/^[-–—*~>\s]+/, "");
    return words.length <= 40 && names.some((part) => words.startsWith(part));
  });
  const reasons: KindReason[] = [];
  if (signed && names.length > 0) reasons.push(personal("It is signed with the name of its sender.", 2));
  const leave = lines.find((line) => signOffWords.has(line.toLowerCase().replace(/[,.!;:\s]{1,9}$/, "")));
  if (leave !== undefined) reasons.push(personal(`It ends like a letter ("${leave.slice(0, 40)}").`, 1));
  return reasons;
}

function personal(text: string, points: number): KindReason {
  return { text, points, kind: "personal" };
}
