// Random mutations of ordinary bytes: flipped, cut, doubled, spliced, and mixed with input that parsers often fail on.

import type { Dice } from "../dice.ts";

const morsels = [
  "\r\n\r\n",
  "\n",
  "\r",
  "\0",
  "\xff",
  "\xc3",
  "\u001b$B",
  "--",
  "\r\n--",
  "\r\n--b--\r\n",
  "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n",
  "Content-Type: message/rfc822\r\n\r\n",
  "Content-Type: text/html; charset=utf-16\r\n",
  "Content-Transfer-Encoding: base64\r\n",
  "Content-Transfer-Encoding: quoted-printable\r\n",
  "Content-Disposition: attachment; filename*0*=utf-8''%e2; filename*1=x\r\n",
  "=?utf-8?Q?=C3?=",
  "=?utf-16be?B?2AA=?=",
  "=?iso-2022-jp?B?GyRC?=",
  "=",
  "=\r\n",
  '"',
  "\\",
  "(",
  "<",
  ">",
  ";",
  ",",
  ":",
  "@",
  "%",
  "<style>",
  "<!--",
  "url(",
  "{",
  "&#x",
  "%{i}",
  "include:",
  "\xc0\x0c",
  "PK\u0003\u0004",
  "PK\u0005\u0006",
  "Rar!\x1a\x07\x01\0",
  "\x1f\x8b\x08\x08",
  "%PDF-/Encrypt",
  "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
].map((text) => Buffer.from(text, "latin1"));

type Mutate = (bytes: Buffer, dice: Dice, others: readonly Buffer[]) => Buffer;

const mutations: readonly Mutate[] = [
  (bytes, dice) => {
    const changed = Buffer.from(bytes);
    for (let count = dice(20); count >= 0; count--) changed[dice(changed.length)] = dice(256);
    return changed;
  },
  (bytes, dice) => bytes.subarray(0, dice(bytes.length + 1)),
  (bytes, dice) => {
    const [from, until] = rangeIn(bytes, dice);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(until)]);
  },
  (bytes, dice) => {
    const [from, until] = rangeIn(bytes, dice);
    const piece = bytes.subarray(from, Math.min(until, from + 2_000));
    return insert(bytes, from, Buffer.concat(Array(1 + dice(20)).fill(piece)));
  },
  (bytes, dice) => insert(bytes, dice(bytes.length + 1), pick(morsels, dice)),
  (bytes, dice) => insert(bytes, dice(bytes.length + 1), Buffer.concat(Array(dice(300)).fill(pick(morsels, dice)))),
  (bytes, dice, others) => {
    const other = pick(others, dice);
    return Buffer.concat([bytes.subarray(0, dice(bytes.length + 1)), other.subarray(dice(other.length + 1))]);
  },
];

const maxBytes = 262_144;

export function mutate(seeds: readonly Buffer[], dice: Dice): Buffer {
  let bytes = pick(seeds, dice);
  for (let count = dice(6); count >= 0; count--) {
    const change = mutations[dice(mutations.length)];
    if (change && bytes.length > 0) bytes = change(bytes, dice, seeds).subarray(0, maxBytes);
  }
  return bytes;
}

function pick(choices: readonly Buffer[], dice: Dice): Buffer {
  return choices[dice(choices.length)] ?? Buffer.alloc(0);
}

function rangeIn(bytes: Buffer, dice: Dice): [number, number] {
  const from = dice(bytes.length);
  return [from, from + dice(bytes.length - from + 1)];
}

function insert(bytes: Buffer, at: number, piece: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}
