// Converts public mail and healthy messages to training examples: their words and the rows of the weights that apply.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { findingsIn } from "../../src/analyzer/checks/run.ts";
import { findHeld, openingOf, type SpamEvidence } from "../../src/analyzer/placement/spam.ts";
import { readWords, type Words } from "../../src/analyzer/placement/text-words.ts";
import { toBytes as toPreparedBytes } from "../../src/analyzer/samples/letter.ts";
import { preparedMessages } from "../../src/analyzer/samples/messages-table.ts";
import { bases } from "../../test/fixtures/messages/fixture.ts";
import { toBytes } from "../../test/fixtures/messages/letter.ts";
import { toGroups } from "./groups.ts";
import { type JudgedFile, judgeFile } from "./judge-file.ts";
import { ordinaryMail } from "./ordinary-mail-table.ts";
import { type CorpusMessage, readCorpus } from "./read-corpus.ts";

export type Example = Omit<CorpusMessage, "raw"> & {
  readonly corpus: string;
  /** Messages of one sender or campaign. */
  readonly group: number;
  readonly weight: number;
  readonly words: Words;
  /** The words of each number, and how they are written inside a sentence. */
  readonly spelled: ReadonlyMap<number, Spelled>;
  readonly held: SpamEvidence;
  readonly judged: JudgedFile;
  /** Words in the author's names. */
  readonly names: readonly string[];
};

export type Spelled = { readonly words: readonly string[]; readonly isCapital: boolean; readonly isInside: boolean };

const soon = 60_000;

/** A folder of a corpus. */
export function readMail(root: string): Promise<Example[]> {
  return toExamples(basename(root), readCorpus(root));
}

/** Healthy mail of today: what the program and its tests send, and a folder of templates (`.eml` and `.html`). */
export function readHealthyMail(templates: string | null): Promise<Example[]> {
  return toExamples(healthy, [...readHealthy(), ...(templates ? readTemplates(templates) : [])]);
}

async function toExamples(corpus: string, messages: readonly CorpusMessage[]): Promise<Example[]> {
  const read: (Omit<Example, "group" | "weight"> & { readonly subject: string; readonly body: string })[] = [];
  for (const { raw, ...message } of messages) {
    const judged = await judgeFile(raw, message.at + soon);
    const { message: letter, facts, outcomes } = judged;
    const subject = letter.subject ?? "";
    const body = openingOf(facts);
    const spelled = new Map<number, Spelled>();
    const words = readWords(subject, body, (key, text, start, end) => {
      if (!spelled.has(key)) spelled.set(key, spell(text, start, end));
    });
    const names = (letter.fromText ?? "").toLowerCase().match(/[a-z]{2,}/g) ?? [];
    const held = findHeld(findingsIn(outcomes), facts);
    read.push({ ...message, corpus, subject, body, words, spelled, names, judged, held });
  }
  const groups = toGroups(read, (at) => read[at] ?? { subject: "", body: "" });
  const sizes = new Map<number, number>();
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  return read.map(({ subject: _, body: __, ...one }, at) => {
    const group = groups[at] ?? at;
    return { ...one, group, weight: (corpus === healthy ? healthyWeight : 1) / Math.sqrt(sizes.get(group) ?? 1) };
  });
}

function spell(text: string, start: number, end: number): Spelled {
  const written = text.slice(start, end);
  const isInside = /[a-z,;] ?$/.test(text.slice(Math.max(0, start - 2), start));
  return { words: written.toLowerCase().match(/[a-z]+/g) ?? [], isCapital: /^[A-Z]/.test(written), isInside };
}

export const healthy = "healthy";
/** Old corpora have hardly any honest offers. */
const healthyWeight = 12;

const today = Date.UTC(2026, 10, 20, 10);

function readHealthy(): CorpusMessage[] {
  const prepared = preparedMessages.map(({ id, letter }) => ({
    name: `gallery/${id}`,
    raw: toPreparedBytes(letter, { to: "reader@receiver.example", sentAt: today, mark: id }, "meadow.example"),
  }));
  const fixtures = Object.entries(bases).map(([id, letter]) => ({ name: `fixture/${id}`, raw: toBytes(letter) }));
  const ordinary = ordinaryMail.map(([subject, text], at) => ({
    name: `ordinary-${at}/text`,
    raw: toLetter(subject, text, `<p>${text}</p>`),
  }));
  return [...prepared, ...fixtures, ...ordinary].map(({ name, raw }) => ({
    isSpam: false,
    raw: Buffer.from(raw),
    at: today,
    sender: name.split("/")[0] ?? "",
  }));
}

function readTemplates(root: string): CorpusMessage[] {
  if (!existsSync(root)) return [];
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(?:eml|html?)$/.test(name),
  );
  return files.sort().map((name) => {
    const content = readFileSync(join(root, name));
    return {
      isSpam: false,
      at: today,
      raw: name.endsWith(".eml") ? content : wrap(content.toString("utf8")),
      sender: `template ${basename(name).split("-")[0] ?? ""}`,
    };
  });
}

function wrap(html: string): Buffer {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(html)?.[1]?.trim() ?? "News";
  const text = html
    .replace(/<(style|script|head)[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
  return toLetter(title, text, html);
}

/** Well-formed, with both parts. */
function toLetter(subject: string, text: string, html: string): Buffer {
  const part = (type: string, body: string) => [
    "--=_t",
    `Content-Type: text/${type}; charset=utf-8`,
    "Content-Transfer-Encoding: base64",
    "",
    ...(Buffer.from(body)
      .toString("base64")
      .match(/.{1,76}/g) ?? []),
  ];
  return Buffer.from(
    [
      "From: Good Shop <news@goodshop.example>",
      "To: Reader <reader@receiver.example>",
      `Subject: ${subject.replace(/[\r\n]+/g, " ")}`,
      `Date: ${new Date(today).toUTCString().replace("GMT", "+0000")}`,
      "Message-ID: <template@goodshop.example>",
      "MIME-Version: 1.0",
      'Content-Type: multipart/alternative; boundary="=_t"',
      "",
      ...part("plain", text),
      ...part("html", html),
      "--=_t--",
      "",
    ].join("\r\n"),
  );
}
