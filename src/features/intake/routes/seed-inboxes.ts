import { auditedObject } from "../../../platform/audit/rows/objects.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { type Route, route } from "../../../platform/route.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { SeedInboxesTable } from "../../sending/tables.ts";
import {
  changeSeedInbox,
  createSeedInbox,
  deleteSeedInbox,
  listSeedInboxes,
  type SeedInbox,
} from "../contract/seed-inboxes.ts";
import { listSeedInboxes as listSeedInboxRows, toInboxAddress } from "../rows/seed-inboxes.ts";
import * as tasks from "../work/seed-inboxes.ts";

const auditedInbox = auditedObject({
  kind: "inbox",
  table: "seed_inboxes",
  columns: ["local_part", "domain", "label", "active"],
  toName: ({ local_part, domain }) => `${local_part}@${domain}`,
});

export const seedInboxRoutes: readonly Route[] = [
  route(listSeedInboxes, async ({ store }, { config }) => {
    const rows = await listSeedInboxRows(store.read);
    return { items: rows.map((row) => toSeedInbox(row, config)) };
  }),

  route(createSeedInbox, async ({ store, body }, { system, plans, config }) => {
    const { localPart = null, domain = null, label } = body;
    const wanted = { localPart, domain, label, plans };
    return toSeedInbox(await tasks.createSeedInbox(store, system, config.seedDomains, wanted), config);
  }).recording({ action: "inbox.create", object: auditedInbox }),

  route(changeSeedInbox, async ({ store, params: { id }, body }, { config }) =>
    toSeedInbox(await tasks.changeSeedInbox(store, id, body), config),
  ).recording({ action: "inbox.change", object: auditedInbox }),

  route(deleteSeedInbox, async ({ store, params: { id } }, { system }) => {
    await tasks.deleteSeedInbox(store, system, id);
    return undefined;
  }).recording({ action: "inbox.delete", object: auditedInbox }),
];

function toSeedInbox(row: SeedInboxesTable, { seedDomains }: Pick<Config, "seedDomains">): SeedInbox {
  return {
    id: row.id,
    address: toInboxAddress(row),
    localPart: row.local_part,
    domain: row.domain,
    label: row.label,
    active: row.active === 1,
    receives: seedDomains.includes(row.domain),
    createdAt: toTimestamp(row.created_at),
  };
}
