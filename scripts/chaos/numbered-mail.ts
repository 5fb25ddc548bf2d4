// Sends numbered messages over many connections, and compares over the API that every acknowledged one is there once,
// unchanged and analyzed. A message whose 250 never arrived may be there once or not at all.

import { setTimeout as sleep } from "node:timers/promises";
import type { AssayProcess } from "../assay-process.ts";
import { headersOf, type Place } from "../bench/many-tests.ts";
import { type Mail, openSession } from "../smtp-client.ts";
import { listAll, type Reader, readRaw } from "./read-tests.ts";

export type Sent = { readonly acknowledged: Set<string>; readonly inDoubt: Set<string> };

export class Refused extends Error {}

type SmtpTarget = Pick<AssayProcess, "smtp" | "seedAddress">;
type WebTarget = Pick<AssayProcess, "http" | "seedAddress">;

export const noneSent = (): Sent => ({ acknowledged: new Set(), inDoubt: new Set() });

/** Sends so many, or until the connection breaks, which rejects. Anything but 250 is an error. */
export async function sendOn(target: SmtpTarget, name: string, sent: Sent, most = Infinity): Promise<void> {
  const session = await openSession(target.smtp);
  for (let count = 0; count < most; count++) {
    const number = `${name}-${count}`;
    const reply = await sendOne(session, number, target, sent);
    if (!reply.startsWith("250")) throw new Refused(`Message ${number} was rejected: ${reply}`);
  }
  session.close();
}

/** Uploads over the API until the connection breaks, which rejects. */
export async function uploadOn(target: WebTarget, access: Place, name: string, sent: Sent): Promise<void> {
  for (let count = 0; ; count++) {
    const number = `${name}-${count}`;
    sent.inDoubt.add(number);
    const answer = await fetch(`${target.http}/api/tests/upload?label=${number}`, {
      method: "POST",
      headers: { ...headersOf(access), "content-type": "message/rfc822" },
      body: asStored(toMail(number, target.seedAddress)),
    });
    if (answer.status !== 201)
      throw new Refused(`Upload ${number} was answered ${answer.status}: ${await answer.text()}`);
    sent.inDoubt.delete(number);
    sent.acknowledged.add(number);
  }
}

/** Sends until it is stopped, as a mail server does: connects again, and tries again after a 4xx reply. */
export async function sendThrough(
  target: SmtpTarget,
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
        if (reply.startsWith("250")) count += 1;
        else deferred += 1;
        await sleep(paceMs);
        if (!reply.startsWith("250")) break;
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
  { seedAddress }: SmtpTarget,
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

function asStored({ body }: Mail): string {
  return `${body}\n`.replaceAll("\n", "\r\n");
}

/** Rejects if there is a message that was never sent, or that is not analyzed or not as it was sent. */
export async function compareAll(reader: Reader, seedAddress: string, { acknowledged, inDoubt }: Sent) {
  const [there, twice] = [new Set<string>(), new Set<string>()];
  for await (const { id, label, subject, status } of listAll(reader)) {
    const number = label ?? "";
    if (!acknowledged.has(number) && !inDoubt.has(number))
      throw new Error(`There is an unknown message with the label "${number}" (${id}).`);
    if (there.has(number)) twice.add(number);
    there.add(number);
    if (status !== "analyzed" || subject !== `message ${number}`)
      throw new Error(`Message ${number} is ${status}, with the subject "${subject}".`);
    if ((await readRaw(reader, id)) !== asStored(toMail(number, seedAddress)))
      throw new Error(`Message ${number} differs from what was sent.`);
  }
  return { lost: acknowledged.difference(there), twice, doubtful: inDoubt.intersection(there).size };
}
