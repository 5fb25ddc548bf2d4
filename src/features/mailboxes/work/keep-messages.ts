// Stores what was read from a mailbox that is a seed inbox: the test, that its message is known, where it was seen, and
// how far the folder was read, in one transaction. So a message becomes one test, whatever is killed and whichever
// process reads it again.

import { createHash } from "node:crypto";
import { readDeliveredTo } from "../../../analyzer/mail/headers/delivered-to.ts";
import { readHeaderSection } from "../../../analyzer/mail/headers/fields.ts";
import { toBoundedSighting, toOwnCopyKey } from "../../../analyzer/reports/match-sighting.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Intake } from "../../intake/rows/intake.ts";
import type { FindOwn } from "../../intake/work/loopback.ts";
import { receiveThroughDoor } from "../../intake/work/receive-message.ts";
import { type Plans, selfHostedPlans } from "../../people/rules/plans.ts";
import { requireRoom } from "../../people/work/ceilings.ts";
import type { IntakeRoom } from "../../server/readiness/room.ts";
import { keepFolderMark } from "../rows/mailboxes.ts";
import { holdMailbox } from "../rows/observations.ts";
import { countReadMessages, noteReadMessage, removeReadMessages } from "../rows/read-messages.ts";
import { insertWaiting } from "../rows/sightings.ts";
import { toRecordingNames } from "../rules/recording-names.ts";
import type { IntegrationsTable } from "../tables.ts";
import type { FolderMark, MailboxServer, ReadMessage } from "./messages.ts";

type ReadMailbox = Pick<IntegrationsTable, "id" | "workspace_id" | "account" | "server">;

/** Returns what the mailbox's status should say. Null: all is well. */
export type KeepMessage = (mailbox: ReadMailbox, read: MessageNews) => Promise<string | null>;

type MessageNews = {
  /** Null: only the mark is new. */
  readonly message: ReadMessage | null;
  readonly mark: FolderMark;
  /** How many messages were skipped because of their size. */
  readonly tooBig: number;
};

type KeeperTerms = {
  readonly store: Pick<Store, "write">;
  readonly intake: Intake;
  readonly hasRoom: IntakeRoom;
  readonly plans?: Plans;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly findOwn: FindOwn;
  /** A test was stored. */
  readonly onReceived: () => void;
};

/** A mailbox that strangers fill must not fill the database. */
const mostAnHour = 1_000;
const hourMs = 3_600_000;
/** Longer than any message is read again. */
const rememberedMs = 40 * 86_400_000;

const tooMany = `More than ${mostAnHour} new messages within an hour. Assay skips the rest.`;

export function createMessageKeeper(terms: KeeperTerms): KeepMessage {
  const { store, system, hasRoom, onReceived } = terms;

  async function keepMark(mailbox: ReadMailbox, mark: FolderMark): Promise<void> {
    await store.write(async (db) => {
      const scope = inWorkspace(db, mailbox.workspace_id);
      if (await holdMailbox(scope, mailbox.id)) await putMark(scope, mailbox.id, mark);
    });
  }

  /** Returns why it is skipped. Throws if it must be read again later. */
  async function keepMessage(mailbox: ReadMailbox, message: ReadMessage, mark: FolderMark) {
    if (!(await hasRoom(mailbox.workspace_id)))
      throw new Refusal("overloaded", "The backlog is full or disk space is low.");
    try {
      const [test = ""] = await keepTest(mailbox, { message, mark }, terms);
      onReceived();
      system.log.info("message read from a mailbox", { test, integration: mailbox.id });
      return null;
    } catch (error) {
      const problem = toProblem(error);
      if (problem === undefined) throw error;
      await keepMark(mailbox, mark);
      return problem;
    }
  }

  return async (mailbox, { message, mark, tooBig }) => {
    if (message !== null) return await keepMessage(mailbox, message, mark);
    await keepMark(mailbox, mark);
    return toSizeProblem(tooBig);
  };
}

function toSizeProblem(count: number): string | null {
  if (count === 0) return null;
  return `Skipped ${count === 1 ? "a message" : `${count} messages`} over the size limit.`;
}

/** Ends the transaction without an error. */
class Skipped extends Error {
  readonly problem: string | null;
  constructor(problem: string | null) {
    super("skipped");
    this.problem = problem;
  }
}

/** Undefined: an error, after which the message is read again. */
function toProblem(error: unknown): string | null | undefined {
  if (error instanceof Skipped) return error.problem;
  return error instanceof Refusal && error.code === "plan_limit" ? `${error.message} New mail is skipped.` : undefined;
}

async function keepTest(
  mailbox: ReadMailbox,
  { message, mark }: { readonly message: ReadMessage; readonly mark: FolderMark },
  { intake, system, findOwn, plans = selfHostedPlans }: KeeperTerms,
): Promise<string[]> {
  const { id, workspace_id: workspaceId, account } = mailbox;
  const { raw } = message;
  const sighting = toBoundedSighting(message.sighting, system.now());
  const { host, inbox } = JSON.parse(mailbox.server ?? "") as MailboxServer;
  const hash = createHash("sha256").update(raw).digest("base64url");
  const check = async (db: Db, testId: string) => {
    const scope = inWorkspace(db, workspaceId);
    const now = system.now();
    if (!(await holdMailbox(scope, id))) throw new Skipped(null); // disconnected meanwhile
    if ((await countReadMessages(scope, id, now - hourMs)) >= mostAnHour) throw new Skipped(tooMany);
    if (!(await noteReadMessage(scope, { integration_id: id, message_hash: hash, seen_at: now })))
      throw new Skipped(null);
    await requireRoom(scope, { plans, ceiling: "testsPerMonth", now });
    await removeReadMessages(scope, id, now - rememberedMs);
    const waitingId = createId("sighting", now, system.random(16));
    const own = { id: waitingId, integrationId: id, sighting: { ...sighting, testId } };
    await insertWaiting(scope, { ...own, keptAt: now, keys: [toOwnCopyKey(testId)] });
    await putMark(scope, id, mark);
  };
  const checked: Intake = {
    insert: (messages) => intake.insert(messages, (db) => check(db, messages[0]?.tests[0]?.id ?? "")),
  };
  const { address, label } = readDeliveredTo(readHeaderSection(raw), account);
  return await receiveThroughDoor(
    {
      raw,
      door: { kind: "imap", mailbox: account },
      recipients: [{ workspaceId, seedInboxId: null, label, address }],
      claims: {
        clientAddress: null,
        helo: null,
        mailFrom: null,
        receivedAt: sighting.arrivedAt,
        trusted: toRecordingNames(host, inbox?.trust ?? []),
      },
    },
    checked,
    system,
    findOwn,
  );
}

async function putMark(
  scope: Scope,
  integration_id: string,
  { path, uidValidity: uid_validity, nextUid: next_uid }: FolderMark,
): Promise<void> {
  await keepFolderMark(scope, { integration_id, path: path.toWellFormed(), uid_validity, next_uid });
}
