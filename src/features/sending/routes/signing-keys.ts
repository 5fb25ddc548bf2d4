import { toKeyRecord } from "../../../analyzer/mail/signing/signing-algorithms.ts";
import { auditedObject } from "../../../platform/audit/rows/objects.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { type Route, route } from "../../../platform/route.ts";
import * as endpoints from "../contract.ts";
import type { KeyInDns } from "../work/signing-keys.ts";

const auditedSigningKey = auditedObject({
  kind: "signing-key",
  table: "signing_keys",
  columns: ["domain", "selector", "algorithm"],
  toName: ({ domain, selector }) => `${selector}._domainkey.${domain}`,
});

export const signingKeyRoutes: readonly Route[] = [
  route(endpoints.listSigningKeys, async ({ store: { read } }, { signingKeys }) => ({
    items: (await signingKeys.list(read)).map(toSigningKey),
  })),

  route(endpoints.createSigningKeys, async ({ store, body }, { signingKeys }) => ({
    items: (await signingKeys.create(store, body)).map(toSigningKey),
  })).recording({ action: "signing-key.create", object: auditedSigningKey }),

  route(endpoints.deleteSigningKey, async ({ store, params: { id } }, { signingKeys }) => {
    await signingKeys.remove(store, id);
    return undefined;
  }).recording({ action: "signing-key.delete", object: auditedSigningKey }),
];

function toSigningKey({ row, published }: KeyInDns): endpoints.SigningKey {
  const { id, domain, selector, algorithm, created_at } = row;
  const record = { ...toKeyRecord(row), type: "TXT" as const };
  return { id, domain, selector, algorithm, record, published, createdAt: toTimestamp(created_at) };
}
