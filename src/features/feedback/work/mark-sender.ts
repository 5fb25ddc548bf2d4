// A member says whether a sender is theirs. That ends the problem of a new sender, too.

import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import {
  listProblemsOfDomain,
  makeDomainFeedbackDue,
  removeProblemsEndedBy,
  updateOpenProblem,
} from "../rows/problems.ts";
import { listMarks, type SourceMark, writeMark } from "../rows/source-marks.ts";

const mostMarks = 500;
const resolutions = { approved: "acknowledged", ignored: "not-yours" } as const;

/** `note`: undefined if it stays. */
type Marking = Pick<SourceMark, "key" | "mark"> & { readonly note?: string | undefined };

export async function markSender(scope: Scope, domainId: string, { key, mark, note }: Marking, now: number) {
  const marks = await listMarks(scope, domainId);
  const before = marks.get(key);
  if (marks.size >= mostMarks && before === undefined)
    throw new Refusal("conflict", `A domain can have ${mostMarks} marked senders.`, { field: "key" });
  const kept = { key, mark, note: note ?? before?.note ?? "" };
  await writeMark(scope, { domain_id: domainId, ...kept, updated_at: now });
  if (before?.mark !== mark) await endProblems(scope, domainId, { key, mark }, now);
  return kept;
}

async function endProblems(
  scope: Scope,
  domainId: string,
  { key, mark }: Pick<SourceMark, "key" | "mark">,
  now: number,
): Promise<void> {
  const about = { domain_id: domainId, kind: "new-source", subject: key } as const;
  for (const resolution of Object.values(resolutions)) await removeProblemsEndedBy(scope, about, resolution);
  const open = (await listProblemsOfDomain(scope, domainId)).find(
    (one) => one.resolved_at === null && one.kind === about.kind && one.subject === key,
  );
  if (open !== undefined && mark !== null)
    await updateOpenProblem(scope, open.id, {
      updated_at: now,
      acknowledged_at: now,
      resolved_at: now,
      resolution: resolutions[mark],
    });
  await makeDomainFeedbackDue(scope, domainId, now);
}
