// A message that the listener has heard to its end → rows on disk, one test for each workspace that it is for.

import { createId } from "../ids.ts";
import type { SmtpSession } from "../mail/session.ts";
import type { Intake, NewTest } from "../store/intake/intake.ts";
import type { System } from "../system/system.ts";
import type { Recipient } from "./route-recipient.ts";

export type HeardMessage = {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  /** In RCPT order, each at a seed inbox of ours. */
  readonly recipients: readonly Recipient[];
};

/** Resolves when everything is flushed to disk: only then may 250 be said. */
export async function receiveMessage(
  { raw, session, recipients }: HeardMessage,
  intake: Intake,
  system: Pick<System, "now" | "random">,
): Promise<void> {
  const receivedAt = system.now();
  const workspaceIds = [...new Set(recipients.map(({ workspaceId }) => workspaceId))];
  const tests = workspaceIds.map((workspaceId) => ({
    ...toTest(recipients.filter((recipient) => recipient.workspaceId === workspaceId)),
    id: createId("test", receivedAt, system.random(16)),
    workspaceId,
  }));
  await intake.insert([
    {
      bytes: raw,
      session: JSON.stringify(session),
      receivedAt,
      sender: session.mailFrom,
      subject: null,
      tests,
    },
  ]);
}

/** With several recipients of one workspace the first in RCPT order gives inbox and label (decisions §4). */
function toTest(own: readonly Recipient[]): Pick<NewTest, "seedInboxId" | "label" | "recipients"> {
  const [first] = own;
  return {
    seedInboxId: first?.seedInboxId ?? null,
    label: first?.label ?? null,
    recipients: own.map(({ address }) => address),
  };
}
