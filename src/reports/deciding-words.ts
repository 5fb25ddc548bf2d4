// Which issues decide: those that hold the score down, or for which a large mailbox provider rejects mail from any
// sender. And which of them currently hold the score down.

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

type DecidingInput = {
  readonly id: string;
  readonly severity: string;
  /** The finding that causes it. */
  readonly owner: string | null;
  readonly gates: readonly { readonly sender: string; readonly may?: boolean; readonly reply: string }[];
};

/**
 * `holding`: the findings that limit the score. `isBulk`: rules for bulk senders certainly apply. Returns the IDs of
 * issues without another cause.
 */
export function findDeciding(
  findings: readonly DecidingInput[],
  holding: readonly string[],
  isBulk: boolean,
): ReadonlySet<string> {
  const isDeciding = ({ id, gates }: DecidingInput) =>
    holding.includes(id) ||
    gates.some(
      ({ sender, may = false, reply }) => (sender === "any" || isBulk) && !may && isRejection(reply),
    );
  const roots = findings.filter(isDeciding).map(({ id, owner }) => owner ?? id);
  const issues = findings.filter(
    ({ severity, owner }) => owner === null && severity !== "info" && severity !== "good",
  );
  return new Set(issues.map(({ id }) => id).filter((id) => roots.includes(id)));
}

export function isRejection(reply: string): boolean {
  return /\b5\d\d\b/.test(reply) || reply === "rejection";
}
