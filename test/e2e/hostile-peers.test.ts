// Every server that Assay calls, with each way in which it can be broken or hostile: the call ends, an answer without end is
// cut, a redirect isn't followed, and what an operator reads has no control characters. test/platform/system/fetch-doors.test.ts
// has more about HTTP, and test/features/mailboxes/work/hostile.test.ts about IMAP.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { behaviors, type HostilePeer, httpBehaviors, startHostilePeer } from "../hostile-peer.ts";
import { type Peer, peers } from "./hostile-peers-table.ts";

const patienceMs = 60_000;
/** What the largest accepted answer has (4 MiB, S3), twice for the second try, and what the kernel buffers of each. */
const mostTaken = 40_000_000;

let elsewhere: HostilePeer;
beforeAll(async () => {
  elsewhere = await startHostilePeer((socket) => void socket.end());
});
afterAll(() => elsewhere.close());

type Outcome = { readonly how: string; readonly says: string; readonly taken: number };

async function meet(name: string, how: string): Promise<Outcome> {
  const { ask, opening = "", isHttp = false }: Peer = peers[name as keyof typeof peers];
  const all = { ...behaviors, ...(isHttp && httpBehaviors(`http://127.0.0.1:${elsewhere.port}/`)) };
  const peer = await startHostilePeer(all[how as keyof typeof all], opening);
  if (how === refused) peer.close();
  const late = new AbortController();
  try {
    const says = await Promise.race([
      ask(peer.port).catch((error: unknown) => `broke: ${error}`),
      sleep(patienceMs, "never ended", { signal: late.signal }).catch(() => ""),
    ]);
    return { how, says, taken: peer.taken() };
  } finally {
    late.abort();
    peer.close();
  }
}

const refused = "refuses the connection";

test.concurrent.each(Object.keys(peers))(
  "%s can be hostile in every way",
  async (name) => {
    const { isHttp = false, accepts = [], late = /never ended/ }: Peer = peers[name as keyof typeof peers];
    const ways = [refused, ...Object.keys({ ...behaviors, ...(isHttp && httpBehaviors("")) })];
    const outcomes = await Promise.all(ways.map((how) => meet(name, how)));
    if (process.env.SHOW) console.log(name, outcomes);
    const wrong = outcomes.filter(
      ({ how, says, taken }) =>
        /^(?:broke|never)/.test(says) ||
        /[\p{Cc}\u202e]/u.test(says) ||
        taken > mostTaken ||
        (how.includes("without end") && late.test(says)) ||
        (says === "fine" && !accepts.includes(how)),
    );
    expect(wrong).toEqual([]);
    expect(elsewhere.connections()).toBe(0);
  },
  90_000,
);
