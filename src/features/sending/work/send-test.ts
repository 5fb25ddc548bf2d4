// Sends a sample or the caller's message to a seed inbox of the workspace (src/decisions.md, "Sending"). The row is
// written before the attempt and its outcome afterwards. If the process dies in between, the row says that the mail may
// have arrived.

import { createLimiter, createLimiters } from "../../../analyzer/facts/limiter.ts";
import { type OwnSender, readOwnSender } from "../../../analyzer/mail/headers/own-sender.ts";
import { parseSeedAddress, toDetail } from "../../../analyzer/mail/headers/seed-address.ts";
import { toReturnPath, toSendToken, whyNoHeaderText } from "../../../analyzer/mail/send-token.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { overloaded, Refusal } from "../../../platform/errors.ts";
import { beginningAt, createId } from "../../../platform/ids.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { System } from "../../../platform/system/system.ts";
import { waitWithTimeout } from "../../../platform/work/timeout.ts";
import { isDomainVerified } from "../../domains/rows/domains.ts";
import { listSeedInboxes, pickSampleInbox, toInboxAddress } from "../../intake/rows/seed-inboxes.ts";
import { noSampleInbox } from "../../intake/work/seed-inboxes.ts";
import { isFirstWorkspace, lockWorkspace } from "../../people/rows/workspaces.ts";
import type { Plans } from "../../people/rules/plans.ts";
import { requireRoom } from "../../people/work/ceilings.ts";
import {
  endedMeanwhile,
  failUnfinishedSends,
  finishSend,
  insertSend,
  type NewSend,
  removeSendsBefore,
} from "../rows.ts";
import type { SeedInboxesTable, SendsTable } from "../tables.ts";
import { composeSample } from "./compose-sample.ts";
import type { SignOutgoing } from "./signing-keys.ts";
import { type MailTransport, toFailureWords } from "./transports.ts";

export type SenderTerms = {
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly plans: Plans;
  /** Signs the tokens in our messages (analyzer/mail/send-token.ts). */
  readonly sendKey: Uint8Array;
  readonly config: Pick<Config, "seedDomains" | "sendVerifiedDomains">;
  readonly sign: SignOutgoing;
  readonly road: MailTransport;
  readonly baseUrl: () => string;
};

type WantedSend = {
  readonly subject: string;
  readonly from: string;
  readonly to?: string | undefined;
  readonly html?: string | undefined;
  readonly text?: string | undefined;
  readonly label?: string | undefined;
};

type Writing = Pick<WorkspaceStore, "workspaceId" | "read" | "write">;

export type SampleSender = {
  /**
   * Resolves when the relay or listener has accepted the message. `onlyLabel`: the test must get this label, because the
   * caller's token is limited to it.
   */
  readonly send: (store: Writing, wanted: WantedSend, onlyLabel?: string | null) => Promise<NewSend>;
  /** Stops sending. Running sends end within that time. */
  readonly stop: (withinMs: number) => Promise<void>;
};

/** A load that relays and our listener handle. Further sends wait. */
const atOnce = 8;
/** Less than the total, so that one workspace with a slow relay leaves slots for others. */
const atOnceInWorkspace = 2;
const waitMs = 10_000;
/** For the whole SMTP session. */
const deadlineMs = 60_000;
/** After this time, no process is working on the send anymore. */
export const longestSendMs = deadlineMs + 60_000;

