// Webhooks that providers call: created, changed and removed by members (src/decisions.md, "Incoming webhooks"). The secret
// in the URL is stored as a hash, so a lost URL is replaced by a new one.

import type { z } from "zod";
import { recordChange, recordIf } from "../../../platform/audit/rows/recording.ts";
import { createSecret, hashSecret, secretBytes } from "../../../platform/contract/secrets.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { createSigningSecret, signingSecretBytes } from "../../alerts/rules/render.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import type { changeIncomingHook, createIncomingHook } from "../contract.ts";
import { insertHook, listHooks, readHook, removeHook, updateHook } from "../rows/hooks.ts";
import { type HookKey, toDomain } from "../rules/hook.ts";
import { hookProviderTable } from "../rules/providers.ts";
import type { IncomingHooksTable } from "../tables.ts";

type WantedHook = z.output<typeof createIncomingHook.body>;
type HookChanges = z.output<typeof changeIncomingHook.body>;

/** `url` and `secret` are known only now. Null: unchanged. */
export type HookWithSecrets = {
  readonly row: IncomingHooksTable;
  readonly url: string | null;
  readonly secret: string | null;
};

export type Hooks = {
  readonly create: (store: Writing, wanted: WantedHook) => Promise<HookWithSecrets>;
  readonly change: (store: Writing, id: string, changes: HookChanges) => Promise<HookWithSecrets>;
  readonly remove: (store: Writing, id: string) => Promise<void>;
};

type Writing = Pick<WorkspaceStore, "workspaceId" | "write">;

type HookTerms = {
  readonly system: Pick<System, "now" | "random">;
  readonly sealer: Sealer;
  readonly baseUrl: () => string;
};

/** Two for each provider, and some for other domains. */
const maxPerWorkspace = 30;
const userName = "assay";

export function createHooks(terms: HookTerms): Hooks {
  return {
    create: async (store, wanted) => {
      checkPurpose(wanted);
      const { system } = terms;
      const now = system.now();
      const id = createId("incomingHook", now, system.random(16));
      const { url, secret, ...sealed } = makeSecrets(terms, id, wanted);
      const row: IncomingHooksTable = {
        id,
        workspace_id: store.workspaceId,
        created_at: now,
        provider: wanted.provider,
        purpose: wanted.purpose,
        label: wanted.label,
        topic_arn: readTopic(wanted),
        domain: readDomain(wanted.domain),
        ...sealed,
        last_received_at: null,
        received: 0,
        repeated: 0,
        refused: 0,
        last_problem: null,
        last_problem_at: null,
      };
      await store.write(async (scope) => {
        await lockWorkspace(scope);
        if ((await listHooks(scope)).length >= maxPerWorkspace)
          throw new Refusal("conflict", `A workspace can have at most ${maxPerWorkspace} incoming webhooks.`);
        await insertHook(scope, row);
        recordChange({ objectId: id });
      });
      return { row, url, secret };
    },
    change: (store, id, changes) =>
      store.write(async (scope) => {
        await lockWorkspace(scope);
        const changed = await applyChanges(scope, terms, await requireHook(scope, id), changes);
        recordChange();
        return changed;
      }),
    remove: async (store, id) => {
      if (!(await store.write(async (scope) => recordIf(await removeHook(scope, id))))) throw noSuchHook();
    },
  };
}

async function requireHook(scope: Scope, id: string): Promise<IncomingHooksTable> {
  const row = await readHook(scope, id);
  if (row === undefined) throw noSuchHook();
  return row;
}

function noSuchHook(): Refusal {
  return new Refusal("not_found", "Incoming webhook not found.");
}

async function applyChanges(
  scope: Scope,
  terms: HookTerms,
  before: IncomingHooksTable,
  changes: HookChanges,
): Promise<HookWithSecrets> {
  const { id, provider } = before;
  const { label, domain, newUrl = false, newSecret = false } = changes;
  if (newSecret && hookProviderTable[provider].key.from !== "assay")
    throw invalid("newSecret", "is only for providers whose secret Assay creates");
  const url = newUrl ? makeUrl(terms, before) : null;
  const secret = newSecret ? createSigningSecret(terms.system.random(signingSecretBytes)) : null;
  const key = secret ?? readKey({ provider, signingKey: changes.signingKey ?? null });
  const topic = readTopic({ provider, topicArn: changes.topicArn ?? null });
  await updateHook(scope, id, {
    ...(label !== undefined && { label }),
    ...(domain !== undefined && { domain: readDomain(domain) }),
    ...(key !== null && { signing_key: terms.sealer.seal(key, signingSecretPlace(id)) }),
    ...(changes.signingKey === null && before.purpose === "mail" && { signing_key: null }),
    ...(topic !== null && { topic_arn: topic }),
    ...url?.columns,
    // What was wrong may be fixed now.
    ...((key ?? topic ?? url) !== null && { last_problem: null, last_problem_at: null }),
  });
  return { row: await requireHook(scope, id), url: url?.url ?? null, secret };
}

