// Reads a folder of public mail into labeled messages, without the changes of its collector. Folders whose names begin
// with "spam" contain spam; those with "easy-ham", "hard-ham" or "ham" contain none.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";

export type CorpusMessage = {
  readonly file: string;
  /** The folder's name: `easy-ham-1`. */
  readonly set: string;
  readonly isSpam: boolean;
  readonly isHard: boolean;
  readonly raw: Buffer;
  /** In milliseconds, from the newest Received field, or else from Date. */
  readonly at: number;
  /** The message's sender. A fold has all of a sender's messages or none. */
  readonly sender: string;
};

const folders = /^(?:spam|easy-ham|hard-ham|ham)(?:$|[-_])/;

/** Sorted by name, so that every run reads the same. */
export function readCorpus(root: string): CorpusMessage[] {
  return findFolders(root).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => !name.endsWith(".json"))
      .sort()
      .map((name) => toMessage(folder, name)),
  );
}

function findFolders(root: string): string[] {
  if (folders.test(basename(root))) return [root];
  return readdirSync(root)
    .sort()
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isDirectory() && basename(path) !== "node_modules")
    .flatMap(findFolders);
}

function toMessage(folder: string, name: string): CorpusMessage {
  const set = basename(folder);
  const raw = withoutCollector(readFileSync(join(folder, name)).toString("latin1"));
  return {
    file: `${set}/${name}`,
    set,
    isSpam: set.startsWith("spam"),
    isHard: set.startsWith("hard-ham"),
    raw: Buffer.from(raw, "latin1"),
    at: timeOf(raw),
    sender: senderOf(raw),
  };
}

/** Lines that the collecting mailbox and its filter added. */
const ofCollector =
  /^(?:delivered-to|x-spam[\w-]*|x-pyzor|x-original-date|return-path|status|x-status|x-keywords|x-uidl?|content-length|lines|old-return-path|x-loop|x-egroups-[\w-]+|envelope-to|delivery-date)$/i;
const collectorHosts =
  /taint\.org|jmason|netnoteinc|webnote\.net|slashnull|tuatha\.org|localhost|mandark\.labs|example\.com/i;

export function withoutCollector(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const kept: string[] = [];
  let at = 0;
  while (/^>?From /.test(lines[at] ?? "")) at++;
  for (; at < lines.length && lines[at] !== ""; ) {
    let end = at + 1;
    while (/^[ \t]/.test(lines[end] ?? "")) end++;
    const field = lines.slice(at, end);
    const name = /^([^\s:]+):/.exec(field[0] ?? "")?.[1] ?? "";
    const isOwnHop = /^received$/i.test(name) && collectorHosts.test(field.join(" "));
    if (!ofCollector.test(name) && !isOwnHop) kept.push(...field);
    at = end;
  }
  return [...kept, ...lines.slice(at)].join("\r\n");
}

function headOf(text: string): string {
  const end = text.indexOf("\r\n\r\n");
  return end < 0 ? text : text.slice(0, end);
}

function timeOf(text: string): number {
  const head = headOf(text);
  const received = [...head.matchAll(/^received:(?:[^\r\n]|\r\n[ \t])*;([^;]*?)(?=\r\n\S|$)/gim)];
  const dates = [...received.map(([, date]) => date), /^date:(.*)$/im.exec(head)?.[1]];
  const times = dates.map((date) =>
    Date.parse(
      (date ?? "")
        .replace(/\([^)]*\)/g, "")
        .replace(/\s+/g, " ")
        .trim(),
    ),
  );
  const plausible = times.filter((time) => time > Date.UTC(2000, 0) && time < Date.UTC(2027, 0));
  return plausible[0] ?? Date.UTC(2002, 8, 1);
}

function senderOf(text: string): string {
  const from = /^from:((?:[^\r\n]|\r\n[ \t])*)/im.exec(headOf(text))?.[1] ?? "";
  const address = /[\w.+=-]+@[\w.-]+/.exec(from)?.[0].toLowerCase() ?? from.trim().toLowerCase();
  return address;
}
