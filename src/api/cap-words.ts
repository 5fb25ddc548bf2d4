// Why a fix comes first though it may give nothing alone: in a line beside the finding, for the app and shared pages.

type Capping = {
  readonly unlocks: number | null;
  readonly cap: { readonly value: number; readonly count: number } | null;
};

/** `limit`: what holds the score now; what would hold it next is told when it does. Null where the step does not hold it. */
export function toCapWords({ unlocks, cap }: Capping, limit: number | null): string | null {
  if (cap === null || unlocks === null || cap.value !== limit) return null;
  return cap.count === 1
    ? `Caps the score at ${cap.value}: fixing it unlocks up to ${unlocks}.`
    : `One of ${cap.count} issues that cap the score at ${cap.value}: fixing all of them unlocks up to ${unlocks}.`;
}
