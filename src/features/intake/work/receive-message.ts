// Stores a complete message as one test per recipient workspace. When this resolves, it is on disk.

import type { DoorWith, ToldDoor } from "../../../analyzer/mail/session/doors.ts";
import {
  claimedSession,
  type SessionClaims,
  type SmtpSession,
  sessionOfRecipients,
} from "../../../analyzer/mail/session/session.ts";
import { toSessionText } from "../../../analyzer/mail/session/session-text.ts";
import { toStorable } from "../../../analyzer/mail/text/bounds.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import type { TestsTable } from "../../tests/tables.ts";
import type { Intake, NewTest } from "../rows/intake.ts";
import type { Arrived, FindOwn } from "./loopback.ts";
import type { OneTimeAddresses } from "./one-time.ts";
import type { Recipient } from "./route-recipient.ts";

export type ReceivedMessage = {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  /** In RCPT order, each at a seed inbox. */
  readonly recipients: readonly Recipient[];
};

export type UploadedMessage = {
  readonly raw: Uint8Array;
  readonly workspaceId: string;
  readonly label: string | null;
  /** What the uploader says about the session; null if not given. */
  readonly claims: Omit<SessionClaims, "rcptTo" | "door">;
};

type DoorMessage = {
  readonly raw: Uint8Array;
  readonly door: ToldDoor & DoorWith<{ readonly arrives: true }>;
  /** At least one, because a message without recipients didn't arrive. */
  readonly recipients: readonly [Recipient, ...Recipient[]];
  /**
   * What the door says about the session that brought the message to it; null if it doesn't say. `trusted`: the names
   * under which it records what it saw.
   */
  readonly claims: UploadedMessage["claims"];
};

/** The listener may answer 250 only after this resolves. Returns the test IDs, one per workspace. */
export async function receiveMessage(
  { raw, session, recipients }: ReceivedMessage,
  intake: Intake,
  system: Pick<System, "now" | "random">,
  findOwn: FindOwn = async () => null,
  takeOneTime?: OneTimeAddresses["take"],
): Promise<string[]> {
  const arrived = await findOwn({ raw, session, recipients });
  const ownOf = Map.groupBy(recipients, ({ workspaceId }) => workspaceId);
  const tests = [...ownOf].map(([workspaceId, own]) => ({
    ...withMark(toTest(own), arrived, workspaceId),
    workspaceId,
    session: markLooped(
      ownOf.size === 1 ? session : sessionOfRecipients(session, toAddresses(own)),
      arrived,
      workspaceId,
    ),
  }));
  const oneTime = recipients.find(({ isOneTime }) => isOneTime);
  const take: KeepCheck | undefined =
    oneTime &&
    (async (db, kept) => {
      const test = kept.find(({ workspaceId }) => workspaceId === oneTime.workspaceId);
      if (test) await takeOneTime?.(db, oneTime.address, test);
    });
  return await keep(raw, tests, intake, system, take);
}

/**
 * The same for a message that arrived through a door where we did not see its session. It is a test like one received by
 * SMTP. Returns the test IDs, one per workspace
 * (src/decisions.md, "Mail without port 25").
 */
export async function receiveThroughDoor(
  { raw, door, recipients, claims }: DoorMessage,
  intake: Intake,
  system: Pick<System, "now" | "random">,
  findOwn?: FindOwn,
): Promise<string[]> {
  const session = claimedSession({ ...claims, door, rcptTo: toAddresses(recipients) });
  return await receiveMessage({ raw, session, recipients }, intake, system, findOwn);
}

/** Returns the test's ID. */
export async function receiveUpload(
  { raw, workspaceId, label, claims }: UploadedMessage,
  intake: Intake,
  system: Pick<System, "now" | "random">,
): Promise<string> {
  const session = claimedSession({ ...claims, rcptTo: [] });
  const test = { workspaceId, session, seedInboxId: null, label, recipients: [] };
  const [id = ""] = await keep(raw, [test], intake, system);
  return id;
}

/** Only a message that arrived has a recipient. An upload counts nowhere. */
export function hasArrived({ recipients }: Pick<TestsTable, "recipients">): boolean {
  return recipients !== "[]";
}

type TestToKeep = Omit<NewTest, "id" | "session"> & { readonly session: SmtpSession };

/** In the transaction that stores them. */
type KeepCheck = (
  db: Db,
  tests: readonly { id: string; workspaceId: string; receivedAt: number; bytes: number }[],
) => Promise<void>;

async function keep(
  raw: Uint8Array,
  kept: readonly TestToKeep[],
  intake: Intake,
  system: Pick<System, "now" | "random">,
  check?: KeepCheck,
): Promise<string[]> {
  const receivedAt = system.now();
  const mailFrom = kept[0]?.session.mailFrom ?? null;
  const sender = mailFrom === null ? null : toStorable(mailFrom);
  const tests = kept.map((test) => ({
    ...test,
    id: createId("test", receivedAt, system.random(16)),
    session: toSessionText(test.session),
  }));
  const bytes = raw.byteLength;
  const message = { bytes: raw, receivedAt, sender, tests };
  await intake.insert(
    [message],
    check &&
      ((db) =>
        check(
          db,
          tests.map(({ id, workspaceId }) => ({ id, workspaceId, receivedAt, bytes })),
        )),
  );
  return tests.map(({ id }) => id);
}

/**
 * With several recipients in one workspace, the first in RCPT order sets inbox and label
 * (src/decisions.md, "Seed inboxes").
 */
function toTest(own: readonly Recipient[]): TestAddress {
  const [first] = own;
  // A stranger's test counts nowhere, like an upload: nothing is learned from it, and nothing waits for it.
  const counted = own.filter(({ isOneTime }) => !isOneTime);
  return { seedInboxId: first?.seedInboxId ?? null, label: first?.label ?? null, recipients: toAddresses(counted) };
}

type TestAddress = Pick<NewTest, "seedInboxId" | "label" | "recipients">;

/** The address's label is more specific than the send's. */
function withMark(
  test: TestAddress,
  arrived: Arrived | null,
  workspaceId: string,
): TestAddress & Pick<NewTest, "sendId" | "isSample" | "isCanary"> {
  if (arrived?.mark.workspaceId !== workspaceId) return test;
  const { sendId, label, laboratory, isCanary = false } = arrived.mark;
  return { ...test, sendId, label: test.label ?? label, isSample: laboratory !== undefined, isCanary };
}

function markLooped(session: SmtpSession, arrived: Arrived | null, workspaceId: string): SmtpSession {
  if (!arrived?.isLooped || arrived.mark.workspaceId !== workspaceId) return session;
  const { laboratory } = arrived.mark;
  if (laboratory === undefined) return { ...session, looped: true };
  const { clientAddress, key } = laboratory;
  const client = { clientAddress, clientPort: null, clientName: null, via: null };
  return { ...session, ...client, looped: true, laboratory: { key } };
}

function toAddresses(recipients: readonly Recipient[]): string[] {
  return recipients.map(({ address }) => address);
}
