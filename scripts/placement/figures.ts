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

/** Slope and intercept of the log-odds that fit the labels best: 1 and 0 if the odds are exact. */
export function toPlatt(scored: readonly Scored[]): { readonly slope: number; readonly intercept: number } {
  let [slope, intercept] = [1, 0];
  for (let round = 0; round < 100; round++) {
    let [gs, gi, hss, hsi, hii] = [0, 0, 1e-9, 0, 1e-9];
    for (const { score, isSpam } of scored) {
      const share = 1 / (1 + Math.exp(-(slope * score + intercept)));
      const off = share - Number(isSpam);
      const bend = share * (1 - share);
      gs += off * score;
      gi += off;
      hss += bend * score * score;
      hsi += bend * score;
      hii += bend;
    }
    const area = hss * hii - hsi * hsi;
    const [byS, byI] = [(hii * gs - hsi * gi) / area, (hss * gi - hsi * gs) / area];
    slope -= Math.max(-1, Math.min(1, byS));
    intercept -= Math.max(-1, Math.min(1, byI));
    if (Math.abs(byS) + Math.abs(byI) < 1e-9) break;
  }
  return { slope, intercept };
}

export type Bin = { readonly said: number; readonly seen: number; readonly count: number };

/** Ten bins of the odds, without empty ones: predicted share, actual share, and count. */
export function toBins(scored: readonly { readonly odds: number; readonly isSpam: boolean }[]): readonly Bin[] {
  return Array.from({ length: 10 }, (_, at) =>
    scored.filter(({ odds }) => Math.min(9, Math.floor(odds * 10)) === at),
  ).flatMap((bin) => {
    const count = bin.length;
    if (count === 0) return [];
    const said = bin.reduce((sum, { odds }) => sum + odds, 0) / count;
    return [{ said, seen: bin.filter(({ isSpam }) => isSpam).length / count, count }];
  });
}

export function toReliability(bins: readonly Bin[]): string[] {
  const percent = (share: number) => `${Math.round(share * 100)} %`.padStart(5);
  return bins.map(({ said, seen, count }) => {
    const bar = Array.from({ length: 41 }, (_, cell) =>
      cell === Math.round(seen * 40) ? "●" : cell === Math.round(said * 40) ? "|" : "·",
    ).join("");
    return `n=${String(count).padStart(5)}  said ${percent(said)}  true ${percent(seen)}  ${bar}`;
  });
}