export function createSampleSender(terms: SenderTerms): SampleSender {
  const enter = createEntrance();
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  async function sendOne(store: Writing, asked: WantedSend, onlyLabel: string | null): Promise<NewSend> {
    const { system, plans, road } = terms;
    const wanted = onlyLabel === null ? asked : { ...asked, label: asked.label ?? onlyLabel };
    const { sender, inbox, rcptTo } = await readWanted(store.read, wanted, terms);
    if (onlyLabel !== null) requireLabel(onlyLabel, { label: wanted.label, rcptTo }, terms);
    const now = system.now();
    const id = createId("send", now, system.random(16));
    const token = toSendToken(id, terms.sendKey);
    const message_id = `${token}@${sender.domain}`;
    const composed = await composeSample({
      sender,
      to: rcptTo,
      subject: wanted.subject,
      html: wanted.html,
      text: wanted.text,
      sentAt: now,
      messageId: `<${message_id}>`,
      token,
      baseUrl: terms.baseUrl(),
    });
    const raw = await terms.sign(store.read, sender.domain, composed);
    const label = wanted.label ?? null;
    const row: NewSend = {
      id,
      created_at: now,
      label,
      subject: wanted.subject,
      sender: wanted.from,
      recipient: rcptTo,
      message_id,
      transport: road.transport,
    };
    await store.write(async (scope) => {
      await lockWorkspace(scope);
      await requireRoom(scope, { plans, ceiling: "testsPerMonth", now });
      await insertSend(scope, row);
    });
    const mark = { sendId: id, workspaceId: store.workspaceId, label };
    const mailFrom = toReturnPath(id, inbox.domain, terms.sendKey);
    await deliver(store, id, { mark, mailFrom, rcptTo, raw });
    return row;
  }

  async function deliver(store: Writing, id: string, outgoing: Parameters<MailTransport["deliver"]>[0]) {
    const { system, road } = terms;
    const finish = (outcome: Pick<SendsTable, "problem"> & { readonly status: "sent" | "failed" }) =>
      store.write((scope) => finishSend(scope, id, { ...outcome, finished_at: system.now() }));
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      await road.deliver(outgoing, AbortSignal.any([stopping.signal, deadline]));
    } catch (error) {
      const problem = stopping.signal.aborted ? endedMeanwhile : toFailureWords(error);
      await finish({ status: "failed", problem });
      throw new Refusal("send_failed", problem);
    }
    await finish({ status: "sent", problem: null });
  }

  return {
    send: async (store, wanted, onlyLabel = null) => {
      const leave = await enter(store.workspaceId);
      const work = stopping.signal.aborted
        ? Promise.reject(overloaded("The server is shutting down"))
        : sendOne(store, wanted, onlyLabel);
      underWay.add(work);
      try {
        return await work;
      } finally {
        underWay.delete(work);
        leave();
      }
    },
    stop: async (withinMs) => {
      stopping.abort(new Error(endedMeanwhile));
      await waitWithTimeout(withinMs, Promise.allSettled(underWay));
      terms.road.close();
    },
  };
}

/**
 * Waits for the workspace's own limit first, so that its queue takes no slots from others. Returns a function that
 * frees the slot.
 */
function createEntrance() {
  const gate = createLimiter(atOnce);
  const gates = createLimiters(atOnceInWorkspace);
  return async (workspaceId: string): Promise<() => void> => {
    if (!(await gates.enter(workspaceId, waitMs)))
      throw overloaded(`This workspace is already sending ${atOnceInWorkspace} messages`);
    if (!(await gate.enter(waitMs))) {
      gates.leave(workspaceId);
      throw overloaded("Too many messages are being sent at once");
    }
    return () => {
      gate.leave();
      gates.leave(workspaceId);
    };
  };
}

/** Any other error is a bug, and the row says so. */
type SendRequest = { readonly sender: OwnSender; readonly inbox: SeedInboxesTable; readonly rcptTo: string };

async function readWanted(scope: Scope, wanted: WantedSend, terms: SenderTerms): Promise<SendRequest> {
  for (const field of ["subject", "from", "to", "label"] as const) {
    const problem = wanted[field] === undefined ? null : whyNoHeaderText(wanted[field]);
    if (problem !== null) throw refusal("invalid_request", field, problem);
  }
  for (const field of ["html", "text"] as const)
    if (wanted[field]?.includes("\0") || wanted[field]?.isWellFormed() === false)
      throw refusal("invalid_request", field, "must be valid text without NUL characters");
  const reading = readOwnSender(wanted.from);
  if (!reading.ok) throw refusal("invalid_email", "from", reading.problem);
  const inboxes = await listSeedInboxes(scope);
  if (!(await maySendAs(reading.sender, inboxes, scope, terms))) throw refusal("invalid_email", "from", notYours);
  return { sender: reading.sender, ...pickRecipient(wanted.to, inboxes, terms) };
}

