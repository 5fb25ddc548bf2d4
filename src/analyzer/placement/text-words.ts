// Text → its words, word pairs and a few habits, each as a 24-bit number. Training and prediction share this file. Only
// words of the letters a to z are numbered, because the model only knows English.

export type Words = {
  /** Their number measures how much evidence there is. */
  readonly tokens: ReadonlySet<number>;
  readonly isEnglish: boolean;
};

/** Hears each token's number and place, when the model is fitted. */
type Listener = (key: number, text: string, start: number, end: number) => void;

/** Later text changes little and costs time. */
export const maxText = 4_000;
const maxSubject = 300;
const longestWord = 20;
const shortestWord = 3;
/** Maximum distance between the two words of a pair. */
const widestGap = 2;

const seeds = { body: 0x811c9dc5, subject: 0x2f0b4c47 } as const;

export function readWords(subject: string, body: string, listener: Listener | null = null): Words {
  const reader = new Reader(listener);
  reader.read(subject.slice(0, maxSubject), seeds.subject);
  reader.read(body.slice(0, maxText), seeds.body);
  return reader.toWords();
}

const leastWords = 10;
const mostShouted = 0.2;
const manyMarks = 3;
const leastEnglish = 3;
const leastEnglishShare = 0.08;

class Reader {
  private readonly tokens = new Set<number>();
  private readonly listener: Listener | null;
  private all = 0;
  private english = 0;
  private shouted = 0;
  private exclaimed = 0;
  private text = "";
  private seed = 0;
  /** The previous word, for pairs. */
  private before = { hash: 0, start: 0, end: 0 };

  constructor(listener: Listener | null) {
    this.listener = listener;
  }

  read(text: string, seed: number): void {
    this.text = text;
    this.seed = seed;
    this.before = { hash: 0, start: 0, end: -widestGap - 1 };
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at);
      if (isLetter(code)) at = this.readWord(at);
      else if (code === 0x3c) at = skipMarkup(text, at) + 1;
      else at = this.readMark(at, code);
    }
  }

  toWords(): Words {
    const { tokens, all, english, shouted, exclaimed } = this;
    if (all >= leastWords && shouted / all > mostShouted) tokens.add(habits.shouting);
    if (exclaimed >= manyMarks) tokens.add(habits.exclaiming);
    return { tokens, isEnglish: english >= leastEnglish && english / all >= leastEnglishShare };
  }

  /** Returns where reading continues. */
  private readWord(start: number): number {
    const { text } = this;
    let hash = this.seed;
    let capitals = 0;
    let isForeign = start > 0 && isInAddress(text.charCodeAt(start - 1));
    let end = start;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (isLetter(code)) {
        hash = Math.imul(hash ^ (code | 0x20), 0x01000193);
        if (code < 0x61) capitals++;
      } else if (isInWord(code)) isForeign = true;
      else break;
    }
    if (leadsOn(text, end)) return skipAddress(text, end) + 1;
    this.all++;
    if (!isForeign) this.noteWord(hash, start, end, capitals);
    return end;
  }

  private noteWord(hash: number, start: number, end: number, capitals: number): void {
    const { before } = this;
    const key = fold(hash);
    const length = end - start;
    if (length > longestWord) return;
    if (length >= shortestWord && capitals === length) this.shouted++;
    if (functionKeys.has(key)) this.english++;
    if (length >= shortestWord) this.note(key, start, end);
    if (start - before.end <= widestGap && length > 1) this.note(toPair(before.hash, hash), before.start, end);
    before.hash = hash;
    before.start = start;
    before.end = end;
  }

  private readMark(at: number, code: number): number {
    const { text } = this;
    if (code === 0x21) this.exclaimed++;
    else if (code === 0x24 && isDigit(text.charCodeAt(at + 1))) this.tokens.add(habits.money);
    else if (code === 0x25 && isDigit(text.charCodeAt(at - 1))) this.tokens.add(habits.percent);
    return at + 1;
  }

  private note(key: number, start: number, end: number): void {
    this.tokens.add(key);
    this.listener?.(key, this.text, start, end);
  }
}

/** Skips markup in plain text. */
function skipMarkup(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  if (!isLetter(next) && next !== 0x2f && next !== 0x21) return at;
  const most = Math.min(text.length, at + longestMarkup);
  for (let end = at + 1; end < most; end++) if (text.charCodeAt(end) === 0x3e) return end;
  return at;
}

const longestMarkup = 300;

/** Text after such a character is part of an address. */
function isInAddress(code: number): boolean {
  return code === 0x40 || code === 0x2f || code === 0x3d || code === 0x26 || code === 0x5f || isDigit(code);
}

/** `https://…`, `name@…` and `www.…` are skipped, because they identify the sender instead of the content. */
function leadsOn(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 0x40) return true;
  if (code === 0x3a) return text.charCodeAt(at + 1) === 0x2f;
  return code === 0x2e && isLetter(text.charCodeAt(at + 1));
}

function skipAddress(text: string, at: number): number {
  let end = at;
  while (end < text.length && text.charCodeAt(end) > 0x20 && text.charCodeAt(end) !== 0x3c) end++;
  return end - 1;
}

function isLetter(code: number): boolean {
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** A digit or a letter that English doesn't have, so the model can't know the word. */
function isInWord(code: number): boolean {
  return (
    isDigit(code) || code === 0x5f || (code >= 0xc0 && code !== 0xd7 && code !== 0xf7 && code < 0x2000) || code > 0x2e7f
  );
}

function fold(hash: number): number {
  return (hash ^ (hash >>> 24)) & 0xffffff;
}

function toPair(first: number, second: number): number {
  return fold(Math.imul(first, 0x9e3779b1) ^ second);
}

/** The number of a word or habit, as the reader computes it. */
function toKey(word: string, where: keyof typeof seeds): number {
  let hash: number = seeds[where];
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return fold(hash);
}

const habits = {
  shouting: toKey("<shouting>", "body"),
  exclaiming: toKey("<exclaiming>", "body"),
  money: toKey("<money>", "body"),
  percent: toKey("<percent>", "body"),
} as const;

/** Words that are in nearly every English text and rare in other languages. */
const functionWords =
  "the and of you your for that this with are have not from will our they it is to be by we has can all please";
const functionKeys: ReadonlySet<number> = new Set(
  functionWords.split(" ").flatMap((word) => [toKey(word, "body"), toKey(word, "subject")]),
);
