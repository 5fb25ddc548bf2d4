import { auditedObject } from "../../platform/audit/rows/objects.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/contract/primitives.ts";
import type { Client } from "../../platform/http/client-address.ts";
import { byStranger, type RawBody, type Route, route } from "../../platform/route.ts";
import type { Server } from "../../platform/server.ts";
import {
  changeIncomingHook,
  createIncomingHook,
  deleteIncomingHook,
  type HookProviderChoice,
  type IncomingHook,
  listIncomingHooks,
  receiveIncomingHook,
  receiveRawMailHook,
} from "./contract.ts";
import { listHooks } from "./rows/hooks.ts";
import { hookProblems, hookPurposes } from "./rules/hook.ts";
import { type HookProvider, hookProviders, hookProviderTable } from "./rules/providers.ts";
import type { IncomingHooksTable } from "./tables.ts";
import { toProofWords } from "./words.ts";
import type { HookWithSecrets } from "./work/hooks.ts";

const auditedHook = auditedObject({
  kind: "hook",
  table: "incoming_hooks",
  columns: ["label", "provider", "purpose", "topic_arn", "domain"],
  secrets: ["key_hash", "signing_key", "password"],
  toName: ({ label }) => label,
});

export const incomingHookRoutes: readonly Route[] = [
  route(listIncomingHooks, async ({ store }) => ({
    items: (await listHooks(store.read)).map(toHook),
    providers: hookProviders.map(toChoice),
  })),

  route(createIncomingHook, async ({ store, body }, { hooks }) =>
    withSecrets(await hooks.create(store, body)),
  ).recording({ action: "hook.create", object: auditedHook }),

  route(changeIncomingHook, async ({ store, params: { id }, body }, { hooks }) =>
    withSecrets(await hooks.change(store, id, body)),
  ).recording({ action: "hook.change", object: auditedHook }),

  route(deleteIncomingHook, async ({ store, params: { id } }, { hooks }) => {
    await hooks.remove(store, id);
    return undefined;
  }).recording({ action: "hook.delete", object: auditedHook }),

  route(receiveIncomingHook, (call, dependencies) => receive(call, dependencies)).recording(byStranger),
  route(receiveRawMailHook, (call, dependencies) => receive(call, dependencies)).recording(byStranger),
];

type ProviderCall = {
  readonly params: { readonly key: string };
  readonly body: RawBody;
  readonly client: Pick<Client, "address">;
};

function receive({ params: { key }, body, client }: ProviderCall, { receiveHook }: Server) {
  const { header, saidBytes, read } = body;
  return receiveHook(key, { clientAddress: client.address, header, saidBytes, read });
}

function withSecrets({ row, url, secret }: HookWithSecrets) {
  return { ...toHook(row), ...(url !== null && { url }), ...(secret !== null && { secret }) };
}

function toChoice(provider: HookProvider): HookProviderChoice {
  const { label, key, ...facts } = hookProviderTable[provider];
  const [needs, needsName] = key.from === "member" ? [key.field, key.name] : [null, null];
  const purposes = hookPurposes.filter((purpose) => facts[purpose] !== null);
  return { provider, label, purposes, needs, needsName, makesSecret: key.from === "assay" };
}

function toHook(row: IncomingHooksTable): IncomingHook {
  const { provider, purpose } = row;
  const facts = hookProviderTable[provider];
  const proof = toProof(row);
  const lastProblem = row.last_problem as IncomingHook["lastProblem"];
  return {
    id: row.id,
    provider,
    purpose,
    label: row.label,
    missing: toMissing(row),
    proof,
    topicArn: row.topic_arn,
    domain: row.domain,
    createdAt: toTimestamp(row.created_at),
    lastReceivedAt: toTimestampOrNull(row.last_received_at),
    received: row.received,
    repeated: row.repeated,
    refused: row.refused,
    lastProblem,
    lastProblemAt: toTimestampOrNull(row.last_problem_at),
    says: {
      provider: facts.label,
      proof: toProofWords(proof, purpose),
      problem: lastProblem && hookProblems[lastProblem],
      steps: [...(facts[purpose]?.steps ?? [])],
    },
  };
}

function toMissing({ provider, purpose, ...row }: IncomingHooksTable): IncomingHook["missing"] {
  const { key, ...facts } = hookProviderTable[provider];
  if (key.from !== "member" || facts[purpose]?.hasPassword) return null;
  return (key.field === "topicArn" ? row.topic_arn : row.signing_key) ? null : key.field;
}

function toProof({ provider, ...row }: IncomingHooksTable): IncomingHook["proof"] {
  return row.password !== null && row.signing_key === null ? "password" : hookProviderTable[provider].proof;
}
