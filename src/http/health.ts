import { lookAtOwnDomain, readDoctor, readHealth, readMetrics, readReadiness } from "../api/doctor.ts";
import { toTimestamp } from "../api/primitives.ts";
import { Refusal } from "../errors.ts";
import { isFirstWorkspace } from "../store/people/workspaces.ts";
import type { Scope } from "../store/scope.ts";
import type { DoctorRow } from "../tasks/doctor/row.ts";
import type { ReadinessCheck } from "./dependencies.ts";
import { type Route, route } from "./route.ts";

const longestCheckMs = 2_000;
const askAgainSeconds = 5;

export const healthRoutes: readonly Route[] = [
  route(readHealth, () => ({ status: "ok" as const })),

  route(readReadiness, async (_call, { readiness }) => {
    const held = await Promise.all(readiness.map(holds));
    const troubles = readiness.filter((_check, index) => !held[index]).map((check) => check.trouble);
    if (troubles.length === 0) return { status: "ready" as const };
    throw new Refusal("overloaded", `Not ready: ${troubles.join("; ")}.`, {
      retryAfterSeconds: askAgainSeconds,
    });
  }),

  route(readMetrics, async (_call, { metrics: { registry } }) => {
    const text = await registry.metrics();
    return new Response(text, { headers: { "content-type": registry.contentType } });
  }),
];

/** A check that fails or does not answer counts as not ready. */
async function holds(check: ReadinessCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, longestCheckMs, false);
  });
  try {
    return await Promise.race([check.holds(), tooLate]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

export const doctorRoutes: readonly Route[] = [
  route(readDoctor, async ({ store, query: { fresh } }, { doctor }) => {
    await requireFirst(store.read);
    const { examinedAt, rows } = await doctor.examine(fresh === "1");
    return { examinedAt: toTimestamp(examinedAt), items: rows.map(toRow) };
  }),

  route(lookAtOwnDomain, async ({ store, workspaceId, query: { domain } }, { doctor }) => {
    await requireFirst(store.read);
    const { rows, ...look } = await doctor.lookAtDomain(workspaceId, domain);
    return { ...look, rows: rows.map(toRow) };
  }),
];

/** Files, ports and settings are the operator's, not a tenant's. */
export async function requireFirst(scope: Scope): Promise<void> {
  if (!(await isFirstWorkspace(scope)))
    throw new Refusal(
      "forbidden",
      "Only owners of the server's first workspace can do this, because it applies to the whole server.",
    );
}

export function toRow({ fix, ...row }: DoctorRow) {
  return { ...row, fix: fix ?? null };
}
