// Looks up the reverse DNS of the addresses that DMARC reports about monitored domains name, and of those that sent their
// authenticated mail to this server, so that senders have names.
// Anyone can send a report, so each one adds a bounded number of addresses, and each hour a bounded number of questions.

import { isSendingAddress, toPlainAddress } from "../../../analyzer/addresses.ts";
import { findByDomain } from "../../../analyzer/checks/esp.ts";
import { gatherPtr } from "../../../analyzer/facts/gather.ts";
import type { SenderTable } from "../../../analyzer/senders/name-sender.ts";
import { beginningAt } from "../../../platform/ids.ts";
import type { Server } from "../../../platform/server.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import * as rows from "../rows/reverse-names.ts";
import { watchNewDomains } from "./evaluate-feedback.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const readForMs = 30 * dayMs;
const reportsAtOnce = 100;
const mostOfReport = 500;
const mostOfMail = 2_000;
const mostAddresses = 100_000;
/** Anyone can send reports that aren't authenticated. */
const mostUnauthenticated = mostAddresses / 2;
const mostInRun = 200;
const mostInHour = 3_000;
const atOnce = 8;
/** Other chores wait for a run. */
const runMs = 20_000;
const keptMs = 14 * dayMs;
/** After a server that gave no answer. */
const againMs = 6 * hourMs;

type Terms = Pick<Server, "store" | "system" | "config" | "senderTable">;

export function createReverseNamesChore({ store, system, config, senderTable }: Terms): Chore {
  let place = { after: "", begunAt: 0, isDone: true };
  let hour = { began: 0, asked: 0 };

  /** Begins again each hour, because a domain may have been added since. */
  const collect = async (serve: Parameters<Chore["run"]>[1]) => {
    const now = system.now();
    const isBeginning = place.isDone && place.begunAt <= now - hourMs;
    if (isBeginning) place = { after: beginningAt("mailReport", now - readForMs), begunAt: now, isDone: false };
    const reports = await rows.listReportsSince(store.readInWorker, place.after, reportsAtOnce);
    let known = isBeginning || reports.length > 0 ? await rows.countAddresses(store.read) : 0;
    const note = async (found: readonly string[], isAuthenticated: boolean) => {
      const addresses = found.flatMap((address) => toPlainAddress(address) ?? []).filter(isSendingAddress);
      const room = (isAuthenticated ? mostAddresses : mostUnauthenticated) - known;
      const noted = [...new Set(addresses)].slice(0, Math.max(0, room));
      known += noted.length;
      if (noted.length > 0) await store.write((db) => rows.noteAddresses(db, noted, { now, isFirst: isAuthenticated }));
    };
    if (isBeginning)
      await serve("received mail", async () =>
        note(await rows.listSeenAddresses(store.readInWorker, now - readForMs, mostOfMail), true),
      );
    for (const { id, authenticated } of reports)
      await serve(id, async () =>
        note(await rows.listAddressesOf(store.readInWorker, id, mostOfReport), authenticated === 1),
      );
    place = { ...place, after: reports.at(-1)?.id ?? place.after, isDone: reports.length < reportsAtOnce };
  };

  const lookUp = async (address: string) => {
    const fact = await gatherPtr(address, system.dns);
    const now = system.now();
    const found = fact.known ? toHost(fact.value.confirmed, senderTable) : null;
    // Whether a name leads back to the address may not be known, either.
    const isKnown = fact.known && (found !== null || fact.value.forward.every(({ addresses }) => addresses.known));
    const host = isKnown ? found : undefined;
    const dueAt = now + (isKnown ? keptMs : againMs);
    await store.write((db) => rows.noteHost(db, address, { host, now, dueAt }));
  };

  return {
    id: "reverse names",
    everyMs: minuteMs,
    run: async (stopping, serve) => {
      if (config.reverseDns === "off") return;
      await watchNewDomains({ store, system }, stopping);
      await collect(serve);
      const now = system.now();
      if (hour.began <= now - hourMs) hour = { began: now, asked: 0 };
      const due = await rows.listDueAddresses(store.read, now, Math.min(mostInRun, mostInHour - hour.asked));
      for (let begin = 0; begin < due.length && system.now() < now + runMs; begin += atOnce) {
        stopping.throwIfAborted();
        const postpone = (address: string) => (_error: unknown, dueAt: number) =>
          store.write((db) => rows.noteHost(db, address, { host: undefined, now, dueAt }));
        const some = due.slice(begin, begin + atOnce);
        hour.asked += some.length;
        await Promise.all(some.map((address) => serve(address, () => lookUp(address), postpone(address))));
      }
    },
  };
}

const plainName = /^[a-z\d._-]{1,253}$/;

/** A known one, if there are several. */
function toHost(confirmed: readonly string[], table: SenderTable): string | null {
  const names = confirmed.filter((name) => plainName.test(name));
  return names.find((name) => findByDomain(name, table) !== null) ?? names[0] ?? null;
}
