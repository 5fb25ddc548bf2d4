import { setTimeout as pause } from "node:timers/promises";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { type TroubleCode, troubleTable } from "../../../platform/contract/server-state-words.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { type Route, route } from "../../../platform/route.ts";
import type { ReadinessCheck } from "../../../platform/server.ts";
import { changeableSettings, settings } from "../../../platform/settings/config.ts";
import { isFirstWorkspace } from "../../people/rows/workspaces.ts";
import {
  lookAtOwnDomain,
  readDoctor,
  readHealth,
  readMetrics,
  readReadiness,
  readServerState,
} from "../contract/doctor.ts";
import type { DoctorRow } from "../doctor/row.ts";
import type { Episode } from "../readiness/deferrals.ts";

const longestCheckMs = 2_000;
const askAgainSeconds = 5;

export const healthRoutes: readonly Route[] = [
  route(readHealth, () => ({ status: "ok" as const })),

  route(readReadiness, async ({ query }, { readiness, service, lateWork }) => {
    const isForMail = query.for !== "web";
    const checks = readiness.filter((check) => isForMail || check.isForMail !== true);
    const [held, episodes] = await Promise.all([Promise.all(checks.map(holds)), service.look()]);
    const failed = checks.filter((_check, index) => !held[index]);
    const others = toServerTroubles(episodes).filter((code) => failed.every((check) => check.code !== code));
    const isOut = (code: TroubleCode) => isForMail && troubleTable[code].isOut;
    const late = lateWork.list().map(({ code, says: message }) => ({ code, message }));
    const toReason = (code: TroubleCode) => ({ code, message: troubleTable[code].short });
    const out = [
      ...failed.map(({ code, trouble }) => ({ code, message: trouble })),
      ...others.filter(isOut).map(toReason),
      ...late.filter(({ code }) => isForMail && code === "analyses_stuck"),
    ];
    if (out.length > 0)
      throw new Refusal("overloaded", `Not ready: ${out.map(({ message }) => message).join("; ")}.`, {
        retryAfterSeconds: askAgainSeconds,
        reasons: out,
      });
    const reasons = [...others.map(toReason), ...late];
    const postponed = service.postponed();
    return {
      status: "ready" as const,
      ...(reasons.length > 0 && { reasons }),
      ...(postponed.length > 0 && { postponed }),
    };
  }),

  route(readMetrics, async (_call, { metrics }) => {
    const registry = metrics.open();
    return new Response(await registry.metrics(), { headers: { "content-type": registry.contentType } });
  }),
];

/** A check that fails or does not answer counts as not ready. */
async function holds(check: ReadinessCheck): Promise<boolean> {
  try {
    return await Promise.race([check.holds(), pause(longestCheckMs, false, { ref: false })]);
  } catch {
    return false;
  }
}

/** Without what is about one workspace, which others must not learn. */
function toServerTroubles(episodes: readonly Episode[]): TroubleCode[] {
  return episodes.filter(({ workspaceId }) => workspaceId === null).map(({ code }) => code);
}

export const doctorRoutes: readonly Route[] = [
  route(readServerState, async ({ workspaceId }, { service, lateWork }) => {
    const episodes = await service.look();
    const own = episodes.filter((one) => one.workspaceId === null || one.workspaceId === workspaceId);
    const items = own.map(({ code, since, deferred }) => {
      const { says: message, fix } = troubleTable[code];
      return { code, message, fix, since: toTimestamp(since), deferred };
    });
    const late = lateWork.summarize(workspaceId).length === 0 ? [] : lateWork.list();
    const lateItems = late.map(({ says: message, since, ...rest }) => ({
      ...rest,
      message,
      since: toTimestamp(since),
      deferred: 0,
    }));
    return { items: [...items, ...lateItems], postponed: service.postponed() };
  }),

  route(readDoctor, async ({ store, query: { fresh } }, { doctor }) => {
    await requireFirst(store.read);
    const { examinedAt, rows } = await doctor.examine(fresh === "1");
    return { examinedAt: toTimestamp(examinedAt), items: rows.map(toRow) };
  }),

  route(lookAtOwnDomain, async ({ store, workspaceId, query: { domain } }, { doctor, serverSettings }) => {
    await requireFirst(store.read);
    const { rows, ...look } = await doctor.lookAtDomain(workspaceId, domain);
    const isFree = (name: string) =>
      changeableSettings.some((key) => settings[key].name === name && serverSettings.sourceOf(key) !== "given");
    const wanted = look.settings.map((setting) => ({ ...setting, inApp: isFree(setting.name) }));
    return { ...look, settings: wanted, rows: rows.map(toRow) };
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
