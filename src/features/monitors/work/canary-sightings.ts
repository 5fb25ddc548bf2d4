// Recognizes canaries among the messages in seed mailboxes.

import { readMessageIdToken, readSendToken } from "../../../analyzer/mail/send-token.ts";
import { marksOf } from "../../../analyzer/reports/match-sighting.ts";
import { toObservedProvider } from "../../../analyzer/reports/observation.ts";
import type { Sighting } from "../../../analyzer/reports/sighting.ts";
import type { Server } from "../../../platform/server.ts";
import { noteSighting } from "./canary-run.ts";
import type { DecideTerms } from "./decide.ts";

type MatcherTerms = { readonly sendKey: Uint8Array; readonly system: DecideTerms };

/** Only our own tokens verify, and only the mailbox's workspace has the run. */
export function createCanaryMatcher({ sendKey, system }: MatcherTerms): Server["noteSent"] {
  return async (scope, mailbox, sighting) => {
    const sendId = readToken(sighting, sendKey);
    if (sendId === null) return false;
    const { account } = mailbox;
    const { folder, arrivedAt } = sighting;
    const seen = { sendId, account, provider: toObservedProvider(mailbox), folder, arrivedAt };
    return (await noteSighting(scope, seen, system)) !== null;
  };
}

function readToken(sighting: Sighting, key: Uint8Array): string | null {
  for (const mark of marksOf(sighting)) {
    const sendId = readSendToken(mark, key);
    if (sendId !== null) return sendId;
  }
  return sighting.messageId === null ? null : readMessageIdToken(sighting.messageId, key);
}
