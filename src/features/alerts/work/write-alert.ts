// Writes a new or changed alert, in the caller's transaction.

import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { System } from "../../../platform/system/system.ts";
import type { AlertsTable } from "../../domains/tables.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import type { Plans } from "../../people/rules/plans.ts";
import { requireRoom } from "../../people/work/ceilings.ts";
import { ensureAlertAddress, readAlertAddress } from "../rows/addresses.ts";
import { countAlerts, insertAlert, listAlerts, readAlert, updateAlert } from "../rows/alerts.ts";
import type { AlertEventType } from "../rules/alert-event.ts";
import { createSigningSecret, signingSecretBytes } from "../rules/render.ts";
import type { AlertAddresses, PlannedMail } from "./addresses.ts";
import type { PingTerms } from "./ping.ts";
import { isTargetLost, lostTarget, openUrl, sealCredentials, sealSecret, sealUrl } from "./targets.ts";
import type { AlertChanges, Target, WantedAlert } from "./wanted.ts";

export type AlertTerms = PingTerms & {
  readonly system: Pick<System, "now" | "random" | "dns" | "fetchStranger">;
  readonly plans: Plans;
  readonly config: Pick<Config, "seedDomains" | "allowPrivateTargets">;
  readonly addresses: Pick<AlertAddresses, "plan" | "send">;
};

/** `secret`: set if it is new, and shown only this once. */
export type AlertWithSecret = { readonly row: AlertsTable; readonly secret: string | null };

type Writing = Pick<WorkspaceStore, "workspaceId" | "read" | "write">;

/** Further writes for the same transaction. */
export type Along = (scope: Scope, alertId: string) => Promise<void>;

const maxAlerts = 100;
const defaultThreshold = 70;

export async function requireAlert(scope: Scope, id: string): Promise<AlertsTable> {
  const row = await readAlert(scope, id);
  if (!row) throw noSuchAlert();
  return row;
}

type NewAlert = { readonly wanted: WantedAlert; readonly target: Target; readonly threshold: number | null };

type Planned = { readonly planned: PlannedMail | null };

export async function insertNew(
  store: Writing,
  terms: AlertTerms,
  { wanted, target, threshold }: NewAlert,
  along?: Along,
): Promise<AlertWithSecret & Planned> {
  const { system, plans, sealer } = terms;
  const { label, kind, events, preset = null } = wanted;
  const now = system.now();
  const id = createId("alert", now, system.random(16));
  const secret = kind === "json" && preset === null ? createSecret(system) : null;
  const row: AlertsTable = {
    id,
    workspace_id: store.workspaceId,
    label,
    ...sealUrl(sealer, id, target.url),
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
    preset,
    address_id: null,
    ...sealCredentials(sealer, id, target.credentials),
  };
  return await store.write(async (scope) => {
    await lockWorkspace(scope);
    await requireRoom(scope, { plans, ceiling: "alerts", now });
    if ((await countAlerts(scope)) >= maxAlerts)
      throw new Refusal("conflict", `A workspace can have at most ${maxAlerts} alerts. Delete one first.`);
    if (wanted.refuseDuplicate) await requireNew(scope, row, { ...target, sealer });
    const { address_id, planned } = await takeAddress(scope, terms, target);
    await insertAlert(scope, { ...row, address_id });
    if (along === undefined) recordChange({ objectId: id });
    else await along(scope, id);
    return { row: { ...row, address_id }, secret, planned };
  });
}

/** Plans a confirmation mail, unless the address has confirmed or was asked too recently. */
async function takeAddress(
  scope: Scope,
  { system, addresses }: AlertTerms,
  { address }: Target,
): Promise<Pick<AlertsTable, "address_id"> & Planned> {
  if (address === null) return { address_id: null, planned: null };
  const now = system.now();
  const wanted = { id: createId("alertAddress", now, system.random(16)), address, created_at: now };
  const row = await ensureAlertAddress(scope, wanted);
  if (row.state === "confirmed" || row.asked_at !== null) return { address_id: row.id, planned: null };
  return { address_id: row.id, planned: await addresses.plan(scope, row) };
}

type Sealed = Pick<AlertTerms, "sealer"> & { readonly url: string };

