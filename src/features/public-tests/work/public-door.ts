// Gives visitors addresses, and takes one message for each.

import { parseSeedAddress } from "../../../analyzer/mail/headers/seed-address.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { createSecret, hashSecret, secretBytes } from "../../../platform/contract/secrets.ts";
import { lockName } from "../../../platform/database/engine/meta.ts";
import { storeOf } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { Server } from "../../../platform/server.ts";
import { reread } from "../../../platform/work/reread.ts";
import type { OneTimeAddresses } from "../../intake/work/one-time.ts";
import { visitorsPlan } from "../../people/rules/plans.ts";
import { removeOldTests } from "../../tests/rows/removal.ts";
import { removeTestsOf } from "../../tests/work/remove-tests.ts";
import * as rows from "../rows.ts";
import { createLocalPart, isLocalPart } from "../rules/addresses.ts";
import type { Counted } from "../rules/counts.ts";
import { type PublicPage, publicPage, toEnd } from "../rules/page.ts";
import type { PublicTestsTable } from "../tables.ts";
import { createGate } from "./gate.ts";
import { createProofs, type Proofs } from "./proof.ts";

/** Long enough to send from any program, short enough that few addresses are open at a time. */
const addressValidMs = 3_600_000;
const dayMs = 86_400_000;
/** Messages of visitors that wait for analysis. The owners' own take turns with them. */
const mostWaiting = 100;
/** Messages that are read from visitors' browsers at a time. Each is held in memory. */
const mostPasting = 4;
const rereadMs = 2_000;

type NewAddress = { readonly secret: string; readonly address: string; readonly takesUntil: number };

type Visit = {
  readonly client: string;
  /** The solved proof of work, if the browser sent one. */
  readonly proof: string | null;
};

export type PublicDoor = OneTimeAddresses & {
  readonly isOn: () => boolean;
  readonly readPage: () => Promise<PublicPage>;
  readonly changePage: (change: Change) => Promise<void>;
  /** For the operator. */
  readonly readOverview: () => Promise<Overview>;
  /** Created when the first visitor comes. */
  readonly workspaceId: () => Promise<string>;
  readonly needsProof: () => boolean;
  readonly proofs: Pick<Proofs, "create">;
  /** Throws a refusal that says when to come again. */
  readonly open: (visit: Visit) => Promise<NewAddress>;
  /** The same for a message that the visitor sends with the request. `keep` stores it, and returns its test. */
  readonly paste: (
    visit: Visit,
    keep: (workspaceId: string) => Promise<{ readonly testId: string; readonly bytes: number }>,
  ) => Promise<Pick<NewAddress, "secret">>;
  /** Undefined: unknown, or over. */
  readonly find: (secret: string) => Promise<PublicTestsTable | undefined>;
  /** Deletes the message, its report, and the page. */
  readonly end: (row: PublicTestsTable) => Promise<void>;
  /** Writes what was counted. */
  readonly flush: () => Promise<void>;
};

type Change = { readonly [Field in keyof PublicPage]?: PublicPage[Field] | undefined };

type Overview = {
  readonly page: PublicPage;
  readonly taken: { readonly tests: number; readonly megabytes: number };
  readonly days: readonly { readonly day: number; readonly numbers: Partial<Record<Counted, number>> }[];
  readonly newest: Awaited<ReturnType<typeof rows.listNewest>>;
};

type DoorTerms = Pick<Server, "store" | "system" | "config" | "secretKey" | "events">;

