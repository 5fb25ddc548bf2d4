// Alerts of a workspace (src/decisions.md, "Alerts").

import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { validateTargetUrl } from "../../../platform/system/target-guard.ts";
import type { AlertsTable } from "../../domains/tables.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import { deletionStep } from "../../tests/work/remove-tests.ts";
import { readAlertAddress } from "../rows/addresses.ts";
import { removeAlert, updateAlert } from "../rows/alerts.ts";
import { removeSomeDeliveries } from "../rows/deliveries.ts";
import type { PlannedMail } from "./addresses.ts";
import { requireMailer } from "./mailer.ts";
import { createPinger, type PingTerms } from "./ping.ts";
import { openTyped, openUrl, sealSecret } from "./targets.ts";
import { type AlertChanges, readTarget, type Target, type WantedAlert } from "./wanted.ts";
import {
  type AlertTerms,
  type AlertWithSecret,
  type Along,
  applyChanges,
  createSecret,
  insertNew,
  noSuchAlert,
  pickThreshold,
  requireAlert,
} from "./write-alert.ts";

type Writing = Pick<WorkspaceStore, "workspaceId" | "read" | "write">;

export type Alerts = {
  readonly create: (store: Writing, wanted: WantedAlert, along?: Along) => Promise<AlertWithSecret>;
  readonly change: (store: Writing, id: string, changes: AlertChanges, along?: Along) => Promise<AlertWithSecret>;
  readonly rotateSecret: (store: Writing, id: string) => Promise<AlertWithSecret>;
  readonly remove: (store: Writing, id: string) => Promise<void>;
  /** Asks the recipient of an email alert again. */
  readonly askAgain: (store: Writing, id: string) => Promise<AlertsTable>;
  readonly ping: (store: WorkspaceStore, id: string) => ReturnType<ReturnType<typeof createPinger>>;
  /** Masked for chat services and presets, whose URL is a secret. */
  readonly shownUrl: (row: AlertsTable) => string;
};

export function createAlerts(terms: AlertTerms): Alerts {
  const { config, system, sealer, addresses } = terms;
  const shownUrl = (row: AlertsTable) => showUrl(row, sealer);
  const ping = createPinger(terms);
  const validate = async (target: Target): Promise<Target> => {
    if (target.address === null)
      return { ...target, url: await validateTargetUrl(target.url, config.allowPrivateTargets, system.dns) };
    requireMailer(terms.mailer);
    return target;
  };
  const sendPlanned = async (store: Writing, planned: PlannedMail | null) => {
    if (planned) await addresses.send(store, planned);
  };
  return {
    create: async (store, wanted, along) => {
      const threshold = pickThreshold(wanted.events, wanted.thresholdScore, null);
      const target = await validate(readTarget(wanted, config.seedDomains));
      const made = await insertNew(store, terms, { wanted, target, threshold }, along);
      await sendPlanned(store, made.planned);
      return { row: made.row, secret: made.secret };
    },
    change: async (store, id, { url, ...changes }, along) => {
      const before = await requireAlert(store.read, id);
      // Clients may send back the whole record that they read. An unchanged URL is no change.
      const isNew = (url !== undefined && url !== shownUrl(before)) || changes.credentials !== undefined;
      const kind = changes.kind ?? before.kind;
      requireSameSort(before, kind);
      const target = isNew
        ? await validate(readTarget({ kind, ...keepRest(before, { ...changes, url }, sealer) }, config.seedDomains))
        : undefined;
      const { planned, ...changed } = await store.write(async (scope) => {
        await lockWorkspace(scope);
        const row = await requireAlert(scope, id);
        if (along === undefined) recordChange();
        else await along(scope, id);
        return await applyChanges(scope, terms, row, { changes, target });
      });
      await sendPlanned(store, planned);
      return changed;
    },
    rotateSecret: (store, id) =>
      store.write(async (scope) => {
        await lockWorkspace(scope);
        const row = await requireAlert(scope, id);
        if (row.secret === null)
          throw new Refusal("conflict", "Only webhooks that get Assay’s own JSON have a signing secret.");
        const secret = createSecret(system);
        await updateAlert(scope, id, sealSecret(sealer, id, secret));
        recordChange();
        return { row: await requireAlert(scope, id), secret };
      }),
    remove: removeInSteps,
    askAgain: async (store, id) => {
      const planned = await store.write(async (scope) => {
        await lockWorkspace(scope);
        const row = await requireAlert(scope, id);
        const address = row.address_id === null ? undefined : await readAlertAddress(scope, row.address_id);
        if (!address) throw new Refusal("conflict", "Only alerts by email are confirmed.");
        requireMailer(terms.mailer);
        if (address.state === "confirmed") throw new Refusal("conflict", "This address has already confirmed.");
        return await addresses.plan(scope, address);
      });
      await sendPlanned(store, planned);
      return await requireAlert(store.read, id);
    },
    ping: async (store, id) => await ping(store, await requireAlert(store.read, id)),
    shownUrl,
  };
}

function showUrl(row: AlertsTable, sealer: PingTerms["sealer"]): string {
  const isPlain = row.kind === "json" && row.preset === null;
  return (isPlain ? openUrl(sealer, row) : undefined) ?? row.url_shown;
}

/** What isn't changed stays. At another host, stored credentials are not used, because they were not given for it. */
function keepRest(
  before: AlertsTable,
  { url, credentials }: Pick<AlertChanges, "url" | "credentials">,
  sealer: PingTerms["sealer"],
): Pick<WantedAlert, "url" | "preset" | "credentials"> {
  const { preset } = before;
  const typed = openTyped(sealer, before);
  const wanted = url === undefined || url === before.url_shown ? typed.url : url;
  const isSameHost =
    URL.canParse(wanted) && URL.canParse(typed.url) && new URL(wanted).origin === new URL(typed.url).origin;
  return { preset, url: wanted, credentials: { ...(isSameHost && typed.credentials), ...credentials } };
}

/** What an email or a preset needs is nothing that another kind has. */
function requireSameSort({ kind, preset }: AlertsTable, next: AlertsTable["kind"]): void {
  if (kind === next || (kind !== "email" && next !== "email" && preset === null)) return;
  throw new Refusal("conflict", "This alert can't become one of another kind. Create a new one instead.");
}

/**
 * There may be thousands of deliveries, and no message should wait for their removal. Turning the webhook off first
 * stops new ones.
 */
async function removeInSteps(store: Writing, id: string): Promise<void> {
  await store.write(async (scope) => {
    await requireAlert(scope, id);
    await updateAlert(scope, id, { enabled: 0 });
    recordChange();
  });
  const step = (scope: Scope) => removeSomeDeliveries(scope, [id], deletionStep.deliveries);
  while ((await store.write(step)) > 0);
  if (!(await store.write((scope) => removeAlert(scope, id)))) throw noSuchAlert();
}
