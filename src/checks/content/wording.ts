import { defineCheck, skipped } from "../check.ts";
import { ownWordsOf } from "./own-words.ts";
import { findPhrases } from "./phrases.ts";

/** Words beyond it change no verdict. */
const maxRead = 20_000;
const minGroups = 3;
const minLetters = 200;

export const wording = defineCheck({
  id: "wording",
  area: "content",
  asks: "whether the text sounds like spam",
  why: "It is weak evidence: no provider publishes its words. Groups of phrases are counted, not words.",
  refs: ["public filter rules"],
  needs: ["message"],
  wants: ["html"],
  kinds: ["bulk", "transactional"],
  domain: "no",
  passes: "The text has no phrases that filters count, or too few to matter.",
  findings: {
    phrases: {
      severity: "minor",
      cost: 3,
      says: "The text plays upon {groups}: {examples}.",
      fix: "Say it plainly.",
    },
    shouting: {
      severity: "minor",
      cost: 3,
      says: "{share} % of the letters are capitals.",
      fix: "Write in normal case.",
    },
  },
  run({ message, html }) {
    const words = ownWordsOf(message, html);
    if (!words.known) return skipped(words.why);
    const text = words.value.slice(0, maxRead);
    const found = findPhrases(`${message.subject?.slice(0, 1_000) ?? ""}\n${text}`);
    const share = shareOfCapitals(text);
    const groups = found.map(({ group }) => group);
    const examples = found.map(({ phrase }) => `"${phrase}"`);
    return [
      ...(found.length >= minGroups ? [{ finding: "phrases" as const, data: { groups, examples } }] : []),
      ...(share > 0.5 ? [{ finding: "shouting" as const, data: { share: Math.round(share * 100) } }] : []),
    ];
  },
});

function shareOfCapitals(text: string): number {
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  // Most texts are settled by the rarer letters.
  if (capitals * 2 <= minLetters) return 0;
  const letters = capitals + (text.match(/\p{Ll}/gu)?.length ?? 0);
  return letters > minLetters ? capitals / letters : 0;
}