export const notYours = "must be one of the workspace's seed addresses, or an address at one of its verified domains";

export async function maySendAs(
  { address, domain }: OwnSender,
  inboxes: readonly SeedInboxesTable[],
  scope: Scope,
  { config: { seedDomains, sendVerifiedDomains } }: Pick<SenderTerms, "config">,
): Promise<boolean> {
  const mailbox = parseSeedAddress(address, seedDomains);
  if (mailbox && findInbox(inboxes, mailbox)) return true;
  const grants = sendVerifiedDomains.filter((granted) => granted.domain === domain);
  if (grants.some(({ workspaceId }) => workspaceId === scope.workspaceId)) return true;
  if (grants.some(({ workspaceId }) => workspaceId === null) && (await isFirstWorkspace(scope))) return true;
  // Only the operator may grant addresses at a seed domain, because other workspaces have inboxes there.
  return mailbox === undefined && (await isDomainVerified(scope, domain));
}

function pickRecipient(
  to: string | undefined,
  inboxes: readonly SeedInboxesTable[],
  { config: { seedDomains } }: SenderTerms,
): Omit<SendRequest, "sender"> {
  if (to === undefined) {
    const inbox = pickSampleInbox(inboxes, seedDomains);
    if (!inbox) throw noSampleInbox(seedDomains);
    return { inbox, rcptTo: toInboxAddress(inbox) };
  }
  const mailbox = parseSeedAddress(to, seedDomains);
  const inbox = mailbox && findInbox(inboxes, mailbox);
  if (!inbox) throw refusal("invalid_email", "to", "must be one of the workspace's seed inboxes");
  const rcptTo = `${inbox.local_part}${toDetail(mailbox)}@${inbox.domain}`;
  const reading = readOwnSender(rcptTo);
  if (!reading.ok) throw refusal("invalid_email", "to", reading.problem);
  return { inbox, rcptTo: reading.sender.address };
}

/** The address's label becomes the test's, and otherwise the one of the request. */
function requireLabel(
  only: string,
  { label, rcptTo }: { readonly label: string | undefined; readonly rcptTo: string },
  { config: { seedDomains } }: SenderTerms,
): void {
  const fields = { label, to: parseSeedAddress(rcptTo, seedDomains)?.label ?? only };
  for (const field of ["label", "to"] as const)
    if (fields[field] !== only)
      throw new Refusal("forbidden", "This API token is limited to another label.", { field });
}

function findInbox(
  inboxes: readonly SeedInboxesTable[],
  { localPart, domain }: { readonly localPart: string; readonly domain: string },
): SeedInboxesTable | undefined {
  return inboxes.find((inbox) => inbox.local_part === localPart && inbox.domain === domain);
}

function refusal(code: "invalid_request" | "invalid_email", field: string, problem: string): Refusal {
  return new Refusal(code, `"${field}" ${problem}.`, { field });
}

// Maintenance of send records.

const dayMs = 86_400_000;

/**
 * Runs at startup and from time to time, for sends of a process that is gone. `isAlone`: no other process can be
 * sending.
 */
export async function endUnfinishedSends(store: Pick<Store, "write">, now: number, isAlone: boolean): Promise<void> {
  const begunBy = isAlone ? now : now - longestSendMs;
  await store.write((db) => failUnfinishedSends(db, { begunBy, problem: endedMeanwhile, now }));
}

/** Their tests are deleted too. 0 days: never. */
export async function forgetOldSends(store: Pick<Store, "write">, now: number, retentionDays: number): Promise<void> {
  if (retentionDays === 0) return;
  const before = beginningAt("send", now - retentionDays * dayMs);
  await store.write((db) => removeSendsBefore(db, before));
}
