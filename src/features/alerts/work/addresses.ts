// Who gets alerts by email: an address confirms with a one-time link first, and can unsubscribe at any time. What is
// sent before that is limited for each mailbox, whichever workspaces ask for it, so that no one can be flooded.

import { createSecret, hashSecret, isSecret, secretBytes } from "../../../platform/contract/secrets.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope, type WorkspaceStore } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import type { AlertAddressesTable } from "../../domains/tables.ts";
import { updateInvitationMail } from "../../people/rows/memberships.ts";
import { findInvitationById } from "../../people/rows/one-time-links.ts";
import { confirmAlertEmail, unsubscribeAlertEmail } from "../contract/alert-pages.ts";
import {
  confirmAddress,
  countAsked,
  dropLink,
  endAddress,
  findAlertAddress,
  findByLink,
  insertLimitedMail,
  keepLink,
  listMailTimes,
  readWorkspaceName,
  removeConfirmationMail,
} from "../rows/addresses.ts";
import { renderConfirmation } from "../rules/email.ts";
import { readUnsubscribeToken, toInvitationId, toUnsubscribeToken } from "../rules/mail-token.ts";
import { toMailbox, tooSoon } from "./mail-limits.ts";
import { type AlertMailer, mailDeadlineMs } from "./mailer.ts";

type AddressTerms = {
  readonly store: Pick<Store, "read" | "write">;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly mailer: AlertMailer;
  readonly baseUrl: () => string;
};

type Writing = Pick<WorkspaceStore, "read" | "write">;

/** A confirmation mail that is written down but not sent. */
export type PlannedMail = { readonly id: string; readonly address: AlertAddressesTable; readonly secret: string };

/** What the page of a link shows. */
export type LinkedAddress = { readonly address: string; readonly workspace: string; readonly isOn: boolean };

