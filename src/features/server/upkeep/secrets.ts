// Every secret at rest, for changing the secret key and for going on without a lost one. A table with sealed columns
// joins the list below; test/features/server/command/secret-key.test.ts finds those that are missing.

import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { listSavedSettings, removeMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import { type SealedColumns, updateSealed } from "../../../platform/database/engine/sealed-rows.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createSealer, type SecretKey } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { alertSealing, alertSecretPlace } from "../../alerts/work/targets.ts";
import type { AlertsTable } from "../../domains/tables.ts";
import type { IncomingHooksTable } from "../../hooks/tables.ts";
import { passwordPlace, signingSecretPlace } from "../../hooks/work/hooks.ts";
import { integrationSealing, oauthSecretPlace } from "../../mailboxes/oauth/access-tokens.ts";
import { isPasswordProvider } from "../../mailboxes/rules/list.ts";
import type { IntegrationsTable } from "../../mailboxes/tables.ts";
import { mailboxSecretPlace } from "../../mailboxes/work/logins.ts";
import type { RelaysTable } from "../../monitors/tables.ts";
import { lostUrl, relaySealing, relayUrlPlace } from "../../monitors/work/relays.ts";
import { removeSessionsOfOthers } from "../../oidc/rows.ts";
import { idTokenPlace, refreshTokenPlace } from "../../oidc/work/session-secrets.ts";
import { loginSealing } from "../../oidc/work/tickets.ts";
import { factorSealing, factorSecretPlace } from "../../people/work/second-factors.ts";
import { signingKeyPlace, signingSealing } from "../../sending/work/signing-keys.ts";
import { settingSealing } from "../work/server-settings.ts";

type SealedTable = SealedColumns & {
  readonly table:
    | "alerts"
    | "incoming_hooks"
    | "integrations"
    | "relays"
    | "second_factors"
    | "session_logins"
    | "signing_keys";
  /** The purpose of the derived key. */
  readonly purpose: string;
};

export const sealedTables: readonly SealedTable[] = [
  {
    table: "alerts",
    purpose: alertSealing,
    columns: {
      url: ({ id }) => alertSecretPlace(id, "url"),
      secret: ({ id }) => alertSecretPlace(id, "secret"),
      credentials: ({ id }) => alertSecretPlace(id, "credentials"),
    },
  },
  {
    table: "integrations",
    purpose: integrationSealing,
    columns: {
      secret: ({ id, provider }) =>
        isPasswordProvider(provider ?? "") ? mailboxSecretPlace(id) : oauthSecretPlace(id),
    },
    also: ["provider"],
  },
  {
    table: "incoming_hooks",
    purpose: integrationSealing,
    columns: { signing_key: ({ id }) => signingSecretPlace(id), password: ({ id }) => passwordPlace(id) },
  },
  { table: "relays", purpose: relaySealing, columns: { url: ({ id }) => relayUrlPlace(id) } },
  {
    table: "session_logins",
    purpose: loginSealing,
    columns: { refresh_token: ({ id }) => refreshTokenPlace(id), id_token: ({ id }) => idTokenPlace(id) },
  },
  { table: "second_factors", purpose: factorSealing, columns: { secret: ({ id }) => factorSecretPlace(id) } },
  { table: "signing_keys", purpose: signingSealing, columns: { private_key: ({ id }) => signingKeyPlace(id) } },
];

type Keys = { readonly old: SecretKey; readonly next: SecretKey };

/**
 * Encrypts every secret under the next key, in one transaction: a server finds all of them under one key or all under the
 * other. Returns their number.
 */
export async function resealSecrets(
  store: Pick<Store, "write">,
  { random }: Pick<System, "random">,
  { old, next }: Keys,
): Promise<number> {
  const reseal = (purpose: string) => {
    const from = createSealer(old.derive(purpose), random);
    const to = createSealer(next.derive(purpose), random);
    return (sealed: string, boundTo: string) => {
      const secret = from.open(sealed, boundTo);
      if (secret === undefined)
        throw new Refusal("conflict", `${boundTo} cannot be decrypted, so the secret key was not changed.`);
      return to.seal(secret, boundTo);
    };
  };
  return await store.write(async (db) => {
    let count = 0;
    for (const sealed of sealedTables) count += await updateSealed(db, sealed, reseal(sealed.purpose));
    const resealSetting = reseal(settingSealing);
    for (const { name, sealed } of await listSavedSettings(db)) {
      await writeMeta(db, `setting:${name}`, resealSetting(sealed, name));
      count += 1;
    }
    // A consent that is pending must begin again.
    await db.deleteFrom("oauth_states").execute();
    await writeMeta(db, "secret_key_fingerprint", next.fingerprint);
    recordChange();
    return count;
  });
}

/** What has to be entered again after the secrets were removed. */
export type LostSecrets = {
  readonly alerts: readonly (Pick<AlertsTable, "id" | "label" | "kind"> & { readonly url: string })[];
  readonly connections: readonly Pick<IntegrationsTable, "id" | "provider" | "account">[];
  readonly hooks: readonly Pick<IncomingHooksTable, "id" | "provider" | "label">[];
  readonly relays: readonly (Pick<RelaysTable, "id" | "name"> & { readonly url: string })[];
  readonly signingKeys: readonly { readonly domain: string; readonly selector: string }[];
  /** Authenticator apps. */
  readonly apps: readonly { readonly name: string; readonly email: string }[];
  readonly settings: readonly string[];
};

/** Nothing of it can be decrypted without the key. */
export async function listSecrets(db: Db): Promise<LostSecrets> {
  const alerts = await db
    .selectFrom("alerts")
    .select(["id", "label", "kind", "url_shown as url"])
    // An email alert's address is in alert_addresses too.
    .where("kind", "!=", "email")
    .orderBy("id")
    .execute();
  const connections = await db.selectFrom("integrations").select(["id", "provider", "account"]).orderBy("id").execute();
  const hooks = await db
    .selectFrom("incoming_hooks")
    .select(["id", "provider", "label"])
    .where((is) => is.or([is("signing_key", "is not", null), is("password", "is not", null)]))
    .orderBy("id")
    .execute();
  const relays = await db.selectFrom("relays").select(["id", "name", "url_shown as url"]).orderBy("id").execute();
  const signingKeys = await db
    .selectFrom("signing_keys")
    .select(["domain", "selector"])
    .orderBy("domain")
    .orderBy("selector")
    .execute();
  const apps = await db
    .selectFrom("second_factors")
    .innerJoin("users", "users.id", "second_factors.user_id")
    .select(["second_factors.name", "users.email"])
    .where("second_factors.secret", "is not", null)
    .orderBy("second_factors.id")
    .execute();
  const settings = (await listSavedSettings(db)).map(({ name }) => name);
  return { alerts, connections, hooks, relays, signingKeys, apps, settings };
}

const lostAlert = "Its URL was lost with the server’s secret key. Enter it again to turn this alert on.";
const lostConnection = "Its login was lost with the server’s secret key. Connect it again.";

/** Removes every secret, and the mark of the key, so that the next start creates a key. */
export async function forgetSecrets(
  { write }: Pick<Store, "write">,
  { now }: Pick<System, "now">,
): Promise<LostSecrets> {
  const at = now();
  return await write(async (db) => {
    recordChange();
    const lost = await listSecrets(db);
    const empty = { url: "", secret: null, credentials: null };
    await db.updateTable("alerts").set(empty).where("kind", "=", "email").execute();
    await db
      .updateTable("alerts")
      .set({ ...empty, enabled: 0, disabled_because: lostAlert })
      .where("kind", "!=", "email")
      .execute();
    await db
      .updateTable("integrations")
      .set({ secret: "", status: "reconnect", problem: lostConnection, status_since: at, due_at: null })
      .execute();
    await db.updateTable("relays").set({ url: lostUrl }).execute();
    await forgetHookSecrets(db, at);
    await db.deleteFrom("signing_keys").execute();
    // They stay, because without them a password alone would log in.
    await db.updateTable("second_factors").set({ secret: null }).execute();
    await db.deleteFrom("oauth_states").execute();
    // They can't be checked at their issuer any more.
    await removeSessionsOfOthers(db, []);
    for (const name of lost.settings) await removeMeta(db, `setting:${name}`);
    await removeMeta(db, "secret_key_fingerprint");
    return lost;
  });
}

/** Emptied, but not null: a webhook without a secret would take requests of strangers. */
async function forgetHookSecrets(db: Db, at: number): Promise<void> {
  for (const column of ["signing_key", "password"] as const)
    await db
      .updateTable("incoming_hooks")
      .set({ [column]: "", last_problem: "lost", last_problem_at: at })
      .where(column, "is not", null)
      .execute();
}
