import { defineCheck, passed, skipped } from "../check.ts";
import { ownWordsOf } from "./own-words.ts";
import { findPhrases } from "./phrases.ts";

/** Text beyond this is ignored. */
const maxRead = 4_000;
const minGroups = 3;
const minLetters = 200;

export const wording = defineCheck({
  id: "wording",
  helpPage: "fix-wording",
  label: "Wording",
  owner: "content",
  asks: "whether the text has spam-like phrases or too many capitals",
  why: "Wording is weak evidence, because no provider publishes its word lists. This check counts groups of phrases, not words.",
  refs: ["public filter rules"],
  needs: ["message"],
  wants: ["html"],
  kinds: ["bulk", "transactional"],
  passes: "{what}.",
  findings: {
    phrases: {
      severity: "minor",
      cost: 3,
      title: "Spam-like phrases",
      says: "The text has spam-like phrases ({groups}): {examples}.",
      fix: "Use plainer wording.",
    },
    shouting: {
      severity: "minor",
      cost: 3,
      title: "Too many capitals",
      says: "{share}% of the letters are capitals.",
      fix: "Use normal capitalization.",
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
    if (found.length < minGroups && share <= 0.5)
      return passed({
        what:
          found.length === 0
            ? "No known spam-like phrases found"
            : `The text has only a few known spam-like phrases: ${examples.join(", ")}`,
      });
    return [
      ...(found.length >= minGroups ? [{ finding: "phrases" as const, data: { groups, examples } }] : []),
      ...(share > 0.5 ? [{ finding: "shouting" as const, data: { share: Math.round(share * 100) } }] : []),
    ];
  },
});

const isCapital = /\p{Lu}/u;
const isSmall = /\p{Ll}/u;

function shareOfCapitals(text: string): number {
  let capitals = 0;
  let small = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x61 && code <= 0x7a) small++;
    else if (code >= 0x41 && code <= 0x5a) capitals++;
    else if (code < 0x80) continue;
    else if (isSmall.test(text.charAt(at))) small++;
    else if (isCapital.test(text.charAt(at))) capitals++;
  }
  return capitals + small > minLetters ? capitals / (capitals + small) : 0;
}
