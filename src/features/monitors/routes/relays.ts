import { auditedObject } from "../../../platform/audit/rows/objects.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { type Route, route, sendsOnly } from "../../../platform/route.ts";
import * as endpoints from "../contract/relays.ts";
import { listRelays } from "../rows/relays.ts";
import type { RelaysTable } from "../tables.ts";

const auditedRelay = auditedObject({
  kind: "relay",
  table: "relays",
  columns: ["name", "mail_from", "return_path"],
  hosts: ["url_shown"],
  secrets: ["url"],
  toName: ({ name }) => name,
});

export const relayRoutes: readonly Route[] = [
  route(endpoints.listRelays, async ({ store: { read } }, { canaries }) => ({
    items: (await listRelays(read)).map(toRelay),
    hasServerRelay: canaries.hasServerRelay(),
  })),

  route(endpoints.createRelay, async ({ store, body }, { relays }) => toRelay(await relays.add(store, body))).recording(
    { action: "relay.create", object: auditedRelay },
  ),

  route(endpoints.changeRelay, async ({ store, params: { id }, body }, { relays }) =>
    toRelay(await relays.change(store, id, body)),
  ).recording({ action: "relay.change", object: auditedRelay }),

  route(endpoints.deleteRelay, async ({ store, params: { id } }, { relays }) => {
    await relays.remove(store, id);
    return undefined;
  }).recording({ action: "relay.delete", object: auditedRelay }),

  route(endpoints.testRelay, async ({ store, params: { id } }, { relays }) => {
    const problem = await relays.tryOut(store, id);
    return { works: problem === null, problem };
  }).recording(sendsOnly),
];

function toRelay(row: RelaysTable): endpoints.Relay {
  const { id, name, url_shown, mail_from, return_path, created_at } = row;
  return {
    id,
    name,
    url: url_shown,
    mailFrom: mail_from,
    returnPath: return_path,
    hasLogin: new URL(url_shown).username !== "",
    createdAt: toTimestamp(created_at),
  };
}
