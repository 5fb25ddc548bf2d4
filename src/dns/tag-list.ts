// Tag lists: `v=DKIM1; k=rsa; p=…` (RFC 6376 §3.2), which DKIM, DMARC, BIMI, MTA-STS and TLS-RPT share.

import { toVisibleCut } from "../visible-text.ts";

export type Tag = { readonly name: string; readonly value: string };

export type TagList =
  | { readonly ok: true; readonly tags: readonly Tag[]; readonly get: (name: string) => string | undefined }
  | { readonly ok: false; readonly problem: string; readonly tags: readonly Tag[] };

/** Folding white space around names and values goes; inside a value it stays. */
const tagSpec = /^[ \t\r\n]*([A-Za-z][A-Za-z0-9_]*)[ \t\r\n]*=(.*)$/s;

/** Names are case-sensitive (§3.2). What could be read of a bad list stands in `tags`, for the finding. */
export function parseTagList(text: string): TagList {
  const tags: Tag[] = [];
  const values = new Map<string, string>();
  let problem: string | undefined;
  if (isBlank(text)) return { ok: false, problem: "it is empty", tags };
  const specs = text.split(";");
  if (specs.length > 1 && isBlank(specs.at(-1) ?? "")) specs.pop();
  for (const spec of specs) {
    const [, name, rawValue] = tagSpec.exec(spec) ?? [];
    if (name === undefined || rawValue === undefined) {
      problem ??= describeBadSpec(spec);
      continue;
    }
    const value = trimFolding(rawValue);
    tags.push({ name, value });
    if (values.has(name)) problem ??= `the tag ${name}= stands more than once`;
    else values.set(name, value);
  }
  if (problem !== undefined) return { ok: false, problem, tags };
  return { ok: true, tags, get: (name) => values.get(name) };
}

function describeBadSpec(spec: string): string {
  return isBlank(spec) ? "an empty tag stands between two semicolons" : "a tag is not name=value";
}

function isBlank(text: string): boolean {
  return trimFolding(text) === "";
}

/** By hand, because a pattern that ends in `\s+$` reads a long run of spaces once for each of them. */
export function trimFolding(text: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && isFolding(text.charCodeAt(begin))) begin++;
  while (end > begin && isFolding(text.charCodeAt(end - 1))) end--;
  return text.slice(begin, end);
}

function isFolding(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 10;
}

/** A stranger's bytes (one character each), to be read by a person: in quotation marks, safe to show, cut. */
export function quoteBytes(text: string): string {
  return `"${toVisibleCut(Buffer.from(text.slice(0, 1_000), "latin1").toString("utf8"), 80)}"`;
}
