// Bounces that raise alerts, and what webhooks got of them.

import type { Receiver } from "../alert-receivers.ts";
import type { AssayProcess } from "../assay-process.ts";
import { toBounceMail } from "../bounce-mail.ts";
import { sendMail } from "../smtp-client.ts";
import { until } from "../until.ts";

export async function sendBounce(
  { smtp, seedAddress }: Pick<AssayProcess, "smtp" | "seedAddress">,
  original: string,
  acknowledged: Set<string>,
): Promise<void> {
  const reply = await sendMail(smtp, toBounceMail(original, seedAddress)).catch(() => "");
  if (reply.startsWith("250")) acknowledged.add(original);
}

export function countRequests(receivers: readonly Receiver[]): number {
  return receivers.reduce((total, { got }) => total + got.length, 0);
}

/** `twice`: an event was raised again, under another ID. One that came again under its own was only repeated. */
export async function compareBounces(
  receivers: readonly Receiver[],
  acknowledged: ReadonlySet<string>,
  patienceMs: number,
) {
  const lost = () => receivers.reduce((sum, { got }) => sum + acknowledged.difference(originalsOf(got)).size, 0);
  await until("each bounce has reached each webhook", () => lost() === 0, patienceMs).catch(() => {});
  const got = receivers.flatMap((receiver) => receiver.got);
  const originals = originalsOf(got);
  const ids = new Set(got.map(({ id, original }) => `${id} ${original}`));
  const firsts = receivers.reduce((sum, receiver) => sum + originalsOf(receiver.got).size, 0);
  return { lost: lost(), twice: ids.size - originals.size, repeats: got.length - firsts, originals };
}

const originalsOf = (got: Receiver["got"]) => new Set(got.map(({ original }) => original));
