// Phrases that public filters count as signs of spam, by topic, in lowercase. They are weak evidence: the check counts
// groups instead of words, and one group alone proves nothing.

import rows from "./phrases.json" with { type: "json" };

export type PhraseGroup = keyof typeof rows;

export const phraseGroups = Object.entries(rows).map(
  ([group, lines]) => [group as PhraseGroup, lines.flatMap((line) => line.split(", "))] as const,
);
