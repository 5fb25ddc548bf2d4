// Why a fix comes first though it may give nothing alone: in a line beside the finding, for the app and shared pages.

type Capping = {
  readonly unlocks: number | null;
  readonly cap: { readonly value: number; readonly count: number } | null;
};

/** `limit`: what holds the score now; another one holds it once the issues before this one are fixed. Null where the step holds none. */
export function toCapWords({ unlocks, cap }: Capping, limit: number | null): string | null {
  if (cap === null || unlocks === null || limit === null) return null;
  const { value, count } = cap;
  const all = count === 1 ? "fixing it" : count === 2 ? "fixing both" : "fixing all of them";
  if (unlocks <= value) return `Caps the score at ${value}, where another issue caps it too.`;
  if (value !== limit)
    return count === 1
      ? `The next cap, at ${value}: ${all} then raises the score to ${unlocks}.`
      : `One of ${count} issues behind the next cap, at ${value}: ${all} then raises it to ${unlocks}.`;
  return count === 1
    ? `Caps the score at ${value}: ${all} raises it to ${unlocks}.`
    : `One of ${count} issues that cap the score at ${value}: ${all} raises it to ${unlocks}.`;
}
