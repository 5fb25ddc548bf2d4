// Evidence for the kind from a message's words. The subject, the first words and the rest have different weights.

import type { Html } from "../mail/html/page.ts";
import { withoutUnsubscribing } from "../mail/links/unsubscribe-words.ts";
import type { Message } from "../mail/mime/message.ts";
import { ownLinesOf } from "./content/own-words.ts";
import { findPhrases } from "./content/phrases.ts";
import type { KindReason } from "./kind.ts";
import { cutPassedOn, type Letter, readLetter } from "./kind-letter.ts";
import { codeIn, isNumbered } from "./kind-signs.ts";
import { groupLimits, transactionSubjects, type WordGroup, wordWeights } from "./kind-weight-tables.ts";
import { transactionPhrases } from "./kind-word-tables.ts";
import { type FoundWords, findWords } from "./kind-words.ts";

/** In lowercase, without quoted messages and unsubscribe sentences. */
export type KindText = {
  readonly subject: string;
  readonly body: string;
  readonly letter: Letter;
  /** A forwarded message follows. Its text is not in `body`, and its subject is not in `subject`. */
  readonly passesOn: boolean;
};

const maxSubject = 500;
const maxHead = 8_000;
const maxTail = 2_000;
/** More is read than used, so that cutting out unsubscribe sentences changes nothing else. */
const tailReach = 3_000;
const openingLength = 600;

export function readKindText({ message, html }: { message: Message; html: Html | null }): KindText {
  const isAnswer = answering.test(message.subject ?? "");
  const whole = (html === null ? ownLinesOf(message) : html.ownText).trim();
  const { own, passesOn: isCut } = cutPassedOn(whole, isAnswer);
  // If the email client marked the forwarded part in HTML, it is already cut.
  const isMarked = html !== null && !isCut && html.ownText !== html.visibleText;
  const passesOn = isCut || (isMarked && cutPassedOn(html.visibleText, isAnswer).passesOn);
  const head = plain(own.slice(0, maxHead));
  const tail = own.length > maxHead ? plain(own.slice(maxHead).slice(-tailReach)).slice(-maxTail) : "";
  const subject = passesOn && isAnswer ? "" : plain((message.subject ?? "").slice(0, maxSubject)).trim();
  return { subject, body: `${head}\n${tail}`.trim(), letter: readLetter(own, message), passesOn };
}

/** The subject belongs to another message. */
export const answering =
  /^\s{0,9}(?:re|aw|sv|antw|rif|res|odp|vs|ynt|fwd?|wg|tr|i|rv|enc|doorst|pd|vb|vl|vá|fs)\s?(?:\[\d{1,3}\])?[:：]/i;

function plain(text: string): string {
  return withoutUnsubscribing(text.normalize("NFKC")).replace(/[\u2018\u2019]/g, "'");
}

type Zone = "subject" | "opening" | "body";

export function weighWords(text: KindText): KindReason[] {
  const whole = `${text.subject}\n${text.body}`;
  const found: Found = Map.groupBy(findWords(whole), ({ row }) => row);
  const zoneOf = ({ end }: FoundWords): Zone =>
    end <= text.subject.length ? "subject" : end <= text.subject.length + openingLength ? "opening" : "body";
  return [
    ...weighTransactions(found, whole, zoneOf),
    ...weighOffers(found, zoneOf),
    ...weighPitch(weighRows(found, zoneOf), text.letter),
    ...weighSubject(text.subject),
    ...weighPhrases(whole),
  ];
}

type Found = ReadonlyMap<FoundWords["row"], readonly FoundWords[]>;
type ZoneOf = (words: FoundWords) => Zone;

const phrasePoints: Readonly<Record<Zone, number>> = { subject: 6, opening: 5, body: 1.5 };
const numberPoints: Readonly<Record<Zone, number>> = { subject: 5, opening: 4, body: 1.5 };

function weighTransactions(found: Found, whole: string, zoneOf: ZoneOf): KindReason[] {
  const reasons: KindReason[] = [];
  for (const what of Object.keys(transactionPhrases)) {
    const phrase = best(found.get(`transaction ${what}`), zoneOf, phrasePoints);
    if (phrase) reasons.push(transactional(`It is about ${what} ("${phrase.words}").`, phrase.points));
  }
  const codeName = found.get("code")?.find(({ end }) => end < maxSubject + openingLength);
  if (codeName && codeIn(whole.slice(0, codeName.end + openingLength)))
    reasons.push(transactional(`It contains a code ("${codeName.words}").`, 6));
  else if (!codeName && whole.length < maxCodeLetter && loneCode.test(whole))
    reasons.push(transactional("It has a number on a separate line, which is typical of login codes.", 4));
  const numbered = best(
    found.get("thing")?.filter((words) => isNumbered(words, whole)),
    zoneOf,
    numberPoints,
  );
  if (numbered) reasons.push(transactional(`It contains a number after "${numbered.words}".`, numbered.points));
  return reasons;
}

