// Stores mail that a provider received, as a test of the webhook's workspace and never of another.

import { whyNotReceivedAt } from "../../../analyzer/mail/headers/judged-time.ts";
import { parseSeedAddress } from "../../../analyzer/mail/headers/seed-address.ts";
import type { Door } from "../../../analyzer/mail/session/doors.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Intake } from "../../intake/rows/intake.ts";
import { findSeedInbox, listSeedInboxes } from "../../intake/rows/seed-inboxes.ts";
import type { FindOwn } from "../../intake/work/loopback.ts";
import { receiveThroughDoor } from "../../intake/work/receive-message.ts";
import type { Recipient } from "../../intake/work/route-recipient.ts";
import { hasCeiling, type Plans } from "../../people/rules/plans.ts";
import { requireRoom } from "../../people/work/ceilings.ts";
import { countTaken, isRemembered } from "../rows/hooks.ts";
import type { InboundMail } from "../rules/hook.ts";
import { hookProviderTable } from "../rules/providers.ts";
import type { IncomingHooksTable } from "../tables.ts";
import { remember, type TakenFeedback, toKey } from "./feedback.ts";

export type MailTerms = {
  readonly store: Pick<Store, "read" | "write">;
  readonly system: Pick<System, "now" | "random">;
  readonly intake: Intake;
  readonly plans: Plans;
  readonly config: Pick<Config, "seedDomains">;
  readonly findOwn: FindOwn;
};

/** Thrown inside the transaction, so that nothing of a repeated message is stored. */
class Repeated extends Error {}

/** It is on disk when this resolves. Null: the request names no recipient. */
export async function takeMail(
  hook: IncomingHooksTable,
  mail: InboundMail,
  requestId: string,
  terms: MailTerms,
): Promise<TakenFeedback | null> {
  const { store, system, intake } = terms;
  const addresses = mail.rcptTo.filter(isAddress);
  const recipients = await Promise.all(addresses.map((address) => toRecipient(address, hook, terms)));
  const [first, ...others] = recipients;
  if (first === undefined) return null;
  const now = system.now();
  // Without an ID, the same bytes for the same addresses are a repetition: a receiver adds a new Received line each time.
  const name = requestId === "" ? `mail ${toMailKey(mail.raw, addresses)}` : `request ${requestId}`;
  const check = async (db: Db) => {
    if (!(await remember(db, hook, [name], now))) throw new Repeated();
    await requireTestRoom(db, hook, terms, now);
    await countTaken(db, hook.id, { now, received: 1, repeated: 0 });
  };
  const repeated = async () => {
    await store.write((db) => countTaken(db, hook.id, { now, received: 0, repeated: 1 }));
    return { received: 0, repeated: 1 };
  };
  if (await isRemembered(store.read, hook.id, toKey(name))) return await repeated();
  try {
    await receiveThroughDoor(
      { raw: mail.raw, door: toDoor(hook, mail), recipients: [first, ...others], claims: toClaims(mail, now) },
      { insert: (messages) => intake.insert(messages, check) },
      system,
      terms.findOwn,
    );
  } catch (cause) {
    if (cause instanceof Repeated) return await repeated();
    throw cause;
  }
  return { received: 1, repeated: 0 };
}

function toMailKey(raw: Buffer, addresses: readonly string[]): string {
  return toKey(`${addresses.join(" ")} ${toKey(raw)}`);
}

async function requireTestRoom(
  db: Db,
  { workspace_id }: IncomingHooksTable,
  { plans }: MailTerms,
  now: number,
): Promise<void> {
  const ceiling = "testsPerMonth";
  if (hasCeiling(plans, ceiling)) await requireRoom(inWorkspace(db, workspace_id), { plans, ceiling, now });
}

function toDoor({ provider }: IncomingHooksTable, { recorded }: InboundMail) {
  const isSilent = Object.keys(recorded).length === 0;
  const { mail, label } = hookProviderTable[provider];
  const providerName = mail?.name ?? label;
  return { kind: "webhook", provider, providerName, ...(!isSilent && { recorded }) } as const satisfies Door;
}

function toClaims({ clientAddress, mailFrom, receivedAt, trusted }: InboundMail, now: number) {
  const isPlausible = receivedAt !== null && receivedAt <= now && whyNotReceivedAt(receivedAt, now) === null;
  return {
    clientAddress,
    helo: null,
    mailFrom: mailFrom === null || mailFrom === "" || isAddress(mailFrom) ? mailFrom : null,
    trusted,
    ...(isPlausible && { receivedAt }),
  };
}

/** RFC 5321 §4.5.3.1 allows 320 octets, and U-labels may take a few more. */
const address = /^[^\s\p{Cc}<>]{1,500}@[^\s\p{Cc}<>@]{1,500}$/u;

function isAddress(text: string): boolean {
  return address.test(text);
}

/** One of the workspace's seed inboxes, or else its active one. */
async function toRecipient(
  address: string,
  { workspace_id: workspaceId }: IncomingHooksTable,
  { store, config: { seedDomains } }: MailTerms,
): Promise<Recipient> {
  const mailbox = parseSeedAddress(address, seedDomains);
  const inbox = mailbox && (await findSeedInbox(store.read, mailbox.localPart, mailbox.domain));
  if (mailbox && inbox?.workspace_id === workspaceId)
    return { workspaceId, seedInboxId: inbox.id, label: mailbox.label, address };
  const inboxes = await listSeedInboxes(inWorkspace(store.read, workspaceId));
  const usual = inboxes.find(({ active }) => active === 1) ?? inboxes[0];
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  const label = parseSeedAddress(address, [domain])?.label ?? null;
  return { workspaceId, seedInboxId: usual?.id ?? null, label, address };
}
