// Rehearsals: the reply to a message at such an address, and the record of each attempt. The message is on disk before the
// reply, whatever the reply is (src/decisions.md, "Rehearsals").

import {
  type RehearsalTag,
  toChosenReply,
  toProbe,
  toRate,
  toReceiver,
} from "../../../analyzer/mail/headers/rehearsal-address.ts";
import type { SmtpSession } from "../../../analyzer/mail/session/session.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { Server } from "../../../platform/server.ts";
import type { System } from "../../../platform/system/system.ts";
import { waitWithTimeout } from "../../../platform/work/timeout.ts";
import type { RehearsalAnswer, Reply, Special } from "../../intake/rules/answers.ts";
import type { ReceivedMessage } from "../../intake/work/receive-message.ts";
import { hasOtherWorkspaces } from "../../people/rows/workspaces.ts";
import { addAttempt, insertRehearsal, listAttempts, listOpenRehearsals } from "../rows.ts";
import { type Attempt, type MessageAttempt, nextStep } from "../rules/attempt.ts";
import { toReply } from "../rules/replies.ts";
import { toSpan } from "../rules/span.ts";
import type { RehearsalsTable } from "../tables.ts";
import type { AnalysisWatch } from "./analysis-watch.ts";
import { accepted, createPlaces, type Enter, type Judge, type Judged, places } from "./judge.ts";
import { createPreparations, type Preparations } from "./preparations.ts";
import { createRates, type Rates } from "./rates.ts";
import { findSame, type MessageKeys, type SameMessage, toMessageKeys } from "./same-message.ts";

export type Rehearsals = NonNullable<Server["rehearsals"]>;
type RehearsedMessage = Parameters<Rehearsals["answer"]>[0];

type RehearsalOptions = {
  readonly store: Pick<Store, "read" | "write">;
  /** Stores a message and starts its analysis. Returns its test's ID. */
  readonly receive: (message: ReceivedMessage) => Promise<string>;
  readonly judge: Judge;
  readonly watch: Pick<AnalysisWatch, "close">;
  readonly system: Pick<System, "now" | "log">;
  /** A link for the reply, or only the ID. `isLocal`: the client is on this machine. */
  readonly toLink: (testId: string, isLocal: boolean) => string;
  /** How long the slow probe waits. */
  readonly slowMs?: number;
};

/** Longer than most apps wait, and shorter than the ten minutes that a mail server must (RFC 5321 §4.5.3.2.6). */
const slowProbeMs = 60_000;
/** RFC 5321 §4.5.4.1: a sender gives up after four or five days. */
const returnsWithinMs = 5 * 86_400_000;
/** A message that was refused is soon sent again, or not at all. */
const repeatsWithinMs = 86_400_000;
/** The last one is accepted. */
const mostAttempts = 100;

export function createRehearsals(options: RehearsalOptions): Rehearsals {
  const { store, system, watch } = options;
  const preparations = createPreparations(system.now);
  const rates = createRates(system.now);
  const closing = Promise.withResolvers<void>();
  const slow = { enter: createPlaces(places), closing: closing.promise };
  return {
    refuse: (recipient, tag, isFirst) => refuse({ address: recipient.address.toLowerCase(), tag, isFirst }, rates),
    giveBack: (recipient) => rates.giveBack(recipient.address.toLowerCase()),
    answer: (message) => answer(message, { preparations, slow }, options),
    takePreparation: preparations.take,
    putBackPreparation: preparations.putBack,
    endPreparation: async (preparation, seen) => {
      const { workspaceId, rehearsalId, special } = preparation;
      const attempt = { ...seen.client, kind: "connection", special: special.kind } as const;
      const detail = { ...attempt, at: system.now(), reached: seen.reached };
      await store.write((db) => addAttempt(inWorkspace(db, workspaceId), rehearsalId, { attempt: detail }));
    },
    close: () => {
      closing.resolve();
      watch.close();
    },
  };
}

type Asking = { readonly address: string; readonly tag: RehearsalTag; readonly isFirst: boolean };

