// Seed inboxes of a workspace (src/decisions.md, "Seed inboxes"). All of them receive mail. Exactly one is active and
// gets the samples. The last one can't be deleted, so there is always an address to send to.

import { toSeedDomain } from "../../../analyzer/mail/headers/seed-address.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { isReserved } from "../../../platform/contract/emails.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { isFirstWorkspace, lockWorkspace } from "../../people/rows/workspaces.ts";
import { type Plans, selfHostedPlans } from "../../people/rules/plans.ts";
import { requireRoom } from "../../people/work/ceilings.ts";
import type { SeedInboxesTable } from "../../sending/tables.ts";
import { insertReleasedAddress, isHeldForAnother } from "../rows/released-addresses.ts";
import {
  countSeedInboxes,
  insertSeedInbox,
  listSeedInboxes,
  readSeedInbox,
  removeSeedInbox,
  updateSeedInbox,
} from "../rows/seed-inboxes.ts";

export type WantedInbox = {
  /** Lower case; null: random. */
  readonly localPart: string | null;
  /** One of this server's seed domains; null: the first. */
  readonly domain: string | null;
  readonly label: string | null;
  /** Absent: no limit applies. */
  readonly plans?: Plans;
};

export type InboxChanges = { readonly active?: boolean | undefined; readonly label?: string | null | undefined };

const maxInboxes = 1_000;
const localPartLength = 10;
const localPartAlphabet = "abcdefghjkmnpqrstvwxyz0123456789";
const triesAtRandom = 5;

export async function createSeedInbox(
  store: Pick<WorkspaceStore, "write">,
  system: Pick<System, "now" | "random">,
  seedDomains: readonly string[],
  { localPart, domain, label, plans = selfHostedPlans }: WantedInbox,
): Promise<SeedInboxesTable> {
  const wanted = { domain: pickSeedDomain(domain, seedDomains), label, active: 0 } as const;
  return await store.write(async (scope) => {
    await lockWorkspace(scope);
    await requireRoom(scope, { plans, ceiling: "seedInboxes", now: system.now() });
    if ((await countSeedInboxes(scope)) >= maxInboxes)
      throw new Refusal("conflict", `A workspace can have at most ${maxInboxes} seed inboxes. Delete one first.`);
    if (localPart === null) {
      const inbox = await addInboxAtRandom(scope, system, wanted);
      recordChange({ objectId: inbox.id });
      return inbox;
    }
    const inbox = toRow(scope, system, { ...wanted, localPart });
    if (isReserved(inbox.local_part) && !(await isFirstWorkspace(scope)))
      throw addressRefusal(`"${inbox.local_part}" is reserved for the server's operator`);
    if (!(await takeAddress(scope, inbox))) throw addressRefusal("This address is taken");
    recordChange({ objectId: inbox.id });
    return inbox;
  });
}

type NewInbox = { readonly domain: string; readonly label: string | null; readonly active: 0 | 1 };

export async function addInboxAtRandom(
  scope: Scope,
  system: Pick<System, "now" | "random">,
  wanted: NewInbox,
): Promise<SeedInboxesTable> {
  for (let tries = 0; tries < triesAtRandom; tries++) {
    const localPart = createLocalPart(system.random(localPartLength));
    const inbox = toRow(scope, system, { ...wanted, localPart });
    if (await takeAddress(scope, inbox)) return inbox;
  }
  throw new Error(`${triesAtRandom} random addresses at ${wanted.domain} were all taken.`);
}

export async function changeSeedInbox(
  store: Pick<WorkspaceStore, "write">,
  id: string,
  { active, label }: InboxChanges,
): Promise<SeedInboxesTable> {
  return await store.write(async (scope) => {
    await lockWorkspace(scope);
    const inbox = await requireInbox(scope, id);
    recordChange();
    if (label !== undefined) await updateSeedInbox(scope, id, { label });
    if (active === true && inbox.active === 0) await activateInstead(scope, id);
    if (active === false && inbox.active === 1)
      await activateInstead(scope, (await oldestOther(scope, id, "deactivated")).id);
    return await requireInbox(scope, id);
  });
}

/** Its tests stay, and its address stays reserved for the workspace for a while. */
export async function deleteSeedInbox(
  store: Pick<WorkspaceStore, "write">,
  system: Pick<System, "now">,
  id: string,
): Promise<void> {
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    const { active, local_part, domain } = await requireInbox(scope, id);
    const next = await oldestOther(scope, id, "deleted");
    if (active === 1) await activateInstead(scope, next.id);
    await removeSeedInbox(scope, id);
    recordChange();
    await insertReleasedAddress(scope, { domain, local_part, released_at: system.now() });
  });
}

function pickSeedDomain(domain: string | null, seedDomains: readonly string[]): string {
  const [first = ""] = seedDomains;
  const picked = domain === null ? first : toSeedDomain(domain, seedDomains);
  if (picked !== undefined) return picked;
  const known = seedDomains.join(", ");
  throw new Refusal("invalid_request", `"domain" must be a seed domain of this server: ${known}.`, { field: "domain" });
}

async function activateInstead(scope: Scope, id: string): Promise<void> {
  const others = (await listSeedInboxes(scope)).filter(({ active }) => active === 1);
  for (const other of others) await updateSeedInbox(scope, other.id, { active: 0 });
  await updateSeedInbox(scope, id, { active: 1 });
}

async function oldestOther(scope: Scope, id: string, fate: "deactivated" | "deleted"): Promise<SeedInboxesTable> {
  const other = (await listSeedInboxes(scope)).find((inbox) => inbox.id !== id);
  if (other) return other;
  throw new Refusal("conflict", `A workspace's only seed inbox cannot be ${fate}. Create another one first.`);
}

async function requireInbox(scope: Scope, id: string): Promise<SeedInboxesTable> {
  const inbox = await readSeedInbox(scope, id);
  if (!inbox) throw new Refusal("not_found", "Seed inbox not found.");
  return inbox;
}

/**
 * False when the address is not available. Checks after the insert, so that an inbox deleted at the same moment is
 * noticed.
 */
async function takeAddress(scope: Scope, inbox: SeedInboxesTable): Promise<boolean> {
  if (!(await insertSeedInbox(scope, inbox))) return false;
  const { local_part: localPart, domain, created_at } = inbox;
  if (!(await isHeldForAnother(scope, { localPart, domain }, created_at))) return true;
  await removeSeedInbox(scope, inbox.id);
  return false;
}

function toRow(
  { workspaceId }: Scope,
  system: Pick<System, "now" | "random">,
  { localPart, domain, label, active }: NewInbox & { readonly localPart: string },
): SeedInboxesTable {
  const createdAt = system.now();
  return {
    id: createId("seedInbox", createdAt, system.random(16)),
    workspace_id: workspaceId,
    local_part: localPart,
    domain,
    label,
    active,
    created_at: createdAt,
  };
}

function createLocalPart(randomness: Uint8Array): string {
  return Array.from(randomness, (byte) => localPartAlphabet[byte & 31]).join("");
}

/** A workspace always has inboxes, so their domain was removed from the settings. */
export function noSampleInbox(seedDomains: readonly string[]): Refusal {
  const served = seedDomains.join(", ");
  return new Refusal(
    "not_found",
    `None of the workspace's seed inboxes receives mail. Create one at ${served}, or add their domain back to ASSAY_SEED_DOMAINS.`,
  );
}

/** Does not reveal who has the address. */
function addressRefusal(why: string): Refusal {
  return new Refusal("conflict", `${why}. Choose another local part.`, { field: "localPart" });
}
