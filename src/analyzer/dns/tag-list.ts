// Tag lists: `v=DKIM1; k=rsa; p=…` (RFC 6376 §3.2), which DKIM, DMARC, BIMI, MTA-STS and TLS-RPT share.

import { toVisibleCut } from "../visible-text.ts";

export type Tag = { readonly name: string; readonly value: string };

export type TagList =
  | { readonly ok: true; readonly tags: readonly Tag[]; readonly get: (name: string) => string | undefined }
  | { readonly ok: false; readonly problem: string; readonly tags: readonly Tag[] };

/** Folding whitespace around names and values is removed. Inside a value it stays. */
const tagSpec = /^[ \t\r\n]*([A-Za-z][A-Za-z0-9_]*)[ \t\r\n]*=(.*)$/s;

/** Names are case-sensitive (§3.2). For an invalid list, `tags` has what could be read. */
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
    if (values.has(name)) problem ??= `the tag ${name}= appears more than once`;
    else values.set(name, value);
  }
  if (problem !== undefined) return { ok: false, problem, tags };
  return { ok: true, tags, get: (name) => values.get(name) };
}

function describeBadSpec(spec: string): string {
  return isBlank(spec) ? "there is an empty tag between two semicolons" : "a tag is not in the form name=value";
}

function isBlank(text: string): boolean {
  return trimFolding(text) === "";
}

/** Without a regex, because one that ends in `\s+$` takes quadratic time on a long run of spaces. */
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

/** Quotes a stranger's bytes (one character each) for display: safe to show, and cut. */
export function quoteBytes(text: string): string {
  return `"${toVisibleCut(Buffer.from(text.slice(0, 1_000), "latin1").toString("utf8"), 80)}"`;
}