function refuse({ address, tag, isFirst }: Asking, rates: Rates): Reply | null {
  const chosen = toChosenReply(tag);
  const rate = toRate(tag);
  // 421 ends the connection, so this recipient needs a separate message.
  if (chosen !== null && chosen.to === "recipient" && (isFirst || chosen.code !== 421))
    return { code: chosen.code, lines: [`${chosen.enhanced} ${chosenWords}`] };
  if (rate === null || !isFirst) return null;
  const waitMs = rates.take(address, rate);
  if (waitMs === null) return null;
  const when = `try again in ${toSpan(waitMs)}`;
  return { code: 421, lines: [`4.7.0 Assay rehearsal: this address asks for ${toRateWords(rate)}; ${when}.`] };
}

const chosenWords = "Assay rehearsal: this address asks for this reply.";

function toRateWords(rate: number): string {
  return `at most ${rate} ${rate === 1 ? "message" : "messages"} a minute`;
}

async function answer(
  message: RehearsedMessage,
  { preparations, slow }: { readonly preparations: Preparations; readonly slow: SlowReplies },
  options: RehearsalOptions,
): Promise<RehearsalAnswer> {
  const { store, system, toLink } = options;
  const { session, tag, recipient, isLocal } = message;
  const { workspaceId } = recipient;
  const began = system.now();
  const sizeBytes = message.raw.byteLength;
  const kept = await keep(message, options);
  message.release();
  const before =
    kept.same === undefined ? [] : await listAttempts(inWorkspace(store.read, workspaceId), kept.rehearsalId);
  let hungUp = false;
  void message.gone.then(() => {
    hungUp = true;
  });
  const { judged, prepares } = await decide({ message, kept, before, sizeBytes, slow, preparations }, options);
  if (prepares && session.clientAddress !== null)
    preparations.add(
      { address: session.clientAddress, helo: session.helo },
      { workspaceId, rehearsalId: kept.rehearsalId, address: recipient.address, special: prepares },
    );
  const reply = judged && toReply(judged.status, judged.says, toLink(kept.testId, isLocal));
  const attempt: MessageAttempt = {
    ...toClient(session),
    kind: "message",
    at: began,
    testId: kept.testId,
    likeness: kept.same?.likeness ?? null,
    special: message.preparation?.special.kind ?? null,
    outcome: toOutcome(reply),
    reply,
    because: judged?.because ?? "probe",
    waitedMs: Math.max(0, system.now() - began),
    hungUp,
    finding: judged?.finding ?? null,
    ...(judged?.doubt && { doubt: judged.doubt }),
  };
  const expects = toExpectation(attempt, tag);
  await store.write((db) => addAttempt(inWorkspace(db, workspaceId), kept.rehearsalId, { attempt, expects }));
  system.log.info("rehearsal answered", { test: kept.testId, tag, outcome: attempt.outcome });
  return reply ?? "hang-up";
}

type Kept = {
  readonly rehearsalId: string;
  /** The test with these bytes. */
  readonly testId: string;
  readonly same: SameMessage | undefined;
};

/** Stores the message, unless it is already stored. */
async function keep(message: RehearsedMessage, { store, receive, system }: RehearsalOptions): Promise<Kept> {
  const { raw, session, tag, recipient } = message;
  const { workspaceId } = recipient;
  const address = recipient.address.toLowerCase();
  const keys = toMessageKeys(raw, session.mailFrom);
  const now = system.now();
  const open = await listOpenRehearsals(inWorkspace(store.read, workspaceId), {
    address,
    since: now - returnsWithinMs,
  });
  const isExpected = ({ expects, last_at }: RehearsalsTable) => expects === "again" || now - last_at < repeatsWithinMs;
  const same = findSame(open.filter(isExpected), keys, now);
  if (same?.likeness === "bytes") return { rehearsalId: same.row.test_id, testId: same.row.test_id, same };
  const testId = await receive(message);
  if (same !== undefined) return { rehearsalId: same.row.test_id, testId, same };
  await begin(testId, { store, workspaceId, address, tag, keys, now });
  return { rehearsalId: testId, testId, same };
}

type Beginning = Pick<RehearsalsTable, "address" | "tag"> & {
  readonly store: Pick<Store, "write">;
  readonly workspaceId: string;
  readonly keys: MessageKeys;
  readonly now: number;
};

