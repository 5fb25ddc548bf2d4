// What a file's name says, and what it hides. Everything here is about the name alone.

import {
  archiveEndings,
  compressedEndings,
  gmailRefuses,
  outlookBlocks,
  pageEndings,
  trustedEndings,
} from "./refused-types-table.ts";

/** Lower case; empty without. Windows drops dots and blanks at the end of a name. */
export function endingOf(name: string): string {
  return /\.([^./\\\s]{1,20})[.\s]*$/.exec(visibleName(name))?.[1]?.toLowerCase() ?? "";
}

/** Without characters that are not shown, which part an ending from its dot. */
function visibleName(name: string): string {
  return name.slice(-300).replace(/[\p{Cf}\p{Cc}]/gu, "");
}

/** Endings that count: of `setup.exe.gz` both. */
export function endingsOf(name: string): string[] {
  const ending = endingOf(name);
  if (!compressedEndings.has(ending)) return ending === "" ? [] : [ending];
  const inner = endingOf(visibleName(name).replace(/\.[^.]*$/, ""));
  return inner === "" ? [ending] : [ending, inner];
}

export function refusedEnding(name: string, refused: ReadonlySet<string>): string | null {
  return endingsOf(name).find((ending) => refused.has(ending)) ?? null;
}

export function isArchiveName(name: string): boolean {
  return archiveEndings.has(endingOf(name));
}

/** `invoice.pdf.exe`: the ending that counts, behind one that readers trust. */
export function hiddenEnding(name: string): string | null {
  const visible = visibleName(name);
  const [, inner, last] = /\.([a-z0-9]{2,5})[\s_]{0,200}\.([a-z0-9]{1,10})[.\s]*$/i.exec(visible) ?? [];
  if (inner === undefined || last === undefined || !trustedEndings.has(inner.toLowerCase())) return null;
  const ending = last.toLowerCase();
  const isRisky = gmailRefuses.has(ending) || outlookBlocks.has(ending) || pageEndings.has(ending);
  return isRisky && ending !== inner.toLowerCase() ? ending : null;
}

/** Characters that turn the reading direction: they make `gpj.exe` of `exe.jpg`. */
export function hasDirectionOverride(name: string): boolean {
  return /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/.test(name);
}

/** RFC 2231 allows none in a name; long runs of blanks push the ending out of sight. */
export function hasHiddenCharacters(name: string): boolean {
  return /\p{Cc}|[\u200b-\u200d\u2060\ufeff\u00ad]|\s{20}/u.test(name);
}
