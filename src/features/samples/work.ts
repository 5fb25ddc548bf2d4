// Sends the sample gallery's messages to the workspace's seed address through our own SMTP listener. They are
// recognized by our end of the connection, so no other message can pretend to be a sample.

import { createLimiter, createLimiters } from "../../analyzer/facts/limiter.ts";
import { signMessage } from "../../analyzer/mail/signing/sign-message.ts";
import { authorDomain, labelPrefix, type Prepared, selector, toBytes } from "../../analyzer/samples/letter.ts";
import { type PreparedId, preparedIds, preparedMessages } from "../../analyzer/samples/messages-table.ts";
import type { Scope, WorkspaceStore } from "../../platform/database/scope.ts";
import { overloaded, Refusal } from "../../platform/errors.ts";
import type { Config } from "../../platform/settings/config.ts";
import { createKeyMaker, type KeyPair } from "../../platform/system/self-signed.ts";
import type { System } from "../../platform/system/system.ts";
import { waitWithTimeout } from "../../platform/work/timeout.ts";
import type { Publish } from "../events/work/hub.ts";
import { readSampleInbox, toInboxAddress } from "../intake/rows/seed-inboxes.ts";
import { noSampleInbox } from "../intake/work/seed-inboxes.ts";
import type { Plans } from "../people/rules/plans.ts";
import { requireRoom } from "../people/work/ceilings.ts";
import { type MailTransport, toFailureWords } from "../sending/work/transports.ts";
import type { TestsTable } from "../tests/tables.ts";
import { removeTestsOf } from "../tests/work/remove-tests.ts";
import { countSamples, listNewestSamples, listSampleIds } from "./rows.ts";

export type LaboratoryTerms = {
  readonly system: Pick<System, "now" | "random">;
  readonly plans: Plans;
  readonly config: Pick<Config, "seedDomains">;
  /** To our own listener, even if a relay is configured. */
  readonly road: MailTransport;
};

export type Laboratory = {
  /** Returns how many messages the listener accepted. Sends all if no IDs are given. */
  readonly send: (store: OwnStore, ids?: readonly PreparedId[]) => Promise<number>;
  /** Stops sending. Running sends end within that time. */
  readonly stop: (withinMs: number) => Promise<void>;
};

type OwnStore = Pick<WorkspaceStore, "workspaceId" | "read" | "write">;
type Signing = { readonly pair: KeyPair; readonly publicKey: string };

/** How long to wait while other messages are being sent. */
const waitMs = 10_000;
/** For one message. */
const deadlineMs = 30_000;
/** Per workspace. No plan counts samples, but they take space. */
const mostSamples = 500;

export function createLaboratory({ system, plans, config, road }: LaboratoryTerms): Laboratory {
  const gate = createLimiter(1);
  // One at a time per workspace, so that repeated requests take only one slot from the others.
  const gates = createLimiters(1);
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let signing: Promise<Signing> | undefined;

  /** Created on first use and kept while the process runs, because sent messages refer to its public key. */
  function readSigning(): Promise<Signing> {
    signing ??= makeSigning();
    return signing;
  }

  async function sendOne(prepared: Prepared, to: string, { workspaceId }: OwnStore): Promise<void> {
    const { pair, publicKey } = await readSigning();
    const mark = Buffer.from(system.random(12)).toString("hex");
    const { host, id } = prepared;
    const raw = write(prepared, { to, mark, sentAt: system.now() }, pair);
    const laboratory = { clientAddress: host.address, key: publicKey };
    await road.deliver(
      {
        mark: { sendId: null, workspaceId, label: `${labelPrefix}${id}`, laboratory },
        mailFrom: `bounces+${mark}@${host.domain}`,
        rcptTo: to,
        helo: host.helo,
        raw,
      },
      AbortSignal.any([stopping.signal, AbortSignal.timeout(deadlineMs)]),
    );
  }

  async function sendAll(store: OwnStore, ids: readonly PreparedId[]): Promise<number> {
    // Samples do not count toward the limit, but at the limit the listener would refuse them with an unhelpful SMTP
    // error.
    await store.write((scope) => requireRoom(scope, { plans, ceiling: "testsPerMonth", now: system.now() }));
    const to = await readSeedAddress(store.read, config.seedDomains);
    const wanted = preparedMessages.filter(({ id }) => ids.includes(id));
    if ((await countSamples(store.read)) + wanted.length > mostSamples)
      throw new Refusal("conflict", `A workspace can keep at most ${mostSamples} samples. Delete them first.`);
    for (const prepared of wanted) {
      try {
        await sendOne(prepared, to, store);
      } catch (error) {
        throw new Refusal("send_failed", `“${prepared.title}” was not sent. ${toFailureWords(error)}`);
      }
    }
    return wanted.length;
  }

  async function sendInTurn(store: OwnStore, ids: readonly PreparedId[]): Promise<number> {
    if (!(await gate.enter(waitMs))) throw overloaded("The sample gallery is sending for other workspaces");
    const work = stopping.signal.aborted
      ? Promise.reject(overloaded("The server is shutting down"))
      : sendAll(store, ids);
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
      gate.leave();
    }
  }

  return {
    send: async (store, ids = preparedIds) => {
      const { workspaceId } = store;
      if (!(await gates.enter(workspaceId, waitMs)))
        throw overloaded("The sample gallery is already sending for this workspace");
      try {
        return await sendInTurn(store, ids);
      } finally {
        gates.leave(workspaceId);
      }
    },
    stop: async (withinMs) => {
      stopping.abort(new Error("The server stopped while sending."));
      await waitWithTimeout(withinMs, Promise.allSettled(underWay));
      road.close();
    },
  };
}

async function makeSigning(): Promise<Signing> {
  const pair = await createKeyMaker()("rsa");
  const publicKey = pair.publicKey.export({ type: "spki", format: "der" }).toString("base64");
  return { pair, publicKey };
}

type Occasion = Parameters<typeof toBytes>[1];

function write(prepared: Prepared, occasion: Occasion, { privateKey }: KeyPair): Uint8Array {
  const { letter, signedBy, changed } = prepared;
  const written = toBytes(letter, occasion, authorDomain);
  const signers = signedBy === null ? [] : [{ domain: signedBy, selector, algorithm: "rsa" as const, privateKey }];
  const signed = signMessage(written, signers, occasion.sentAt);
  return changed ? Buffer.from(changed(Buffer.from(signed).toString("latin1")), "latin1") : signed;
}

async function readSeedAddress(scope: Scope, seedDomains: readonly string[]): Promise<string> {
  const inbox = await readSampleInbox(scope, seedDomains);
  if (!inbox) throw noSampleInbox(seedDomains);
  return toInboxAddress(inbox);
}

/** The newest test of each sample, by the sample's ID. */
export async function readSamples(scope: Scope): Promise<ReadonlyMap<string, TestsTable>> {
  const rows = await listNewestSamples(scope);
  return new Map(rows.map((row) => [(row.label ?? "").slice(labelPrefix.length), row]));
}

const removedAtOnce = 1_000;

/** Returns the number of removed tests. */
export async function removeSamples(
  store: Pick<WorkspaceStore, "workspaceId" | "readInWorker" | "write">,
  publish: Publish,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const ids = await listSampleIds(store.readInWorker, removedAtOnce);
    const gone = ids.length === 0 ? 0 : await removeTestsOf(store, ids, publish);
    removed += gone;
    // Another request is removing them.
    if (gone === 0 || ids.length < removedAtOnce) return removed;
  }
}
