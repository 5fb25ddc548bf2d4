// Alert webhooks of a workspace (src/decisions.md, "Alerts").

import type { Plans } from "../../accounts/plans.ts";
import type { AlertEventType, AlertKind } from "../../alerts/alert-event.ts";
import { createSigningSecret, renderPing, signingSecretBytes } from "../../alerts/render.ts";
import { judgeAnswer } from "../../alerts/retries.ts";
import { Refusal } from "../../errors.ts";
import { createId } from "../../ids.ts";
import type { PrivateTargets } from "../../setting-kinds.ts";
import { countAlerts, insertAlert, readAlert, removeAlert, updateAlert } from "../../store/alerts/alerts.ts";
import { removeSomeDeliveries } from "../../store/alerts/deliveries.ts";
import { lockWorkspace } from "../../store/people/workspaces.ts";
import type { AlertsTable } from "../../store/schema/watch.ts";
import type { Scope, WorkspaceStore } from "../../store/scope.ts";
import { createLimiters } from "../../system/limiter.ts";
import type { Sealer } from "../../system/secret-key.ts";
import type { System } from "../../system/system.ts";
import { validateTargetUrl } from "../../system/target-guard.ts";
import { requireRoom } from "../billing/ceilings.ts";
import { deletionStep } from "../removal/remove-tests.ts";
import { openTarget, openUrl, postToReceiver, receiverTimeoutMs, sealSecret, sealUrl } from "./targets.ts";

type AlertTerms = {
  readonly system: Pick<System, "now" | "random" | "dns" | "fetchStranger">;
  readonly plans: Plans;
  readonly sealer: Sealer;
  readonly allowPrivateTargets: PrivateTargets;
  readonly baseUrl: () => string;
};

type WantedAlert = {
  readonly label: string;
  readonly url: string;
  readonly kind: AlertKind;
  readonly events: readonly AlertEventType[];
  readonly thresholdScore?: number | null | undefined;
};

type AlertChanges = { readonly [Field in keyof WantedAlert]?: WantedAlert[Field] | undefined } & {
  readonly enabled?: boolean | undefined;
};

/** `secret`: set if it is new, and shown only this once. */
type AlertWithSecret = { readonly row: AlertsTable; readonly secret: string | null };

type Writing = Pick<WorkspaceStore, "workspaceId" | "read" | "write">;

/** Further writes for the same transaction. */
type Along = (scope: Scope, alertId: string) => Promise<void>;

export type Alerts = {
  readonly create: (store: Writing, wanted: WantedAlert, along?: Along) => Promise<AlertWithSecret>;
  readonly change: (
    store: Writing,
    id: string,
    changes: AlertChanges,
    along?: Along,
  ) => Promise<AlertWithSecret>;
  readonly rotateSecret: (store: Writing, id: string) => Promise<AlertWithSecret>;
  readonly remove: (store: Writing, id: string) => Promise<void>;
  readonly ping: Ping;
  /** Masked for chat services, whose URL is a secret. */
  readonly shownUrl: (row: AlertsTable) => string;
};

const maxAlerts = 100;
const defaultThreshold = 70;

export function createAlerts(terms: AlertTerms): Alerts {
  const { system, sealer, allowPrivateTargets } = terms;
  const validate = (url: string) => validateTargetUrl(url, allowPrivateTargets, system.dns);
  const shownUrl = (row: AlertsTable) =>
    (row.kind === "json" ? openUrl(sealer, row) : undefined) ?? row.url_shown;
  return {
    create: async (store, wanted, along) => {
      const threshold = pickThreshold(wanted.events, wanted.thresholdScore, null);
      const url = await validate(wanted.url);
      return await insertNew(store, terms, { ...wanted, url, threshold }, along);
    },
    change: async (store, id, { url, ...changes }, along) => {
      const before = await requireAlert(store.read, id);
      // Clients may send back the whole record that they read. An unchanged URL is no change.
      const isNew = url !== undefined && url !== shownUrl(before);
      const newUrl = isNew ? await validate(url) : undefined;
      return await store.write(async (scope) => {
        await lockWorkspace(scope);
        const row = await requireAlert(scope, id);
        await along?.(scope, id);
        return await applyChanges(scope, terms, row, { ...changes, url: newUrl });
      });
    },
    rotateSecret: (store, id) =>
      store.write(async (scope) => {
        await lockWorkspace(scope);
        const row = await requireAlert(scope, id);
        if (row.kind !== "json") throw new Refusal("conflict", "A chat webhook has no signing secret.");
        const secret = createSecret(system);
        await updateAlert(scope, id, sealSecret(sealer, id, secret));
        return { row: await requireAlert(scope, id), secret };
      }),
    remove: removeInSteps,
    ping: createPinger(terms),
    shownUrl,
  };
}

export async function requireAlert(scope: Scope, id: string): Promise<AlertsTable> {
  const row = await readAlert(scope, id);
  if (!row) throw noSuchAlert();
  return row;
}