async function requireNew(scope: Scope, row: AlertsTable, { sealer, url }: Sealed): Promise<void> {
  const twin = (await listAlerts(scope)).find(
    (other) =>
      other.kind === row.kind &&
      other.events === row.events &&
      other.threshold_score === row.threshold_score &&
      other.url_shown === row.url_shown &&
      openUrl(sealer, other) === url,
  );
  if (twin) throw new Refusal("conflict", `“${twin.label}” already sends these events there.`, { field: "url" });
}

type Change = {
  readonly changes: Omit<AlertChanges, "url" | "credentials">;
  /** Set if it sends somewhere else. */
  readonly target: Target | undefined;
};

export async function applyChanges(
  scope: Scope,
  terms: AlertTerms,
  row: AlertsTable,
  { changes, target }: Change,
): Promise<AlertWithSecret & Planned> {
  const { system, sealer } = terms;
  const { label, kind, events, thresholdScore, enabled } = changes;
  const listened = events ?? (JSON.parse(row.events) as AlertEventType[]);
  const secret = toNewSecret(row, kind, target, system);
  const { planned, ...moved } = target === undefined ? { planned: null } : await moveTarget(scope, terms, row, target);
  if (enabled === true && target === undefined && isTargetLost(row)) throw lostTarget();
  if (enabled === true) await requireWilling(scope, row);
  await updateAlert(scope, row.id, {
    threshold_score: pickThreshold(listened, thresholdScore, row.threshold_score),
    events: JSON.stringify(listened),
    ...(label !== undefined && { label }),
    ...(kind !== undefined && { kind }),
    ...(kind !== undefined && kind !== "json" && { secret: null }),
    ...(secret !== null && sealSecret(sealer, row.id, secret)),
    ...moved,
    ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
    // Clients may send back the whole record that they read. That must not lift a pause the receiver asked for.
    ...(enabled === true && row.enabled === 0 && nothingKnown),
  });
  return { row: await requireAlert(scope, row.id), secret, planned };
}

/** A webhook that becomes one of JSON gets a secret, and so does one that lost it. */
function toNewSecret(
  row: AlertsTable,
  kind: AlertsTable["kind"] | undefined,
  target: Target | undefined,
  system: Pick<System, "random">,
): string | null {
  const isLost = isTargetLost(row) && row.preset === null;
  if ((kind ?? row.kind) !== "json" || (row.kind === "json" && !isLost)) return null;
  if (target === undefined) {
    if (isLost) return null;
    throw needsAddress();
  }
  return createSecret(system);
}

/** Pauses and failures of the old URL do not apply to the new one. */
async function moveTarget(scope: Scope, terms: AlertTerms, { id }: AlertsTable, target: Target) {
  const { address_id, planned } = await takeAddress(scope, terms, target);
  const sealed = { ...sealUrl(terms.sealer, id, target.url), ...sealCredentials(terms.sealer, id, target.credentials) };
  return { planned, ...sealed, address_id, not_before: null, failing_since: null };
}

/** A recipient who unsubscribed, or whose mail bounced, confirms again first. */
async function requireWilling(scope: Scope, { address_id, enabled }: AlertsTable): Promise<void> {
  if (address_id === null || enabled === 1) return;
  const address = await readAlertAddress(scope, address_id);
  if (address?.state !== "unsubscribed" && address?.state !== "bounced") return;
  throw new Refusal("conflict", "The address must confirm again first. Send it a new confirmation email.");
}

const nothingKnown = { disabled_because: null, not_before: null, failing_since: null } as const;

/** Kept for all events, used only for test.low_score. */
export function pickThreshold(
  events: readonly AlertEventType[],
  given: number | null | undefined,
  before: number | null,
): number | null {
  return given ?? before ?? (events.includes("test.low_score") ? defaultThreshold : null);
}

export function createSecret({ random }: Pick<System, "random">): string {
  return createSigningSecret(random(signingSecretBytes));
}

/** Lists show the URL of a JSON webhook, so a chat service's secret URL would be revealed. */
function needsAddress(): Refusal {
  return new Refusal("invalid_url", "To turn a chat webhook into a JSON webhook, set a new URL too.", { field: "url" });
}

export function noSuchAlert(): Refusal {
  return new Refusal("not_found", "Alert webhook not found.");
}