/** Before the reply, so that the message is recognized even if the sender hangs up and comes again at once. */
async function begin(testId: string, { store, workspaceId, address, tag, keys, now }: Beginning): Promise<void> {
  const row = { ...keys, test_id: testId, address, tag, expects: "again", attempts: 0, last_at: now } as const;
  await store.write((db) => insertRehearsal(inWorkspace(db, workspaceId), row));
}

type SlowReplies = { readonly enter: Enter; readonly closing: Promise<void> };

type Deciding = {
  readonly slow: SlowReplies;
  readonly message: RehearsedMessage;
  readonly kept: Kept;
  readonly before: readonly Attempt[];
  readonly sizeBytes: number;
  readonly preparations: Pick<Preparations, "quietUntil">;
};

type Decision = {
  /** Null: closes the connection without a reply. */
  readonly judged: Judged | null;
  readonly prepares?: Special | undefined;
};

async function decide(
  { message, kept, before, sizeBytes, slow, preparations }: Deciding,
  options: RehearsalOptions,
): Promise<Decision> {
  const { tag, recipient, session, preparation, gone } = message;
  const receiver = toReceiver(tag);
  const probe = toProbe(tag);
  if (before.length + 1 >= mostAttempts)
    return { judged: accepted("too-often", "Accepted: this message came too often.") };
  if (receiver !== null) {
    const answered = before.filter(({ kind }) => kind === "message").length;
    const isAgain = kept.same?.likeness === "bytes";
    const asked = { workspaceId: recipient.workspaceId, clientAddress: session.clientAddress };
    return { judged: await options.judge({ ...asked, testId: kept.testId, receiver, answered, isAgain }) };
  }
  const chosen = toChosenReply(tag);
  if (chosen !== null) {
    const status = { code: chosen.code, enhanced: chosen.enhanced, mark: null };
    return { judged: { status, says: chosenWords, because: "probe", finding: null } };
  }
  if (probe === null) {
    const words = toRateWords(toRate(tag) ?? 0);
    return { judged: accepted("probe", `Assay rehearsal: accepted. This address asks for ${words}.`) };
  }
  const { slowMs = slowProbeMs } = options;
  const mayLimitSize = message.isLocal || !(await hasOtherWorkspaces(options.store.read));
  const { clientAddress: address, helo } = session;
  const quietUntil = address === null ? null : preparations.quietUntil({ address, helo });
  const special = preparation?.special.kind ?? null;
  const standing = { before, special, sizeBytes, slowMs, mayLimitSize, quietUntil };
  const step = nextStep(probe, standing);
  if (step.does === "hang-up") return { judged: null };
  if (step.does === "refuse") {
    const { code, enhanced, says, prepares } = step;
    const status = { code, enhanced, mark: null };
    return { judged: { status, says: `Assay sender probe: ${says}`, because: "probe", finding: null }, prepares };
  }
  if (step.afterMs !== undefined) {
    const leave = slow.enter(recipient.workspaceId, session.clientAddress ?? "");
    if (leave === null) return { judged: accepted("busy", "Accepted without the probe: too many are running.") };
    await waitWithTimeout(step.afterMs, Promise.race([gone, slow.closing]));
    leave();
  }
  return { judged: accepted(step.because, "Assay sender probe: accepted.") };
}

function toClient({ clientAddress, helo, tls }: Pick<SmtpSession, "clientAddress" | "helo" | "tls">) {
  return { address: clientAddress, helo, tls: tls?.version ?? null };
}

function toOutcome(reply: Reply | null): MessageAttempt["outcome"] {
  if (reply === null) return "dropped";
  return reply.code < 400 ? "accepted" : reply.code < 500 ? "deferred" : "refused";
}

/** A sender that didn't get the reply must send the message again. */
function toExpectation({ outcome, hungUp }: MessageAttempt, tag: RehearsalTag): RehearsalsTable["expects"] {
  if (outcome === "deferred" || outcome === "dropped" || hungUp) return "again";
  if (outcome === "refused") return "nothing";
  return tag === "probe-drop" || tag === "probe-slow" ? "nothing" : "done";
}
