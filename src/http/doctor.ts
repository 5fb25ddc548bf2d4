import { lookAtOwnDomain, readDoctor } from "../api/doctor.ts";
import { toTimestamp } from "../api/primitives.ts";
import { Refusal } from "../errors.ts";
import type { Scope } from "../store/scope.ts";
import { isFirstWorkspace } from "../store/workspaces.ts";
import type { DoctorRow } from "../tasks/doctor/row.ts";
import { type Route, route } from "./route.ts";

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

/** Files, ports and settings are the operator's matter and no tenant's. */
async function requireFirst(scope: Scope): Promise<void> {
  if (!(await isFirstWorkspace(scope)))
    throw new Refusal(
      "forbidden",
      "This tells of the whole server: only owners of its first workspace may ask.",
    );
}

function toRow({ fix, ...row }: DoctorRow) {
  return { ...row, fix: fix ?? null };
}