export function createPublicDoor({ store, system, config, secretKey, events: { publish } }: DoorTerms): PublicDoor {
  const { now, random } = system;
  const gate = createGate(now);
  const proofs = createProofs(secretKey.derive("public tests"), now);
  const readSaved = reread(rereadMs, now, () => rows.readSaved(store.read));
  const readTaking = reread(rereadMs, now, () => rows.readTaking(store.readInWorker));
  const readWaiting = reread(rereadMs, now, async () => {
    const { workspaceId } = await readSaved();
    return workspaceId === null ? 0 : await rows.countWaiting(store.readInWorker, workspaceId);
  });
  const counts = new Map<Counted, number>();
  let pasting = 0;
  const isOn = () => config.publicTests === "on";
  const count = (what: Counted) => void counts.set(what, (counts.get(what) ?? 0) + 1);

  async function workspaceId(): Promise<string> {
    const { workspaceId: known } = await readSaved();
    if (known !== null) return known;
    const createdAt = now();
    const id = createId("workspace", createdAt, random(16));
    const made = await store.write(async (db) => {
      await lockName(db, "public page");
      return await rows.ensureWorkspace(db, { id, name: "Public tests", plan: visitorsPlan, created_at: createdAt });
    });
    readSaved.forget();
    return made;
  }

  /** When there is room again. Null: there is room. */
  async function whyFull({ mostMegabytes }: PublicPage): Promise<{ readonly retryAfterSeconds: number } | null> {
    const { bytes, tests, nextEnd } = await readTaking();
    if (toMegabytes(tests, bytes) < mostMegabytes) return null;
    return { retryAfterSeconds: Math.max(60, Math.ceil(((nextEnd ?? now()) - now()) / 1_000)) };
  }

  async function flush(): Promise<void> {
    const flushed = new Map(counts);
    counts.clear();
    const day = Math.floor(now() / dayMs) * dayMs;
    if (flushed.size > 0) await store.write((db) => rows.addCounts(db, day, flushed));
  }

  const isCrowded = async () => (await readWaiting()) >= mostWaiting;

  function refuse(what: Counted, code: "rate_limited" | "overloaded", says: string, seconds: number): never {
    count(what);
    throw new Refusal(code, says, { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) });
  }

  async function admit({ client, proof }: Visit): Promise<PublicPage> {
    const { page } = await readSaved();
    const full = await whyFull(page);
    if (full) refuse("refused.full", "overloaded", "All space for public tests is taken.", full.retryAfterSeconds);
    if (await isCrowded()) refuse("refused.busy", "overloaded", "Many messages are waiting for their reports.", 60);
    const network = gate.enter(client, page.testsPerHour);
    if (network) refuse("refused.network", "rate_limited", "Too many tests from your network.", network.ms / 1_000);
    if (gate.isBusy() && (proof === null || !(await proofs.accept(proof))))
      refuse(
        "refused.proof",
        "overloaded",
        "Many people are testing right now, so your browser must compute a little, which takes JavaScript.",
        30,
      );
    const all = gate.enterAll();
    if (all) refuse("refused.all", "overloaded", "Too many people are testing right now.", all.ms / 1_000);
    return page;
  }

  async function insert(row: Omit<PublicTestsTable, "id" | "local_part">): Promise<NewAddress> {
    const secret = createSecret(random(secretBytes));
    const localPart = createLocalPart(random(16));
    await store.write((db) => rows.insertPublicTest(db, { ...row, id: hashSecret(secret), local_part: localPart }));
    return { secret, address: `${localPart}@${config.seedDomains[0] ?? ""}`, takesUntil: row.takes_until };
  }

  return {
    isOn,
    readPage: async () => (await readSaved()).page,
    changePage: async (change) => {
      await store.write(async (db) => {
        await lockName(db, "public page");
        const saved = await rows.readSaved(db);
        const page = publicPage.parse({ ...saved.page, ...withoutUndefined(change) });
        await rows.writeSaved(db, { ...saved, page });
        recordChange();
      });
      readSaved.forget();
    },
    readOverview: async () => {
      await flush();
      const [{ page }, { tests, bytes }, counted, newest] = await Promise.all([
        readSaved(),
        rows.readTaking(store.readInWorker),
        rows.listCounts(store.read, now() - shownDays * dayMs),
        rows.listNewest(store.readInWorker, mostShown),
      ]);
      return { page, taken: { tests, megabytes: toMegabytes(tests, bytes) }, days: toDays(counted), newest };
    },
    workspaceId,
    needsProof: gate.isBusy,
    proofs,
    open: async (visit) => {
      await admit(visit);
      await workspaceId();
      const at = now();
      const takesUntil = at + addressValidMs;
      const made = await insert({
        created_at: at,
        takes_until: takesUntil,
        // The page says for a while that nothing came.
        ends_at: takesUntil + addressValidMs,
        test_id: null,
        bytes: 0,
      });
      count("address");
      return made;
    },
    paste: async (visit, keep) => {
      if (pasting >= mostPasting) refuse("refused.busy", "overloaded", "Many messages are being sent right now.", 60);
      pasting += 1;
      const kept = async () => {
        const page = await admit(visit);
        return { page, ...(await keep(await workspaceId())) };
      };
      const { page, testId, bytes } = await kept().finally(() => {
        pasting -= 1;
      });
      const at = now();
      const { secret } = await insert({
        created_at: at,
        takes_until: at,
        ends_at: toEnd(page, at, bytes),
        test_id: testId,
        bytes,
      });
      count("pasted");
      return { secret };
    },
    find: async (secret) => await rows.findPublicTest(store.read, hashSecret(secret), now()),
    route: async ({ localPart }, address, client) => {
      if (!isLocalPart(localPart)) return undefined;
      const row = await rows.findByAddress(store.read, localPart);
      // A visitor's message doesn't become another workspace's once the page is closed.
      if (!isOn()) return row && { outcome: "unknown" };
      if (row === undefined || row.takes_until <= now()) {
        count("refused.unknown");
        return { outcome: "unknown" };
      }
      if (row.test_id !== null) {
        count("refused.spent");
        return { outcome: "spent" };
      }
      if (!gate.mayDeliver(client)) {
        count("refused.sender");
        return { outcome: "slowed" };
      }
      const id = await workspaceId();
      if ((await isCrowded()) || (await whyFull((await readSaved()).page)))
        return { outcome: "crowded", workspaceId: id };
      return {
        outcome: "taken",
        recipient: { workspaceId: id, seedInboxId: null, label: null, address, isOneTime: true },
      };
    },
    take: async (db, address, { id, receivedAt, bytes }) => {
      const { page } = await rows.readSaved(db);
      const localPart = parseSeedAddress(address, config.seedDomains)?.localPart ?? "";
      const endsAt = toEnd(page, receivedAt, bytes);
      if (!(await rows.takeAddress(db, localPart, { testId: id, bytes, now: receivedAt, endsAt })))
        throw new Refusal("conflict", "This address has already received its message.");
      count("received");
    },
    end: async ({ id, test_id }) => {
      // The row goes with its test.
      if (test_id !== null) await removeTestsOf(storeOf(store, await workspaceId()), [test_id], publish);
      await store.write(async (db) => {
        // A bounce stays where only tests are removed.
        if (test_id !== null) await removeOldTests(db, [test_id]);
        await rows.removePublicTest(db, id);
      });
      count("deleted");
    },
    flush,
  };
}

/** What a test takes beside its message: its report, its words, its rows. */
const bytesBeside = 20_000;
const [shownDays, mostShown] = [30, 20];

function toMegabytes(tests: number, bytes: number): number {
  return Math.round((bytes + tests * bytesBeside) / 100_000) / 10;
}

function toDays(counted: Awaited<ReturnType<typeof rows.listCounts>>): Overview["days"] {
  const byDay = Map.groupBy(counted, ({ day }) => day);
  return [...byDay].map(([day, some]) => ({
    day: Number(day),
    numbers: Object.fromEntries(some.map(({ what, number }) => [what, Number(number)])),
  }));
}

function withoutUndefined(change: Change): Partial<PublicPage> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
