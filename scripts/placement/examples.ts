// Converts public mail and healthy messages to training examples: their words and the rows of the weights that apply.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ownWordsOf } from "../../src/analyzer/checks/content/own-words.ts";
import { unknown } from "../../src/analyzer/checks/fact.ts";
import { findingsIn } from "../../src/analyzer/checks/run.ts";
import { findHeld, type SpamEvidence } from "../../src/analyzer/placement/spam.ts";
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
  /** A group is never split between folds. */
  readonly group: number;
  readonly weight: number;
  readonly words: Words;
  readonly held: SpamEvidence;
  readonly judged: JudgedFile;
  /** Words in the author's names. */
  readonly names: readonly string[];
};

export type Sources = {
  /** A folder with folders named `spam…`, `easy-ham…` and `hard-ham…`. */
  readonly corpus: string;
  /** Healthy mail of today: `.eml` and `.html`, one folder for each maker. */
  readonly templates: string | null;
};

const soon = 60_000;

export async function readExamples({ corpus, templates }: Sources): Promise<Example[]> {
  const messages = [...readCorpus(corpus), ...readHealthy(), ...(templates ? readTemplates(templates) : [])];
  const read: (Omit<Example, "group" | "weight"> & { readonly subject: string; readonly body: string })[] = [];
  for (const { raw, ...message } of messages) {
    const judged = await judgeFile(raw, message.at + soon);
    const { message: letter, facts, outcomes } = judged;
    const subject = letter.subject ?? "";
    const own = ownWordsOf(letter, "html" in facts ? facts.html : unknown("off"));
    const body = own.known ? own.value : (letter.text?.text ?? "");
    const names = (letter.fromText ?? "").toLowerCase().match(/[a-z]{2,}/g) ?? [];
    const words = readWords(subject, body);
    read.push({ ...message, subject, body, words, names, judged, held: findHeld(findingsIn(outcomes), facts) });
  }
  const groups = toGroups(read, (at) => read[at] ?? { subject: "", body: "" });
  const sizes = new Map<number, number>();
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  return read.map(({ subject: _, body: __, ...one }, at) => {
    const group = groups[at] ?? at;
    return { ...one, group, weight: kindWeight(one) / Math.sqrt(sizes.get(group) ?? 1) };
  });
}

/** Healthy mail that is hard to classify is rare and matters most. */
function kindWeight({ set, isHard }: Pick<CorpusMessage, "set" | "isHard">): number {
  return set === "healthy" || set === "templates" ? 12 : isHard ? 3 : 1;
}

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
    file: name,
    set: "healthy",
    isSpam: false,
    isHard: false,
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
      file: `templates/${name}`,
      set: "templates",
      isSpam: false,
      isHard: false,
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
