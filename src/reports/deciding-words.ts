// Which issues decide: they hold the score down, or a large mailbox provider rejects the message for them, whoever sends it.
// And which of them hold it down now.

type Limited = { readonly value: number; readonly findings: readonly string[] } | null;
type Planned = { readonly finding: string; readonly cap?: { readonly value: number } | null };

/** What holds the score, in the order to fix it. A plan of an earlier version does not tell: then as the limit lists it. */
export function findHolding(limit: Limited, plan: readonly Planned[]): readonly string[] {
  if (limit === null) return [];
  const ids = plan.filter(({ cap }) => cap?.value === limit.value).map(({ finding }) => finding);
  return ids.length > 0 ? ids : limit.findings;
}

type DecidingInput = {
  readonly id: string;
  readonly severity: string;
  /** The finding that it follows from. */
  readonly owner: string | null;
  readonly gates: readonly { readonly sender: string; readonly may?: boolean; readonly reply: string }[];
};

/**
 * `holding`: what the limit of the score names. `isBulk`: rules for bulk senders bind for certain. Answers the ids of issues
 * that are their own cause.
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
