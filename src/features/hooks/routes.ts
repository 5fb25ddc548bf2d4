import { toTimestamp, toTimestampOrNull } from "../../platform/contract/primitives.ts";
import type { Client } from "../../platform/http/client-address.ts";
import { type RawBody, type Route, route } from "../../platform/route.ts";
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
import { type HookProvider, hookProblems, hookProviders } from "./rules/hook.ts";
import { hookProviderTable } from "./rules/providers.ts";
import type { IncomingHooksTable } from "./tables.ts";
import { hookLabels, toProofWords, toSteps } from "./words.ts";
import type { HookWithSecrets } from "./work/hooks.ts";

export const incomingHookRoutes: readonly Route[] = [
  route(listIncomingHooks, async ({ store }) => ({
    items: (await listHooks(store.read)).map(toHook),
    providers: hookProviders.map(toChoice),
  })),

  route(createIncomingHook, async ({ store, body }, { hooks }) => withSecrets(await hooks.create(store, body))),

  route(changeIncomingHook, async ({ store, params: { id }, body }, { hooks }) =>
    withSecrets(await hooks.change(store, id, body)),
  ),

  route(deleteIncomingHook, async ({ store, params: { id } }, { hooks }) => {
    await hooks.remove(store, id);
    return undefined;
  }),

  route(receiveIncomingHook, (call, dependencies) => receive(call, dependencies)),
  route(receiveRawMailHook, (call, dependencies) => receive(call, dependencies)),
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

const fieldOfKey = { given: "signingKey", topic: "topicArn", made: null, none: null } as const;

function toChoice(provider: HookProvider): HookProviderChoice {
  const { purposes, key } = hookProviderTable[provider];
  return { provider, label: hookLabels[provider], purposes: [...purposes], needs: fieldOfKey[key] };
}

function toHook(row: IncomingHooksTable): IncomingHook {
  const { provider, purpose } = row;
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
      provider: hookLabels[provider],
      proof: toProofWords(proof, purpose),
      problem: lastProblem && hookProblems[lastProblem],
      steps: toSteps(provider, purpose),
    },
  };
}

function toMissing({ provider, purpose, ...row }: IncomingHooksTable): IncomingHook["missing"] {
  const { key, password } = hookProviderTable[provider];
  if (key === "topic") return row.topic_arn === null ? "topicArn" : null;
  return key === "given" && !row.signing_key && !password.includes(purpose) ? "signingKey" : null;
}

function toProof({ provider, ...row }: IncomingHooksTable): IncomingHook["proof"] {
  if (provider === "mailgun") return "token";
  return row.password !== null && row.signing_key === null ? "password" : "signature";
}
