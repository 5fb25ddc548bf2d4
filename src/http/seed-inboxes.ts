import { toTimestamp } from "../api/primitives.ts";
import {
  changeSeedInbox,
  createSeedInbox,
  deleteSeedInbox,
  listSeedInboxes,
  type SeedInbox,
} from "../api/seed-inboxes.ts";
import type { SeedInboxesTable } from "../store/schema.ts";
import { listSeedInboxes as listSeedInboxRows, toInboxAddress } from "../store/seed-inboxes.ts";
import * as tasks from "../tasks/seed-inboxes.ts";
import { type Route, route } from "./route.ts";

export const seedInboxRoutes: readonly Route[] = [
  route(listSeedInboxes, async ({ store }) => {
    const rows = await listSeedInboxRows(store.read);
    return { items: rows.map(toSeedInbox) };
  }),

  route(createSeedInbox, async ({ store, body }, { system, plans, config: { seedDomains } }) => {
    const { localPart = null, domain = null, label } = body;
    const wanted = { localPart, domain, label, plans };
    return toSeedInbox(await tasks.createSeedInbox(store, system, seedDomains, wanted));
  }),

  route(changeSeedInbox, async ({ store, params: { id }, body }) =>
    toSeedInbox(await tasks.changeSeedInbox(store, id, body)),
  ),

  route(deleteSeedInbox, async ({ store, params: { id } }, { system }) => {
    await tasks.deleteSeedInbox(store, system, id);
    return undefined;
  }),
];

function toSeedInbox(row: SeedInboxesTable): SeedInbox {
  return {
    id: row.id,
    address: toInboxAddress(row),
    localPart: row.local_part,
    domain: row.domain,
    label: row.label,
    active: row.active === 1,
    createdAt: toTimestamp(row.created_at),
  };
}