/** Messages with a code are short. */
const maxCodeLetter = 800;
const loneCode = /^[^\S\n]{0,9}\d{4,8}[^\S\n]{0,9}$/m;

function transactional(text: string, points: number): KindReason {
  return { text, points, kind: "transactional" };
}

type WordWeight = { readonly words: string; readonly points: number };

function best(
  found: readonly FoundWords[] | undefined,
  zoneOf: ZoneOf,
  points: Readonly<Record<Zone, number>>,
): WordWeight | null {
  let most: WordWeight | null = null;
  for (const one of found ?? []) {
    const worth = points[zoneOf(one)];
    if (worth > (most?.points ?? 0)) most = { words: one.words, points: worth };
  }
  return most;
}

const offerPoints: Readonly<Record<Zone, number>> = { subject: 2.5, opening: 1.5, body: 1 };
const mostForOffers = 6;

/** Two words for the same idea count once. */
function weighOffers(found: Found, zoneOf: ZoneOf): KindReason[] {
  const ideas = [...found].flatMap(([row, alike]) =>
    row.startsWith("offer ") ? (best(alike, zoneOf, offerPoints) ?? []) : [],
  );
  if (ideas.length === 0) return [];
  const points = Math.min(
    mostForOffers,
    ideas.reduce((sum, idea) => sum + idea.points, 0),
  );
  return [{ text: `It makes an offer (${quoted(ideas)}).`, points, kind: "bulk" }];
}

function quoted(ideas: readonly WordWeight[]): string {
  return ideas
    .slice(0, 3)
    .map(({ words }) => `"${words}"`)
    .join(", ");
}

type RowReason = KindReason & { readonly group: WordGroup };

/** Colleagues also ask for 15 minutes. Only together with a sales pitch does it point to mass mail. */
function weighPitch(rows: readonly RowReason[], { greets }: Letter): KindReason[] {
  const has = (group: WordGroup) => rows.some((row) => row.group === group);
  const isPitch = has("pitch");
  const reasons: KindReason[] = rows
    .filter(({ group }) => isPitch || group !== "ask")
    .map(({ text, points, kind }) => ({ text, points, kind }));
  if (isPitch && has("ask")) {
    const sells = "Sales pitches are usually sent to many people.";
    reasons.push({ text: sells, points: -3, kind: "personal" });
  }
  if ((greets === "crowd" || greets === "loosely") && has("appeal"))
    reasons.push({ text: "It asks for action but does not greet the recipient by name.", points: 2, kind: "bulk" });
  return reasons;
}

const weightRows = wordWeights.map((row, index) => ({ ...row, name: `weight ${index}` as const }));

function weighRows(found: Found, zoneOf: ZoneOf): RowReason[] {
  const left = new Map(Object.entries(groupLimits));
  return weightRows.flatMap((row): RowReason[] => {
    const words = best(found.get(row.name), zoneOf, row);
    const room = left.get(row.group) ?? 0;
    if (words === null || room <= 0) return [];
    const points = Math.min(room, words.points);
    left.set(row.group, room - points);
    return [{ text: `${row.says} ("${words.words}").`, points, kind: row.kind, group: row.group }];
  });
}

function weighSubject(subject: string): KindReason[] {
  const word = subject.split(/[^\p{L}\p{M}]+/u).find((one) => transactionSubjects.has(one));
  return word === undefined
    ? []
    : [transactional(`Its subject has a word that is typical of transactional mail ("${word}").`, 2.5)];
}

const pointsPerPhrase = 1.5;
const mostForPhrases = 4.5;

/** Topics that are rare in personal mail: prizes, urgency, money, medicine. */
function weighPhrases(whole: string): KindReason[] {
  const found = findPhrases(whole).filter(({ group }) => group !== "phishing");
  if (found.length === 0) return [];
  const examples = found.map(({ phrase }) => `"${phrase}"`).join(", ");
  const points = Math.min(mostForPhrases, found.length * pointsPerPhrase);
  return [{ text: `It has advertising phrases (${examples}).`, points, kind: "bulk" }];
}