export type AlertAddresses = {
  /** In the caller's transaction. Throws if the mailbox got one too recently. */
  readonly plan: (scope: Scope, address: AlertAddressesTable) => Promise<PlannedMail>;
  /** After that transaction. A failure is written to the address's row, and does not count toward the limit. */
  readonly send: (store: Writing, planned: PlannedMail) => Promise<void>;
  readonly readConfirmation: (token: string) => Promise<LinkedAddress | undefined>;
  readonly confirm: (token: string) => Promise<LinkedAddress | undefined>;
  readonly readSubscription: (token: string) => Promise<LinkedAddress | undefined>;
  readonly unsubscribe: (token: string) => Promise<LinkedAddress | undefined>;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const linkHours = 48;
/** To one mailbox, for all workspaces together. */
const mostInDay = 3;
/** Addresses that one workspace may ask in a day. */
const mostAsked = 20;

export function createAlertAddresses(terms: AddressTerms): AlertAddresses {
  const { store, system } = terms;
  const findByToken = async (token: string) =>
    isSecret(token) ? await findByLink(store.read, hashSecret(token), system.now()) : undefined;
  const findSubscribed = async (token: string) => {
    const id = readUnsubscribeToken(token, terms.mailer.keys);
    return id === null ? undefined : await findAlertAddress(store.read, id);
  };
  const show = (row: AlertAddressesTable | undefined) => row && showAddress(store.read, row);
  return {
    plan: (scope, address) => planMail(scope, address, system),
    send: (own, planned) => sendMail(own, planned, terms),
    readConfirmation: async (token) => await show(await findByToken(token)),
    confirm: async (token) => {
      const row = await findByToken(token);
      if (!row || !(await store.write((db) => confirmAddress(db, row, system.now())))) return undefined;
      system.log.info("alert address confirmed", { address: row.id });
      return await showAddress(store.read, { ...row, state: "confirmed" });
    },
    readSubscription: async (token) => await show(await findSubscribed(token)),
    unsubscribe: async (token) => {
      const row = await findSubscribed(token);
      if (!row) return undefined;
      if (row.state !== "unsubscribed") await store.write((db) => unsubscribe(db, row));
      system.log.info("alert address unsubscribed", { address: row.id });
      return await showAddress(store.read, { ...row, state: "unsubscribed" });
    },
  };
}

async function showAddress(db: Db, row: AlertAddressesTable): Promise<LinkedAddress> {
  const workspace = await readWorkspaceName(inWorkspace(db, row.workspace_id));
  return { address: row.address, workspace, isOn: row.state === "confirmed" };
}

async function unsubscribe(db: Db, row: AlertAddressesTable): Promise<void> {
  const because = `${row.address} unsubscribed from this workspace’s alerts.`;
  await endAddress(db, row, { state: "unsubscribed", problem: null, because });
}

async function planMail(
  scope: Scope,
  address: AlertAddressesTable,
  { now, random }: Pick<System, "now" | "random">,
): Promise<PlannedMail> {
  const sent_at = now();
  const mailbox = toMailbox(address.address);
  const times = await listMailTimes(scope, "confirmation", mailbox, sent_at - dayMs);
  const [last] = times;
  const oldest = times[mostInDay - 1];
  if (last !== undefined && last > sent_at - hourMs)
    throw tooSoon("This mailbox got a confirmation email within the last hour.", last + hourMs - sent_at);
  if (oldest !== undefined)
    throw tooSoon(`This mailbox got ${mostInDay} confirmation emails within a day.`, oldest + dayMs - sent_at);
  if ((await countAsked(scope, sent_at - dayMs)) >= mostAsked)
    throw tooSoon(`This workspace asked ${mostAsked} addresses to confirm within a day.`, hourMs);
  const id = createId("delivery", sent_at, random(16));
  const secret = createSecret(random(secretBytes));
  const link_hash = hashSecret(secret);
  await insertLimitedMail(scope, "confirmation", { id, mailbox, sent_at });
  await keepLink(scope, address.id, { link_hash, link_expires_at: sent_at + linkHours * hourMs, asked_at: sent_at });
  return { id, address: { ...address, link_hash }, secret };
}

async function sendMail(store: Writing, planned: PlannedMail, terms: AddressTerms): Promise<void> {
  const { id, address, secret } = planned;
  const { mailer, baseUrl, system } = terms;
  const mail = renderConfirmation({
    workspace: await readWorkspaceName(store.read),
    address: address.address,
    confirmUrl: baseUrl() + confirmAlertEmail.path.replace(":token", secret),
    baseUrl: baseUrl(),
    hours: linkHours,
  });
  const outgoing = { ...mail, addressId: address.id, to: address.address, messageKey: id, unsubscribeUrl: null };
  const outcome = await mailer.send(store.read, outgoing, AbortSignal.timeout(mailDeadlineMs));
  if (outcome.ok) return;
  system.log.warn("confirmation email not sent", { address: address.id, problem: outcome.problem });
  await store.write(async (scope) => {
    // Without a rejection, it may have arrived all the same, so it counts toward the limits.
    if (outcome.reply !== null) await removeConfirmationMail(scope, id);
    await dropLink(scope, address, outcome.problem);
  });
}

export function toUnsubscribeUrl(addressId: string, { mailer, baseUrl }: Pick<AddressTerms, "mailer" | "baseUrl">) {
  return baseUrl() + unsubscribeAlertEmail.path.replace(":token", toUnsubscribeToken(addressId, mailer.keys));
}

// Bounces of alert mail (features/tests/work/record-non-test.ts).

/** A hard bounce ends the address, and so does a complaint. Otherwise nothing happens. */
export async function noteAlertBounce(
  db: Db,
  addressId: string,
  { kind, problem }: { readonly kind: "bounce" | "complaint"; readonly problem: string | null },
): Promise<void> {
  const row = await findAlertAddress(db, addressId);
  if (!row && kind === "bounce" && problem !== null) await noteInvitationBounce(db, toInvitationId(addressId), problem);
  if (!row || row.state === "unsubscribed") return;
  if (kind === "complaint") {
    const because = `${row.address} reported an alert as spam.`;
    await endAddress(db, row, { state: "unsubscribed", problem: "It reported an alert as spam.", because });
  } else if (problem !== null) {
    await endAddress(db, row, { state: "bounced", problem, because: toBounceWords(row.address, problem) });
  }
}

/** An invitation's return path has the same form (features/people/work/account-mail.ts). */
async function noteInvitationBounce(db: Db, id: string, problem: string): Promise<void> {
  const row = await findInvitationById(db, id);
  if (row?.mail_state !== "sent" && row?.mail_state !== "sending") return;
  const scope = inWorkspace(db, row.workspace_id);
  await updateInvitationMail(scope, id, { mail_state: "bounced", mail_problem: problem });
}

export function toBounceWords(address: string, problem: string): string {
  return `Mail to ${address} bounced: ${problem}`;
}
