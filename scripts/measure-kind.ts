// Measures how often the kind of a message is detected correctly. Takes a folder with a subfolder of .eml files for
// each label: bulk, bulk-without-unsubscribe, transactional, personal, spam (correct unless detected as personal).
// npm run script -- scripts/measure-kind.ts FOLDER [--misses] [--reasons]

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unknown } from "../src/analyzer/checks/fact.ts";
import { inferKind } from "../src/analyzer/checks/infer-kind.ts";
import type { KindFact } from "../src/analyzer/checks/kind.ts";
import { readPage, toHtml } from "../src/analyzer/mail/html/page.ts";
import { toLinks } from "../src/analyzer/mail/links/links.ts";
import { parseMessage } from "../src/analyzer/mail/mime/parse.ts";

type Miss = { readonly file: string; readonly fact: KindFact };

const [folder, ...options] = process.argv.slice(2);
if (folder === undefined) throw new Error("Missing argument: the folder with the labeled messages.");

const confidences: { readonly says: number; readonly isRight: boolean }[] = [];
for (const label of readdirSync(folder, { withFileTypes: true })) {
  if (!label.isDirectory()) continue;
  const files = readdirSync(join(folder, label.name)).filter((name) => name.endsWith(".eml"));
  const misses: Miss[] = [];
  for (const file of files) {
    const fact = kindOf(readFileSync(join(folder, label.name, file)));
    const isRight = fits(label.name, fact.kind);
    if (!isRight) misses.push({ file, fact });
    if (label.name !== "spam") confidences.push({ says: fact.confidence ?? 0, isRight });
  }
  const right = files.length - misses.length;
  const taken = Map.groupBy(misses, ({ fact }) => fact.kind);
  const wrong = [...taken].map(([kind, { length }]) => `${length} as ${kind}`).join(", ");
  console.log(
    `${label.name.padEnd(26)} ${right} of ${files.length}  ${((100 * right) / files.length).toFixed(1)} %  ${wrong}`,
  );
  if (options.includes("--misses")) for (const miss of misses) printResult(miss);
}
for (const [least, most] of [
  [0, 0.5],
  [0.5, 0.7],
  [0.7, 0.9],
  [0.9, 0.99],
  [0.99, 1.01],
] as const) {
  const here = confidences.filter(({ says }) => says >= least && says < most);
  const right = here.filter(({ isRight }) => isRight).length;
  const mean = here.reduce((sum, { says }) => sum + says, 0) / here.length;
  if (here.length > 0)
    console.log(
      `confidence ${least} to ${Math.min(1, most)}: said ${mean.toFixed(2)}, right ${(right / here.length).toFixed(2)} (${here.length})`,
    );
}

function fits(label: string, kind: string): boolean {
  if (label === "spam") return kind !== "personal";
  return kind === label.split("-")[0];
}

function kindOf(bytes: Buffer): KindFact {
  const message = parseMessage(bytes);
  const page = message.html && readPage(message.html.text);
  return inferKind({
    message,
    html: page && toHtml(page, message.html ?? { text: "" }),
    links: toLinks(page, message.text?.text ?? ""),
    session: { mailFrom: null, rcptTo: [] },
    arc: unknown("off"),
    dkim: unknown("off"),
    ptr: unknown("off"),
    label: null,
    override: null,
  });
}

function printResult({ file, fact }: Miss): void {
  console.log(`  ${file}: ${fact.kind} ${fact.confidence} ${JSON.stringify(fact.scores)}`);
  if (options.includes("--reasons"))
    for (const { text, points, kind } of fact.reasons) console.log(`      ${points} ${kind}: ${text}`);
}