async function insertNew(
  store: Writing,
  { system, plans, sealer }: AlertTerms,
  { label, url, kind, events, threshold }: WantedAlert & { readonly threshold: number | null },
  along?: Along,
): Promise<AlertWithSecret> {
  const now = system.now();
  const id = createId("alert", now, system.random(16));
  const secret = kind === "json" ? createSecret(system) : null;
  const row: AlertsTable = {
    id,
    workspace_id: store.workspaceId,
    label,
    ...sealUrl(sealer, id, url),
    kind,
    events: JSON.stringify(events),
    threshold_score: threshold,
    enabled: 1,
    disabled_because: null,
    ...(secret === null ? { secret } : sealSecret(sealer, id, secret)),
    created_at: now,
    not_before: null,
    hour_began_at: null,
    hour_count: 0,
    failing_since: null,
  };
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    await requireRoom(scope, { plans, ceiling: "alerts", now });
    if ((await countAlerts(scope)) >= maxAlerts)
      throw new Refusal(
        "conflict",
        `A workspace can have at most ${maxAlerts} alert webhooks. Delete one first.`,
      );
    await insertAlert(scope, row);
    await along?.(scope, id);
  });
  return { row, secret };
}

/**
 * There may be thousands of deliveries, and no message should wait for their removal. Turning the webhook off first
 * stops new ones.
 */
async function removeInSteps(store: Writing, id: string): Promise<void> {
  await store.write(async (scope) => {
    await requireAlert(scope, id);
    await updateAlert(scope, id, { enabled: 0 });
  });
  const step = (scope: Scope) => removeSomeDeliveries(scope, [id], deletionStep.deliveries);
  while ((await store.write(step)) > 0);
  if (!(await store.write((scope) => removeAlert(scope, id)))) throw noSuchAlert();
}

async function applyChanges(
  scope: Scope,
  { system, sealer }: AlertTerms,
  row: AlertsTable,
  { label, url, kind, events, thresholdScore, enabled }: AlertChanges,
): Promise<AlertWithSecret> {
  const listened = events ?? (JSON.parse(row.events) as AlertEventType[]);
  const becomesJson = kind === "json" && row.kind !== "json";
  if (becomesJson && url === undefined) throw needsAddress();
  const secret = becomesJson ? createSecret(system) : null;
  await updateAlert(scope, row.id, {
    threshold_score: pickThreshold(listened, thresholdScore, row.threshold_score),
    events: JSON.stringify(listened),
    ...(label !== undefined && { label }),
    ...(kind !== undefined && { kind }),
    ...(kind !== undefined && kind !== "json" && { secret: null }),
    ...(secret !== null && sealSecret(sealer, row.id, secret)),
    // Pauses and failures of the old URL do not apply to the new one.
    ...(url !== undefined && { ...sealUrl(sealer, row.id, url), not_before: null, failing_since: null }),
    ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
    // Clients may send back the whole record that they read. That must not lift a pause the receiver asked for.
    ...(enabled === true && row.enabled === 0 && nothingKnown),
  });
  return { row: await requireAlert(scope, row.id), secret };
}

const nothingKnown = { disabled_because: null, not_before: null, failing_since: null } as const;

/** Kept for all events, used only for test.low_score. */
function pickThreshold(
  events: readonly AlertEventType[],
  given: number | null | undefined,
  before: number | null,
): number | null {
  return given ?? before ?? (events.includes("test.low_score") ? defaultThreshold : null);
}

function createSecret({ random }: Pick<System, "random">): string {
  return createSigningSecret(random(signingSecretBytes));
}

/** Lists show the URL of a JSON webhook, so a chat service's secret URL would be revealed. */
function needsAddress(): Refusal {
  return new Refusal("invalid_url", "To turn a chat webhook into a JSON webhook, set a new URL too.", {
    field: "url",
  });
}

function noSuchAlert(): Refusal {
  return new Refusal("not_found", "Alert webhook not found.");
}

// Sends one test message to a webhook and reports whether it arrived. The response body is not reported and tries per
// workspace are limited, so it cannot be used to scan networks.

type PingOutcome = {
  readonly delivered: boolean;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
};

type Ping = (store: Pick<WorkspaceStore, "workspaceId" | "read">, id: string) => Promise<PingOutcome>;

const atOnce = 5;

type Terms = Pick<AlertTerms, "system" | "sealer" | "baseUrl">;

function createPinger(terms: Terms): Ping {
  const gates = createLimiters(atOnce);
  return async ({ workspaceId, read }, id) => {
    const row = await requireAlert(read, id);
    if (!(await gates.enter(workspaceId, 0))) {
      const why = `${atOnce} webhook tests are already running. Wait for one to finish.`;
      throw new Refusal("rate_limited", why, { retryAfterSeconds: receiverTimeoutMs / 1_000 });
    }
    try {
      return await sendPing(row, terms);
    } finally {
      gates.leave(workspaceId);
    }
  };
}

async function sendPing(row: AlertsTable, { system, sealer, baseUrl }: Terms): Promise<PingOutcome> {
  const now = system.now();
  const { url, secret } = openTarget(sealer, row);
  const rendered = renderPing(row.kind, {
    id: createId("event", now, system.random(16)),
    workspaceId: row.workspace_id,
    alert: { id: row.id, label: row.label },
    secret,
    baseUrl: baseUrl(),
    now,
  });
  const outcome = await postToReceiver(system, { url, ...rendered });
  const answeredAt = system.now();
  const verdict = judgeAnswer(row.kind, outcome, answeredAt);
  return {
    delivered: verdict.means === "delivered",
    status: outcome.ok ? outcome.status : null,
    durationMs: Math.max(0, answeredAt - now),
    error: verdict.means === "delivered" ? null : verdict.problem,
  };
}
