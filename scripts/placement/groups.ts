// Groups messages by author, so that no sender is in two folds. A spam campaign changes its sender with every message,
// so spam with the same subject or sentences counts as one sender's.

import type { CorpusMessage } from "./read-corpus.ts";

export function toGroups(
  messages: readonly Pick<CorpusMessage, "sender" | "isSpam">[],
  textOf: (at: number) => { readonly subject: string; readonly body: string },
): number[] {
  const parents = messages.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root] ?? root;
    parents[at] = root;
    return root;
  };
  const seen = new Map<string, number>();
  messages.forEach(({ sender, isSpam }, at) => {
    const { subject, body } = textOf(at);
    for (const key of [`from ${sender}`, ...(isSpam ? campaignsOf(subject, body) : [])]) {
      const other = seen.get(key);
      if (other === undefined) seen.set(key, at);
      else parents[rootOf(at)] = rootOf(other);
    }
  });
  return messages.map((_, at) => rootOf(at));
}

const shingle = 6;
const kept = 4;
const leastSubject = 8;

function campaignsOf(subject: string, body: string): string[] {
  const plain = subject
    .toLowerCase()
    .replace(/^\W*(?:(?:re|fw|fwd)\W+)+/, "")
    .replace(/[^a-z]+/g, " ")
    .trim();
  const words =
    body
      .toLowerCase()
      .match(/[a-z]{2,}/g)
      ?.slice(0, 600) ?? [];
  const hashes = new Set<number>();
  for (let at = 0; at + shingle <= words.length; at++) hashes.add(hashOf(words.slice(at, at + shingle).join(" ")));
  return [
    ...(plain.length >= leastSubject ? [`subject ${plain}`] : []),
    ...[...hashes]
      .sort((left, right) => left - right)
      .slice(0, kept)
      .map((hash) => `says ${hash}`),
  ];
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
