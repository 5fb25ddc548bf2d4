// Which issues currently hold the score down, and which replies reject a message.

type Limited = { readonly value: number; readonly findings: readonly string[] } | null;
type Planned = { readonly finding: string; readonly cap?: { readonly value: number } | null };

/**
 * The issues that hold the score, in the order to fix them. Plans of earlier versions lack this, so the order of the
 * limit is used.
 */
export function findHolding(limit: Limited, plan: readonly Planned[]): readonly string[] {
  if (limit === null) return [];
  const ids = plan.filter(({ cap }) => cap?.value === limit.value).map(({ finding }) => finding);
  return ids.length > 0 ? ids : limit.findings;
}

export function isRejection(reply: string): boolean {
  return /\b5\d\d\b/.test(reply) || reply === "rejection";
}
