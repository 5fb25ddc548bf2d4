// Sends the audit log to syslog, after it was committed. Each chain remembers how far it was sent, so that nothing is lost
// while the syslog server is away or Assay is stopped. Entries can arrive twice, after a crash or from two processes.

import { listUnsent, noteSent, readOnwards } from "../../../platform/audit/rows/log.ts";
import { toFramed, toSyslog } from "../../../platform/audit/rules/syslog.ts";
import type { Store } from "../../../platform/database/store.ts";
import { messageOf, Refusal } from "../../../platform/errors.ts";
import type { SendSyslog } from "../../../platform/system/syslog.ts";
import type { System } from "../../../platform/system/system.ts";
import { createWorkLoop, type WorkLoop } from "../../../platform/work/work-loop.ts";

type SyslogFeedOptions = {
  readonly store: Pick<Store, "read" | "write">;
  readonly system: Pick<System, "now" | "log">;
  readonly send: SendSyslog;
  readonly isFramed: boolean;
  /** Our host name. */
  readonly host: string;
};

const everyMs = 5_000;
const sentAtOnce = 200;
/** A server that is away is reported this often. */
const reportEveryMs = 3_600_000;

type SyslogFeed = Pick<WorkLoop, "start" | "stop" | "untilIdle">;

export function createSyslogFeed(options: SyslogFeedOptions): SyslogFeed {
  const { store, system } = options;
  let troubleSince: number | null = null;
  let reportedAt = 0;

  async function report(error: unknown): Promise<void> {
    const now = system.now();
    troubleSince ??= now;
    if (reportedAt !== 0 && now - reportedAt < reportEveryMs) return;
    reportedAt = now;
    const waiting = (await listUnsent(store.read)).reduce((sum, { seq, sent_seq }) => sum + seq - sent_seq, 0);
    const fields = { notSent: waiting, since: new Date(troubleSince).toISOString(), reason: messageOf(error) };
    system.log.warn("the audit log cannot be sent to syslog, and is kept until it can", fields);
  }

  function reportOver(): void {
    if (troubleSince === null) return;
    troubleSince = null;
    reportedAt = 0;
    system.log.info("the audit log is sent to syslog again");
  }

  const loop: WorkLoop = createWorkLoop({
    poll: async () => {
      try {
        const sent = await sendAll(options, loop);
        if (sent > 0) reportOver();
      } catch (error) {
        await report(error);
      }
    },
    every: everyMs,
    system,
    words: { trouble: "sending the audit log failed", over: "sending the audit log is working again" },
  });
  return loop;
}

/** Returns how many. */
async function sendAll(options: SyslogFeedOptions, { serve, stopping }: WorkLoop): Promise<number> {
  const { store, send, isFramed, host } = options;
  let sent = 0;
  const sendChain = async (chain: string, sentSeq: number) => {
    for (let from = sentSeq; !stopping.aborted; ) {
      const rows = await readOnwards({ db: store.read, chain }, from, sentAtOnce);
      const last = rows.at(-1);
      if (last === undefined) break;
      const messages = rows.map(({ hash, ...row }) => toSyslog(row, hash, host));
      await send(isFramed ? messages.map(toFramed) : messages).catch(throwAsAway);
      const to = last.seq;
      if (!(await store.write((db) => noteSent(db, chain, { from, to })))) break;
      sent += rows.length;
      from = to;
    }
  };
  for (const { chain, sent_seq } of await listUnsent(store.read)) await serve(chain, () => sendChain(chain, sent_seq));
  return sent;
}

/** Every chain would fail. */
function throwAsAway(error: unknown): never {
  throw new Refusal("overloaded", messageOf(error));
}
