// Reads a corpus of public mail into labeled messages, without what its collectors added: that gives the label away, and
// no message that arrives here has it. A corpus is a folder with folders named `spam…`, `ham…`, `easy-ham…` or
// `hard-ham…`.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type CorpusMessage = {
  readonly isSpam: boolean;
  readonly raw: Buffer;
  /** In milliseconds, from the newest Received field, or else from Date. */
  readonly at: number;
  /** The message's sender. A fold has all of a sender's messages or none. */
  readonly sender: string;
};

/** Sorted by name, so that every run reads the same. */
export function readCorpus(root: string): CorpusMessage[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".json"))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .flatMap((path) => {
      const label = /[/\\](spam|easy-ham|hard-ham|ham)(?:[-_][^/\\]*)?[/\\]/.exec(path.slice(root.length))?.[1];
      return label === undefined ? [] : [toMessage(readFileSync(path).toString("latin1"), label === "spam")];
    });
}

function toMessage(text: string, isSpam: boolean): CorpusMessage {
  const raw = withoutCollector(text);
  return { isSpam, raw: Buffer.from(raw, "latin1"), at: timeOf(raw), sender: senderOf(raw) };
}

/** Fields that the collecting mailbox and its filters added. */
const ofCollector =
  /^(?:delivered-to|x-spam[\w-]*|x-pyzor|x-bogosity[\w-]*|x-scan[\w-]*|x-eyou[\w-]*|x-original-date|return-path|status|x-status|x-keywords|x-uidl?|content-length|lines|old-return-path|x-loop|x-egroups-[\w-]+|envelope-to|delivery-date|x-archive-position|x-ecartis-version|x-original-sender|x-list|x-ms-exchange-[\w-]+|x-forefront-[\w-]+|x-microsoft-antispam[\w-]*|authentication-results|received-spf|arc-[\w-]+|x-incoming[\w-]+|x-sid-[\w-]+|x-sender-(?:ip|id)|x-eop[\w-]+)$/i;
/** Hops between a collector's own servers. The hop by which a message reached them is the sender's. */
const collectorClient =
  /taint\.org|jmason|netnoteinc|webnote\.net|slashnull|localhost|phobos|mandark\.labs|example\.com|ECARTIS|\[127\./i;

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
    const client = field.join(" ").split(/\sby\s/, 1)[0] ?? "";
    const isOwnHop = /^received$/i.test(name) && collectorClient.test(client);
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
  return /[\w.+=-]+@[\w.-]+/.exec(from)?.[0].toLowerCase() ?? from.trim().toLowerCase();
}
