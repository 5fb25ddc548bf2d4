import { defineCheck, type Raised } from "../check.ts";
import { shown } from "../content/shown.ts";
import { toSkeleton } from "../lookalike.ts";
import { mixedScriptsIn } from "../scripts.ts";

export const invisibleCharacters = defineCheck({
  id: "invisible-characters",
  helpPage: "fix-sender-identity",
  label: "Invisible characters",
  owner: "content",
  asks: "whether From and Subject contain invisible characters, or words with letters of another alphabet",
  why: "Spammers use them to get past filters. Joiners in emoji and in scripts that need them do not count.",
  refs: ["UTS #39", "UAX #9 §2", "RFC 5322"],
  needs: ["message"],
  passes: "From and Subject contain no invisible characters, and no word mixes alphabets.",
  findings: {
    bidi: {
      severity: "major",
      title: "Text direction override",
      says: "{header} contains {code}, which reverses the text direction.",
      fix: "Remove this character.",
    },
    "zero-width": {
      severity: "minor",
      cost: 8,
      title: "Invisible characters",
      says: "{header} contains invisible characters ({count} in total).",
      fix: "Remove them.",
    },
    "mixed-letters": {
      severity: "major",
      title: "Letters of another alphabet",
      says: '{header} contains "{word}", which mixes {scripts} letters that look alike.',
      fix: "Write the word in one alphabet.",
    },
  },
  run({ message: { fromText, subject } }) {
    return [...judge("From", fromText ?? ""), ...judge("Subject", subject ?? "")];
  },
});

/** No email client shows more. */
const maxRead = 10_000;

function judge(header: string, written: string): Raised<"bidi" | "zero-width" | "mixed-letters">[] {
  const text = written.slice(0, maxRead);
  if (!/[^\0-~]/.test(text)) return [];
  const turning = findTurning(text);
  const count = countZeroWidth(text);
  const mixed = findMixed(text);
  return [
    ...(turning === null ? [] : [{ finding: "bidi", subject: header, data: { header, code: turning } } as const]),
    ...(count === 0 ? [] : [{ finding: "zero-width", subject: header, data: { header, count } } as const]),
    ...(mixed === null ? [] : [{ finding: "mixed-letters", subject: header, data: { header, ...mixed } } as const]),
  ];
}

/**
 * A Latin word in which letters of other alphabets stand for the Latin ones that they look like. Not a foreign ending
 * ("PDFа", "Linuxа") and not Greek in the language of science ("RORγt").
 */
function findMixed(text: string): { readonly word: string; readonly scripts: readonly string[] } | null {
  for (const [word] of text.matchAll(/[\p{L}\p{M}]{3,40}/gu)) {
    const scripts = mixedScriptsIn(word);
    const others = word.replace(/[\p{Script=Latin}\p{M}]/gu, "");
    const isDisguised = word.length - others.length > 1 && /^[a-z]+$/.test(toSkeleton(others));
    if (scripts?.includes("Latin") && isDisguised && !withEnding.test(word) && !scientific.test(word))
      return { word: shown(word), scripts };
  }
  return null;
}

const withEnding = /^\p{Script=Latin}{2,}[^\p{Script=Latin}\p{Lu}]{1,3}$/u;
const scientific = /^[\p{Script=Latin}\p{M}αβγδεκλμνπρστφχψω]+$/u;

const overrides = /[\u202d\u202e]/;
const toTheLeft = /[\u202b\u2067]/;
const readsToTheLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Finds a character that reverses letters: always an override, and a right-to-left embedding or isolate if the text has no
 * right-to-left script. Left-to-right and first-strong isolates are normal around names.
 */
function findTurning(text: string): string | null {
  const found = overrides.exec(text) ?? (readsToTheLeft.test(text) ? null : toTheLeft.exec(text));
  return found && `U+${found[0].charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Only between letters: scripts without spaces use these characters to mark the ends of words. */
const zeroWidth = /(?<=[\p{L}\p{N}\p{M}])[\u034f\u200b\u2060-\u2064\ufeff\u00ad]{1,100}(?=[\p{L}\p{N}])/gu;
const withoutSpaces = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

function countZeroWidth(text: string): number {
  return withoutSpaces.test(text) ? 0 : [...text.matchAll(zeroWidth)].reduce((sum, [run]) => sum + run.length, 0);
}
