// Faulty and healthy messages through a real Postfix: the bounce that comes home has the predicted code, and for a healthy
// message there is none.

import { setTimeout as pause } from "node:timers/promises";
import type { Rehearsal } from "../../../src/features/rehearsal/contract.ts";
import { toStatuses } from "../../../src/features/rehearsal/rules/replies.ts";
import { type RehearsedLetter, rehearsedLetters, writeNow } from "./letters.ts";
import { type Home, type Sender, startHome, startQueue } from "./senders.ts";
import type { RehearsalWorld } from "./world.ts";

export type ReceiverResult = {
  readonly name: string;
  readonly receiver: string;
  /** As in the report. */
  readonly predicted: string | null;
  readonly replies: readonly string[];
  /** From the bounce. Null: none came. */
  readonly bounced: string | null;
  readonly problem: string | null;
};

export async function proveReceivers(world: RehearsalWorld): Promise<ReceiverResult[]> {
  const home = await startHome();
  const sender = await startQueue(world, { name: "postfix", clientAddress: "203.0.113.7", home });
  try {
    const results: ReceiverResult[] = [];
    for (const [index, letter] of rehearsedLetters.entries())
      results.push(await proveOne(world, { sender, home, letter, index }));
    return results;
  } finally {
    await sender.end();
    await home.close();
  }
}

type Trial = { readonly sender: Sender; readonly home: Home; readonly letter: RehearsedLetter; readonly index: number };

const bounceWithinMs = 15_000;
const quietMs = 4_000;

async function proveOne(
  world: RehearsalWorld,
  { sender, home, letter: { name, receiver, letter, isHealthy }, index }: Trial,
): Promise<ReceiverResult> {
  world.setZone(letter.zone);
  const to = world.toAddress(`as-${receiver}.prove-${index}`);
  const before = home.bounces.length;
  await sender.send({ from: letter.heard.mailFrom, to, bytes: writeNow(letter, to) });
  const rehearsal = await world.until(to, isOver);
  const replies = rehearsal.attempts.map(({ reply }) => reply[0] ?? "");
  const predicted = await readPrediction(world, rehearsal.firstTestId, receiver);
  const isRefused = rehearsal.attempts.at(-1)?.outcome === "refused";
  const deadline = Date.now() + (isRefused ? bounceWithinMs : quietMs);
  while (home.bounces.length === before && Date.now() < deadline) await pause(100);
  const bounce = home.bounces[before];
  const bounced = bounce === undefined ? null : readDiagnosis(bounce);
  const problem =
    (predicted === null) === isHealthy
      ? findProblem(predicted, replies, bounced)
      : "the report predicts something else";
  return { name, receiver, predicted, replies, bounced, problem };
}

function isOver({ attempts }: Rehearsal): boolean {
  const { outcome } = attempts.at(-1) ?? {};
  return outcome === "accepted" || outcome === "refused";
}

async function readPrediction(world: RehearsalWorld, id: string, receiver: string): Promise<string | null> {
  const { placement_results: results } = await world.get(`/api/tests/${id}`);
  const own = results.find(({ provider }: { provider: string }) => provider === receiver);
  return own.predicted.smtp_reply;
}

/** Diagnostic-Code (RFC 3464 §2.3.6), unfolded. */
function readDiagnosis(bounce: string): string {
  const [, diagnosis = "no Diagnostic-Code"] = /^Diagnostic-Code: smtp; ((?:.|\r?\n[ \t])*)/m.exec(bounce) ?? [];
  return diagnosis.replace(/\s+/g, " ");
}

function findProblem(predicted: string | null, replies: readonly string[], bounced: string | null): string | null {
  if (predicted === null) {
    if (bounced !== null) return "a bounce, although the report predicts none";
    return replies.every((reply) => reply.startsWith("250")) ? null : "not accepted";
  }
  const statuses = toStatuses(predicted, false).map(({ code, enhanced }) => ({ code, enhanced }));
  const wrong = statuses.findIndex(({ code, enhanced }, index) => !replies[index]?.startsWith(`${code}-${enhanced} `));
  if (wrong >= 0) return `reply ${wrong + 1} is not the predicted one`;
  const last = statuses.at(-1);
  if (bounced === null) return "no bounce";
  return last !== undefined && bounced.startsWith(`${last.code}`) && bounced.includes(last.enhanced)
    ? null
    : "the bounce has another code";
}
