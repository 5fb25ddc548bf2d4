// Caches the words of rows that a search has read, packed into a few megabytes. Finding a row in its table costs
// several times as much as looking at its words, and a search for common words looks at thousands. The owner clears the
// whole cache when words were replaced.

export type KeptWords = {
  /**
   * Whether the row's words contain all of these. Undefined if they aren't cached. `text` contains the row's number in
   * decimal.
   */
  readonly hold: (text: string, from: number, to: number, words: readonly Uint8Array[]) => boolean | undefined;
  /** False if there is no room. */
  readonly keep: (row: string, words: string) => boolean;
  readonly forgetAll: () => void;
};

/** Enough for 200,000 common subjects and senders. */
const bounds = { bytes: 16 * 1024 * 1024, rows: 262_144 };
/** So that a few strangers' subjects can't take all the room. */
const longestKept = 1_000;
const mostBytesOfUnit = 3;

/**
 * A slot has the row's number in two parts, and the beginning and end of its words. It is free if they begin nowhere.
 */
const slotLength = 4;

export function createKeptWords({ bytes, rows } = bounds): KeptWords {
  // Twice as many slots as rows, and a power of two.
  const slotCount = 2 ** Math.ceil(Math.log2(rows * 2));
  const slots = new Int32Array(slotCount * slotLength);
  const texts = new Uint8Array(bytes);
  const encoder = new TextEncoder();
  let kept = 0;
  let end = 1;

  /** The row's slot, or the free one where it would go, with the number in it. */
  function slotOf(text: string, from: number, to: number): number {
    // Two parts of 32 bits, different for any two numbers of 63 bits: the last nine digits take 30 bits of one, and the
    // bits of the other digits beyond 32 go above those.
    const parted = Math.max(from, to - 9);
    const first = digits(text, from, parted);
    const high = first | 0;
    const low = digits(text, parted, to) | (Math.floor(first / 2 ** 32) << 30);
    let slot = (Math.imul(high, 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b)) >>> 0;
    for (; ; slot++) {
      const at = (slot & (slotCount - 1)) * slotLength;
      if (slots[at] === high && slots[at + 1] === low) return at;
      if (slots[at + 2] !== 0) continue;
      slots[at] = high;
      slots[at + 1] = low;
      return at;
    }
  }

  return {
    hold: (text, from, to, words) => {
      const at = slotOf(text, from, to);
      const begin = slots[at + 2] as number;
      if (begin === 0) return undefined;
      for (const word of words) if (!isWithin(texts, begin, slots[at + 3] as number, word)) return false;
      return true;
    },
    keep: (row, words) => {
      if (words.length > longestKept) return true;
      if (kept === rows || end + words.length * mostBytesOfUnit > bytes) return false;
      const at = slotOf(row, 0, row.length);
      if (slots[at + 2] !== 0) return true;
      slots[at + 2] = end;
      end += encoder.encodeInto(words, texts.subarray(end)).written;
      slots[at + 3] = end;
      kept++;
      return true;
    },
    forgetAll: () => {
      slots.fill(0);
      kept = 0;
      end = 1;
    },
  };
}

function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let index = from; index < to; index++) number = number * 10 + text.charCodeAt(index) - 48;
  return number;
}

function isWithin(texts: Uint8Array, from: number, to: number, word: Uint8Array): boolean {
  const last = to - word.length;
  for (let start = from; start <= last; start++) {
    let index = 0;
    while (index < word.length && texts[start + index] === word[index]) index++;
    if (index === word.length) return true;
  }
  return false;
}
