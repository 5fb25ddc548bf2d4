// Sends numbered messages over many connections, and checks over the API that every acknowledged one is there once,
// unchanged and analyzed. A message whose 250 never arrived may be there once or not at all.

import { setTimeout as sleep } from "node:timers/promises";
import type { AssayProcess } from "../assay-process.ts";
import { type Mail, openSession } from "../smtp-client.ts";
import { listAll, type Reader, readRaw, type ShownTest } from "./read-tests.ts";

export type Sent = { readonly acknowledged: Set<string>; readonly inDoubt: Set<string> };

export class Refused extends Error {}

type Target = Pick<AssayProcess, "smtp" | "seedAddress">;

/** Sends until the connection breaks, which rejects. Anything but 250 is an error. */
export async function sendOn(target: Target, name: string, sent: Sent): Promise<void> {
  const session = await openSession(target.smtp);
  for (let count = 0; ; count++) {
    const number = `${name}-${count}`;
    const reply = await sendOne(session, number, target, sent);
    if (!reply.startsWith("250")) throw new Refused(`Message ${number} was rejected: ${reply}`);
  }
}

/** Sends until it is stopped, as a mail server does: connects again, and tries again after a 4xx reply. */
export async function sendThrough(
  target: Target,
  name: string,
  sent: Sent,
  { stopping, paceMs }: { readonly stopping: AbortSignal; readonly paceMs: number },
): Promise<{ readonly deferred: number; readonly broken: number }> {
  let [count, deferred, broken] = [0, 0, 0];
  while (!stopping.aborted) {
    try {
      const session = await openSession(target.smtp);
      while (!stopping.aborted) {
        const reply = await sendOne(session, `${name}-${count}`, target, sent);
        if (/^5/.test(reply)) throw new Refused(`Message ${name}-${count} was rejected: ${reply}`);
        if (reply.startsWith("250")) {
          count += 1;
          await sleep(paceMs);
        } else {
          deferred += 1;
          break;
        }
      }
      session.close();
    } catch (error) {
      if (error instanceof Refused) throw error;
      broken += 1;
      count += 1; // its number is in doubt, so it isn't used again
      await sleep(50);
    }
  }
  return { deferred, broken };
}

async function sendOne(
  session: Awaited<ReturnType<typeof openSession>>,
  number: string,
  { seedAddress }: Target,
  { acknowledged, inDoubt }: Sent,
): Promise<string> {
  const mail = toMail(number, seedAddress);
  const refusal = await session.begin(mail);
  if (refusal !== null) return refusal;
  inDoubt.add(number);
  const reply = await session.finish(mail);
  inDoubt.delete(number);
  if (reply.startsWith("250")) acknowledged.add(number);
  return reply;
}

/** The number is in the recipient's label, in the subject and after the last line. Every seventh message is large. */
function toMail(number: string, seedAddress: string): Mail {
  const count = Number(number.split("-").at(-1));
  const filler = "x"
    .repeat(70)
    .concat("\n")
    .repeat(count % 7 === 0 ? 800 : 30);
  return {
    from: "a@sender.example",
    to: [seedAddress.replace("@", `+${number}@`)],
    body: `From: a@sender.example\nSubject: message ${number}\n\n${filler}end of ${number}`,
  };
}

/** Returns how many of those in doubt are there. */
export async function checkAll(reader: Reader, seedAddress: string, { acknowledged, inDoubt }: Sent): Promise<number> {
  const there = new Set<string>();
  for await (const test of listAll(reader)) {
    const number = test.label ?? "";
    if (!acknowledged.has(number) && !inDoubt.has(number))
      throw new Error(`There is an unknown message with the label "${number}" (${test.id}).`);
    if (there.has(number)) throw new Error(`Message ${number} is there twice.`);
    there.add(number);
    await checkOne(reader, test, toMail(number, seedAddress).body.toString());
  }
  for (const number of acknowledged)
    if (!there.has(number)) throw new Error(`Message ${number} was acknowledged but is missing.`);
  const doubtful = [...inDoubt].filter((number) => there.has(number)).length;
  console.log(
    `All ${acknowledged.size} acknowledged messages are there once, byte for byte, and analyzed. Of ${inDoubt.size} whose reply never came ${doubtful} are there, once each.`,
  );
  return doubtful;
}

async function checkOne(reader: Reader, { id, label, subject, status }: ShownTest, body: string): Promise<void> {
  if (status !== "analyzed" || subject !== `message ${label}`)
    throw new Error(`Message ${label} is ${status}, with the subject "${subject}".`);
  if ((await readRaw(reader, id)) !== `${body}\n`.replaceAll("\n", "\r\n"))
    throw new Error(`Message ${label} differs from what was sent.`);
}