function makeSecrets(
  terms: HookTerms,
  id: string,
  { provider, purpose, signingKey }: WantedHook,
): Pick<IncomingHooksTable, "key_hash" | "signing_key" | "password"> & {
  readonly url: string;
  readonly secret: string | null;
} {
  const { key } = hookProviderTable[provider];
  const secret = key.from === "assay" ? createSigningSecret(terms.system.random(signingSecretBytes)) : null;
  const signing = secret ?? readKey({ provider, signingKey });
  const { url, columns } = makeUrl(terms, { id, provider, purpose });
  return {
    ...columns,
    signing_key: signing === null ? null : terms.sealer.seal(signing, signingSecretPlace(id)),
    url,
    secret,
  };
}

function makeUrl(
  { system, sealer, baseUrl }: HookTerms,
  { id, provider, purpose }: Pick<IncomingHooksTable, "id" | "provider" | "purpose">,
) {
  const key = createSecret(system.random(secretBytes));
  const facts = hookProviderTable[provider];
  const password = facts[purpose]?.hasPassword ? createSecret(system.random(secretBytes)) : null;
  const end = purpose === "mail" ? facts.mail?.path : undefined;
  const url = new URL([baseUrl(), "hooks", key, end].filter((part) => part !== undefined).join("/"));
  if (password !== null) Object.assign(url, { username: userName, password });
  const sealed = password === null ? null : sealer.seal(password, passwordPlace(id));
  return { url: url.href, columns: { key_hash: hashSecret(key), password: sealed } };
}

/** The purpose of the key, which it shares with connections, because webhooks were among them. */
export const hookSealing = "integrations";

export function signingSecretPlace(id: string): string {
  return `incoming-hooks/${id}/signing-key`;
}

export function passwordPlace(id: string): string {
  return `incoming-hooks/${id}/password`;
}

type OpenedHook = {
  readonly signingKey: string | null;
  /** The whole Authorization header. */
  readonly authorization: string | null;
  /** It had a secret that can't be opened any more. Without it, requests of strangers would pass. */
  readonly isLost: boolean;
};

export function openHook(
  sealer: Sealer,
  { id, signing_key, password }: Pick<IncomingHooksTable, "id" | "signing_key" | "password">,
): OpenedHook {
  const open = (sealed: string | null, place: string) =>
    sealed === null ? null : (sealer.open(sealed, place) ?? null);
  const signingKey = open(signing_key, signingSecretPlace(id));
  const secret = open(password, passwordPlace(id));
  const credentials = Buffer.from(`${userName}:${secret ?? ""}`).toString("base64");
  return {
    signingKey,
    authorization: secret === null ? null : `Basic ${credentials}`,
    isLost: (signing_key !== null && signingKey === null) || (password !== null && secret === null),
  };
}

// What a member typed.

function checkPurpose({ provider, purpose }: WantedHook): void {
  if (hookProviderTable[provider][purpose] === null) throw invalid("purpose", "is not possible with this provider");
}

function readKey({ provider, signingKey }: Pick<WantedHook, "provider" | "signingKey">): string | null {
  if (signingKey === null) return null;
  const { key } = hookProviderTable[provider];
  if (!isTyped(key, "signingKey")) throw invalid("signingKey", "is not needed with this provider");
  const typed = signingKey.trim();
  const why = typed === "" ? "must not be empty" : key.whyNot(typed);
  if (why !== null) throw invalid("signingKey", why);
  return typed;
}

function readTopic({ provider, topicArn }: Pick<WantedHook, "provider" | "topicArn">): string | null {
  if (topicArn === null) return null;
  const { key } = hookProviderTable[provider];
  if (!isTyped(key, "topicArn")) throw invalid("topicArn", `is only for ${toOwners("topicArn")}`);
  const why = key.whyNot(topicArn.trim());
  if (why !== null) throw invalid("topicArn", why);
  return topicArn.trim();
}

type TypedKey = Extract<HookKey, { readonly from: "member" }>;

function isTyped(key: HookKey, field: TypedKey["field"]): key is TypedKey {
  return key.from === "member" && key.field === field;
}

function toOwners(field: TypedKey["field"]): string {
  const owners = Object.values(hookProviderTable).filter(({ key }) => isTyped(key, field));
  return owners.map(({ label }) => label).join(" or ");
}

function readDomain(typed: string | null): string | null {
  if (typed === null) return null;
  const domain = toDomain(typed.trim());
  if (domain === null) throw invalid("domain", "must be a domain like example.com");
  return domain;
}

function invalid(field: string, why: string): Refusal {
  return new Refusal("invalid_request", `"${field}" ${why}.`, { field });
}
