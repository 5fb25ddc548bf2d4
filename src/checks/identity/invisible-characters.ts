import { defineCheck, type Raised } from "../check.ts";

export const invisibleCharacters = defineCheck({
  id: "invisible-characters",
  area: "identity",
  label: "Invisible characters",
  owner: "content",
  asks: "whether names and subject hide characters",
  why: "They are used to slip past filters. Joiners inside emoji and in scripts that need them are not counted.",
  refs: ["UTS #39", "UAX #9 §2", "RFC 5322"],
  needs: ["message"],
  kinds: "all",
  domain: "no",
  passes: "From and Subject hold no hidden characters.",
  findings: {
    bidi: {
      severity: "major",
      cost: 18,
      title: "Text direction override",
      says: "{header} contains {code}, which turns text around.",
      fix: "Remove it.",
    },
    "zero-width": {
      severity: "minor",
      cost: 8,
      title: "Invisible characters",
      says: "{header} contains {count} invisible characters.",
      fix: "Remove them.",
    },
  },
  run({ message: { fromText, subject } }) {
    return [...judge("From", fromText ?? ""), ...judge("Subject", subject ?? "")];
  },
});

/** No mail program shows more of it. */
const maxRead = 10_000;

function judge(header: string, written: string): Raised<"bidi" | "zero-width">[] {
  const text = written.slice(0, maxRead);
  if (!/[^\0-~]/.test(text)) return [];
  const turning = findTurning(text);
  const count = countZeroWidth(text);
  return [
    ...(turning === null
      ? []
      : [{ finding: "bidi", subject: header, data: { header, code: turning } } as const]),
    ...(count === 0 ? [] : [{ finding: "zero-width", subject: header, data: { header, count } } as const]),
  ];
}

const overrides = /[\u202d\u202e]/;
const toTheLeft = /[\u202b\u2067]/;
const readsToTheLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * What turns letters around: an override always; an embedding or isolate to the left where nothing is written to the
 * left. Those to the right, and first-strong isolates about a name, are what careful programs write.
 */
function findTurning(text: string): string | null {
  const found = overrides.exec(text) ?? (readsToTheLeft.test(text) ? null : toTheLeft.exec(text));
  return found && `U+${found[0].charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Between letters; the scripts that are written without spaces mark the ends of words so. */
const zeroWidth = /(?<=[\p{L}\p{N}\p{M}])[\u200b\u2060-\u2064\ufeff\u00ad]{1,100}(?=[\p{L}\p{N}])/gu;
const withoutSpaces = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

function countZeroWidth(text: string): number {
  return withoutSpaces.test(text)
    ? 0
    : [...text.matchAll(zeroWidth)].reduce((sum, [run]) => sum + run.length, 0);
}
