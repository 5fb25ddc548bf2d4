// Measures predicted odds against the true labels.

export type Scored = { readonly score: number; readonly isSpam: boolean };

/** How often a spam message has higher odds than a ham message. Ties count half. */
export function toAuc(scored: readonly Scored[]): number {
  const sorted = [...scored].sort((left, right) => left.score - right.score);
  let ranks = 0;
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    while (end < sorted.length && sorted[end]?.score === sorted[at]?.score) end++;
    for (let one = at; one < end; one++) if (sorted[one]?.isSpam) ranks += (at + end + 1) / 2;
    at = end;
  }
  const spam = scored.filter(({ isSpam }) => isSpam).length;
  const ham = scored.length - spam;
  return (ranks - (spam * (spam + 1)) / 2) / (spam * ham);
}

/** The share of spam above the threshold that this share of ham exceeds. */
export function toRecall(scored: readonly Scored[], falsePositives: number): number {
  const ham = scored
    .filter(({ isSpam }) => !isSpam)
    .map(({ score }) => score)
    .sort((left, right) => right - left);
  const line = ham[Math.floor(ham.length * falsePositives)] ?? Number.POSITIVE_INFINITY;
  const spam = scored.filter(({ isSpam }) => isSpam);
  return spam.filter(({ score }) => score > line).length / spam.length;
}
