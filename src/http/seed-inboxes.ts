import { toTimestamp } from "../api/primitives.ts";
import {
  changeSeedInbox,
  createSeedInbox,
  deleteSeedInbox,
  listSeedInboxes,
  type SeedInbox,
} from "../api/seed-inboxes.ts";
import type { SeedInboxesTable } from "../store/schema.ts";
import { inWorkspace } from "../store/scope.ts";
import * as store from "../store/seed-inboxes.ts";
import * as tasks from "../tasks/seed-inboxes.ts";
import { type Route, route } from "./route.ts";

export const seedInboxRoutes: readonly Route[] = [
  route(listSeedInboxes, async ({ workspaceId }, { store: { read } }) => {
    const rows = await store.listSeedInboxes(inWorkspace(read, workspaceId));
    return { items: rows.map(toSeedInbox) };
  }),

  route(createSeedInbox, async ({ workspaceId, body }, { store, system, plans, config: { seedDomains } }) => {
    const { localPart = null, domain = null, label } = body;
    const wanted = { localPart, domain, label, plans };
    return toSeedInbox(await tasks.createSeedInbox(store, system, seedDomains, workspaceId, wanted));
  }),

  route(changeSeedInbox, async ({ workspaceId, params: { id }, body }, { store }) =>
    toSeedInbox(await tasks.changeSeedInbox(store, workspaceId, id, body)),
  ),

  route(deleteSeedInbox, async ({ workspaceId, params: { id } }, { store, system }) => {
    await tasks.deleteSeedInbox(store, system, workspaceId, id);
    return undefined;
  }),
];

function toSeedInbox(row: SeedInboxesTable): SeedInbox {
  return {
    id: row.id,
    address: `${row.local_part}@${row.domain}`,
    localPart: row.local_part,
    domain: row.domain,
    label: row.label,
    active: row.active === 1,
    createdAt: toTimestamp(row.created_at),
  };
}
