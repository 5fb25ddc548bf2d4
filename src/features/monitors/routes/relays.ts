import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { type Route, route } from "../../../platform/route.ts";
import * as endpoints from "../contract/relays.ts";
import { listRelays } from "../rows/relays.ts";
import type { RelaysTable } from "../tables.ts";

export const relayRoutes: readonly Route[] = [
  route(endpoints.listRelays, async ({ store: { read } }, { canaries }) => ({
    items: (await listRelays(read)).map(toRelay),
    hasServerRelay: canaries.hasServerRelay,
  })),

  route(endpoints.createRelay, async ({ store, body }, { relays }) => toRelay(await relays.add(store, body))),

  route(endpoints.changeRelay, async ({ store, params: { id }, body }, { relays }) =>
    toRelay(await relays.change(store, id, body)),
  ),

  route(endpoints.deleteRelay, async ({ store, params: { id } }, { relays }) => {
    await relays.remove(store, id);
    return undefined;
  }),

  route(endpoints.testRelay, async ({ store, params: { id } }, { relays }) => {
    const problem = await relays.tryOut(store, id);
    return { works: problem === null, problem };
  }),
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
