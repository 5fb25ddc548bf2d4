// For each place that serves rows in the background: rows of three workspaces, and what makes the first one fail.

import { sql } from "kysely";
import { type MailReport, noRows, type ReportedSource } from "../../src/analyzer/mail/reports/mail-class.ts";
import { insertAlert } from "../../src/features/alerts/rows/alerts.ts";
import { createAlertDeliverer } from "../../src/features/alerts/work/deliver.ts";
import { raiseAlert } from "../../src/features/alerts/work/raise.ts";
import { createBackupSchedule } from "../../src/features/backups/work/schedule.ts";
import { startFolding } from "../../src/features/dashboard/work/rollups.ts";
import { insertDomainFeedback } from "../../src/features/feedback/rows/problems.ts";
import { createMailboxWatcher } from "../../src/features/mailboxes/work/watcher.ts";
import { createExpectedWatcher } from "../../src/features/monitors/work/expected.ts";
import { markRemoved } from "../../src/features/people/rows/workspaces.ts";
import { createLateWork } from "../../src/features/server/readiness/late-work.ts";
import { objectChores } from "../../src/features/server/upkeep/objects.ts";
import { pruneByAge } from "../../src/features/server/upkeep/prune.ts";
import { createMoveWatcher } from "../../src/features/streams/work/stream-moves.ts";
import { tidyStreams } from "../../src/features/streams/work/streams.ts";
import { demandExamination } from "../../src/features/tests/rows/examinations.ts";
import { createDnsRetries } from "../../src/features/tests/work/dns-retries.ts";
import { createAnalysisQueue } from "../../src/features/tests/work/queue.ts";
import { createRemovals } from "../../src/features/tests/work/undoable.ts";
import { appendEntry, bySystem } from "../../src/platform/audit/rows/append.ts";
import type { Db } from "../../src/platform/database/schema.ts";
import { inWorkspace } from "../../src/platform/database/scope.ts";
import type { Server } from "../../src/platform/server.ts";
import type { ServeRow } from "../../src/platform/work/serve-row.ts";
import type { WorkLoop } from "../../src/platform/work/work-loop.ts";
import { listChores } from "../../src/server.ts";
import { ownWebhook } from "../features/alerts/rules/events.ts";
import { scriptedThread } from "../features/mailboxes/work/watched-mailboxes.ts";
import type { HttpWorld } from "../http/http-world.ts";
import { placesOf, withMessages } from "../platform/database/message-places.ts";
import { insertDomain, insertIntegration } from "../platform/database/nouns.ts";
import { insertTests } from "../platform/database/test-rows.ts";
import { startS3Server } from "../s3-server.ts";

export type Poisoned = HttpWorld & {
  readonly ids: readonly string[];
  /** The first of them. */
  readonly bad: string;
  /** The place's own, so that it knows what failed before. */
  readonly serve: ServeRow;
};

type Case = {
  /** Makes rows of all workspaces that are due, and poisons those of the first. */
  readonly seed: (world: Poisoned) => Promise<unknown>;
  /** Opens the loop. What it returns runs it once. */
  readonly open: (world: Poisoned) => Promise<() => Promise<unknown>>;
  /** The workspaces whose rows were not served. */
  readonly listLeft: (world: Poisoned) => Promise<readonly string[]>;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const never = new AbortController().signal;

/** What is written to a row fails. */
async function poison({ store, bad }: Poisoned, write: string, when = ""): Promise<void> {
  const row = write.startsWith("insert") ? "new" : "old";
  const owner = write.endsWith("workspaces") ? "id" : write.includes("audit") ? "chain" : "workspace_id";
  const condition = `${row}.${owner} = '${bad}'${when}`;
  const trigger = `create trigger poison before ${write} when ${condition} begin select raise(abort, 'poisoned'); end`;
  await store.write((db) => sql.raw(trigger).execute(db));
}

async function garble({ store, bad }: Poisoned, table: string, column: string): Promise<void> {
  await store.write((db) => sql.raw(`update ${table} set ${column} = '{' where workspace_id = '${bad}'`).execute(db));
}

async function listOwners(db: Db, table: string, where: string): Promise<string[]> {
  const query = sql.raw<{ workspace_id: string }>(`select distinct workspace_id from ${table} where ${where}`);
  return (await query.execute(db)).rows.map(({ workspace_id }) => workspace_id).sort();
}

const left =
  (table: string, where = "true") =>
  ({ store }: Poisoned) =>
    listOwners(store.read, table, where);

async function forEach({ ids, store }: Poisoned, insert: (db: Db, id: string, index: number) => Promise<unknown>) {
  for (const [index, id] of ids.entries()) await store.write((db) => insert(db, id, index));
}

async function post(world: Poisoned, path: string, body: object): Promise<void> {
  for (const workspace of world.ids) {
    const { token } = await world.issueToken(workspace);
    const { status, text } = await world.ask("POST", path, { token, workspace, body });
    if (status !== 201) throw new Error(text);
  }
}

function aReport(domain: string): MailReport {
  return {
    type: "dmarc",
    organization: "Receiver",
    reportId: domain,
    domain,
    beginsAt: Date.UTC(2026, 10, 20),
    endsAt: Date.UTC(2026, 10, 21) - 1_000,
    total: 1,
    failed: 0,
    problem: null,
    ...noRows,
  };
}

function aSource(sourceIp: string): ReportedSource {
  return {
    sourceIp,
    messages: 1,
    disposition: "none",
    dkimAligned: false,
    spfAligned: false,
    headerFrom: null,
    dkim: [],
    spf: [],
    reasons: [],
  };
}

const addressOf = (index: number) => `203.0.113.${index + 1}`;

/** About monitored domains, from an address for each workspace. */
async function seedReports(world: Poisoned): Promise<void> {
  await forEach(world, async (db, id, index) => {
    const domain = `shop${index}.example`;
    const domainId = `dom_shop${index}`;
    await insertDomain(db, { id: domainId, workspaceId: id, domain });
    const row = { domain_id: domainId, workspace_id: id, domain, registrable_domain: domain, due_at: 9e15 };
    await insertDomainFeedback(db, row);
  });
  for (const [index, id] of world.ids.entries())
    await world.receiveNoTest(id, {
      recognised: {
        kind: "report",
        report: { ...aReport(`shop${index}.example`), sources: [aSource(addressOf(index))] },
      },
    });
}

const chore =
  (id: string): Case["open"] =>
  async (world) => {
    const found = listChores(world as unknown as Server).find((one) => one.id === id);
    if (!found) throw new Error(`There is no chore ${id}.`);
    return () => found.run(never, world.serve);
  };

const tidy =
  (name: string): Case["open"] =>
  async (world) => {
    const feature = world.features.find((one) => one.name === name);
    return async () => feature?.tidy?.({ ...world, stopping: never, serve: world.serve });
  };

const oldTests =
  (more: object = {}) =>
  async (world: Poisoned) => {
    for (const [index, id] of world.ids.entries())
      await insertTests(world.store, id, [{ id: `tst_00${index}`, became: "test", due_at: null, ...more }]);
  };

/** The first call starts it. */
function keepRunning({ parts }: Poisoned, loop: Pick<WorkLoop, "start" | "stop"> & Partial<Pick<WorkLoop, "kick">>) {
  parts.defer(() => loop.stop(1_000));
  let isOn = false;
  return async () => {
    if (isOn) loop.kick?.();
    else loop.start();
    isOn = true;
  };
}

export const cases: Readonly<Record<string, Case>> = {
  "features/monitors/work/expected.ts": {
    seed: async (world) => {
      const schedule = { type: "interval", everyMinutes: 60 };
      await post(world, "/api/monitors/expected", { name: "Backup", schedule, match: { label: "backup" } });
      world.clock.nowMs += 2 * hourMs;
      await garble(world, "monitors", "terms");
    },
    open: async (world) => createExpectedWatcher({ ...world, publish: world.events.publish }).untilIdle,
    listLeft: ({ store, clock }) =>
      listOwners(store.read, "monitor_runs", `ended_at is null and expected_by < ${clock.nowMs}`),
  },
  "features/monitors/work/canary-sender.ts": {
    seed: async (world) => {
      await post(world, "/api/monitors/canaries", { name: "Path", relayId: null, schedule: { everyMinutes: 5 } });
      world.clock.nowMs += hourMs;
      await garble(world, "monitors", "terms");
    },
    open: async ({ canarySender }) => canarySender.untilIdle,
    listLeft: async ({ ids, store }) => {
      // The first ones were sent when they were created.
      const sent = await listOwners(store.read, "monitor_runs", `began_at > ${Date.parse("2026-11-21T06:30:00Z")}`);
      return ids.filter((id) => !sent.includes(id));
    },
  },
  "features/alerts/work/deliver.ts": {
    seed: async (world) => {
      await forEach(world, (db, id) => insertListener(db, id));
      await forEach(world, (db, id) =>
        raiseAlert(inWorkspace(db, id), { type: "stream.moved", data: {} as never }, world.system),
      );
      await poison(world, "update on alerts");
    },
    open: async (world) =>
      keepRunning(world, createAlertDeliverer({ ...world, render: () => ({ contentType: "", body: "" }) as never })),
    listLeft: left("deliveries", "last_tried_at is null"),
  },
  "features/streams/work/stream-moves.ts": {
    seed: async (world) => {
      await forEach(world, (db, id, index) => insertStream(db, id, index));
      await garble(world, "streams", "move");
    },
    open: async (world) => createMoveWatcher({ ...world, thread: world.splitThread }).untilIdle,
    listLeft: left("streams", "due_at is not null"),
  },
  "features/streams/work/streams.ts": {
    seed: async (world) => {
      await forEach(world, (db, id, index) => insertStream(db, id, index));
      await poison(world, "delete on streams");
    },
    open: async (world) => () => tidyStreams({ ...world, stopping: never, most: 0 }),
    listLeft: left("streams"),
  },
  "features/audit-log/work/trim.ts": {
    seed: async (world) => {
      await appendOld(world);
      world.clock.nowMs += 400 * dayMs;
      await poison(world, "delete on audit_log");
    },
    open: tidy("audit log"),
    listLeft: listUntrimmed,
  },
  "features/audit-log/work/failures.ts": {
    seed: async (world) => {
      for (const id of world.ids) await world.countFailedLogin(`${id}@people.example`, "192.0.2.7");
      world.clock.nowMs += hourMs;
      await world.store.write((db) =>
        sql
          .raw(`create trigger poison before insert on audit_log when new.object_name = '${world.bad}@people.example'
          begin select raise(abort, 'poisoned'); end`)
          .execute(db),
      );
    },
    open: chore("failed logins"),
    listLeft: async ({ store }) =>
      (await store.read.selectFrom("audit_failures").select("account").execute()).map(({ account }) =>
        account.replace("@people.example", ""),
      ),
  },
  "features/domains/work/watcher.ts": {
    seed: async (world) => {
      await seedDomains(world);
      await poison(world, "update on domains", " and new.checked_at is not old.checked_at");
    },
    open: async ({ domainWatcher }) => domainWatcher.sweep,
    listLeft: left("domains", "checked_at is null"),
  },
  "features/feedback/work/evaluate-feedback.ts": {
    seed: async (world) => {
      await seedDomains(world);
      await poison(world, "update on domain_feedback", " and new.evaluated_at is not old.evaluated_at");
    },
    open: chore("feedback"),
    listLeft: async ({ store, ids }) => {
      const done = await listOwners(store.read, "domain_feedback", "evaluated_at is not null");
      return ids.filter((id) => !done.includes(id));
    },
  },
  "features/feedback/work/reverse-names.ts": {
    seed: async (world) => {
      await seedReports(world);
      const trigger =
        "create trigger poison before insert on reverse_names when new.address = '203.0.113.1' begin select raise(abort, 'poisoned'); end";
      await world.store.write((db) => sql.raw(trigger).execute(db));
    },
    open: chore("reverse names"),
    listLeft: async ({ store, ids }) => {
      const rows = await store.read.selectFrom("reverse_names").select("address").execute();
      return ids.filter((_, index) => !rows.some(({ address }) => address === addressOf(index)));
    },
  },
  "features/feedback/work/old-sources.ts": {
    seed: async (world) => {
      await seedReports(world);
      const before = "update report_sources set forwarded = null";
      const trigger =
        "create trigger poison before update on report_sources when old.source_ip = '203.0.113.1' begin select raise(abort, 'poisoned'); end";
      await world.store.write(async (db) => {
        for (const statement of [before, trigger]) await sql.raw(statement).execute(db);
      });
    },
    open: chore("old report rows"),
    listLeft: async ({ store, ids }) => {
      const rows = await store.read
        .selectFrom("report_sources")
        .select("source_ip")
        .where("forwarded", "is", null)
        .execute();
      return ids.filter((_, index) => rows.some(({ source_ip }) => source_ip === addressOf(index)));
    },
  },
  "features/domains/work/seen-senders.ts": {
    seed: async (world) => {
      // More than are kept of one kind.
      await forEach(world, (db, id) =>
        sql
          .raw(`with recursive count (n) as (select 1 union all select n + 1 from count where n < 150)
          insert into seen_senders select '${id}', 'a.example', 'selector', 'a.example', 's' || n, '',
          ${world.clock.nowMs}, ${world.clock.nowMs}, ${world.clock.nowMs}, 1 from count`)
          .execute(db),
      );
      await poison(world, "delete on seen_senders");
    },
    open: tidy("domains"),
    listLeft: async ({ store }) =>
      await listOwners(store.read, "seen_senders group by workspace_id having count(*) > 100 --", ""),
  },
  "features/mailboxes/work/in-flight.ts": {
    seed: async (world) => {
      for (const id of world.ids)
        await insertIntegration(world.store, id, `int_${id}`, {
          due_at: world.clock.nowMs - (id === world.bad ? 1 : 0),
        });
      await garble(world, "integrations", "server");
    },
    open: async (world) => {
      const { open, watches } = scriptedThread();
      const watcher = createMailboxWatcher({
        ...world,
        sealer: world.integrationSealer,
        publish() {},
        keepSightings: async () => {},
        keepMessage: async () => null,
        maxMessageBytes: 1,
        accessTokenOf: async () => ({ ok: false, problem: "", isFinal: true }),
        openThread: open,
        pollEveryMs: 5,
      });
      watcher.start();
      world.parts.defer(() => watcher.stop(0));
      watchesOf.set(world.bad, () => watches().map(({ id }) => id));
      return async () => watcher.kick();
    },
    listLeft: async ({ bad, ids }) => {
      const names = watchesOf.get(bad)?.() ?? [];
      return ids.filter((id) => !names.some((name) => name.startsWith(`int_${id}/`)));
    },
  },
  "features/tests/work/undoable.ts": {
    seed: async (world) => {
      await oldTests()(world);
      await forEach(world, (db, id, index) =>
        inWorkspace(db, id)
          .insertInto("removals", { test_id: `tst_00${index}`, removal_id: "r", due_at: index })
          .execute(),
      );
      await poison(world, "delete on tests");
    },
    open: async (world) => keepRunning(world, createRemovals({ ...world, publish() {} })),
    listLeft: left("tests"),
  },
  "features/tests/work/examiner.ts": {
    seed: async (world) => {
      await oldTests()(world);
      await forEach(world, (db, id, index) =>
        demandExamination(inWorkspace(db, id), {
          testId: `tst_00${index}`,
          kind: "second-reader",
          now: world.clock.nowMs,
        }),
      );
      await poison(world, "update on test_examinations", " and new.state <> 'waiting'");
    },
    open: async ({ examiner }) => examiner.untilIdle,
    listLeft: left("test_examinations", "state = 'waiting'"),
  },
  "features/tests/work/queue.ts": {
    seed: async (world) => {
      for (const id of world.ids) await world.receive(id);
      await poison(world, "update on tests", " and new.status in ('analyzed', 'failed')");
    },
    open: async (world) => {
      const { analysisPace: pace, thread } = world;
      const terms = { ...world, pace, thread, leaseMs: 60_000, onAnalyzed() {}, publish() {} };
      return keepRunning(world, createAnalysisQueue(terms));
    },
    listLeft: left("tests", "status in ('received', 'analyzing')"),
  },
  "features/tests/work/dns-retries.ts": {
    seed: async (world) => {
      await oldTests()(world);
      await forEach(world, (db, id, index) =>
        inWorkspace(db, id)
          .insertInto("dns_retries", {
            test_id: `tst_00${index}`,
            due_at: index,
            tries: 0,
            was_dead: 0,
            first_analyzed_at: 1,
            first_composite: null,
            updated_at: null,
          })
          .execute(),
      );
    },
    open: async (world) => {
      const reanalyze = async ({ workspaceId }: { readonly workspaceId: string }) => {
        if (workspaceId === world.bad) throw new Error("poisoned");
        await world.store.write((db) =>
          inWorkspace(db, workspaceId).updateTable("dns_retries").set({ due_at: null }).execute(),
        );
      };
      const { run } = createDnsRetries({ ...world, reanalyze: reanalyze as never, isPostponed: () => false });
      return () => run(never, world.serve);
    },
    listLeft: left("dns_retries", "due_at is not null"),
  },
  "features/dashboard/work/rollups.ts": {
    seed: async (world) => {
      for (const id of world.ids) await world.receive(id);
      await world.analyzeAll();
      await garble(world, "rollup_changes", "contribution");
    },
    open: async (world) => {
      const loop = startFolding(world);
      world.parts.defer(() => loop.stop(1_000));
      return async () => {};
    },
    listLeft: left("rollup_changes"),
  },
  "features/monitors/work/tidy.ts": {
    seed: async (world) => {
      await oldTests({ became: "canary" })(world);
      await forEach(world, (db, id) =>
        sql.raw(`insert or replace into test_counts values ('${id}', '2026-01', 'canary', 1, 1)`).execute(db),
      );
      await poison(world, "delete on tests");
    },
    open: tidy("monitors"),
    listLeft: left("tests"),
  },
  "features/alerts/work/tidy-outbox.ts": {
    seed: async (world) => {
      const { nowMs } = world.clock;
      await forEach(world, (db, id, index) =>
        inWorkspace(db, id)
          .insertInto("alert_events", { id: `evt_0${index}`, type: "stream.moved", created_at: nowMs, payload: "{}" })
          .execute(),
      );
      await poison(world, "delete on alert_events");
    },
    open: tidy("alerts"),
    listLeft: left("alert_events"),
  },
  "features/people/work/expiring-tokens.ts": {
    seed: async (world) => {
      for (const id of world.ids) await world.issueToken(id, world.clock.nowMs + 8 * dayMs);
      world.clock.nowMs += 4 * dayMs;
      await poison(world, "update on api_tokens");
    },
    open: chore("expiring tokens"),
    listLeft: left("api_tokens", "noticed_days is null"),
  },
  "features/people/work/workspaces.ts": {
    seed: async (world) => {
      await forEach(world, (db, id) => markRemoved(inWorkspace(db, id), world.clock.nowMs));
      await poison(world, "delete on workspaces");
    },
    open: chore("remove workspaces"),
    listLeft: async ({ store }) =>
      (await store.read.selectFrom("workspaces").select("id").execute()).map(({ id }) => id),
  },
  "features/own-addresses/work/learn.ts": {
    seed: async (world) => {
      await post(world, "/api/domains", { domain: "shop.example" });
      await poison(world, "insert on own_addresses");
    },
    open: chore("learn own addresses"),
    listLeft: async ({ store, ids }) => {
      const learned = await store.read.selectFrom("own_addresses").select("workspace_id").execute();
      return ids.filter((id) => !learned.some(({ workspace_id }) => workspace_id === id));
    },
  },
  "features/own-addresses/work/watch.ts": {
    seed: async (world) => {
      await post(world, "/api/own-addresses", { values: ["203.0.113.9"] });
      Object.assign(world.config, { dnsbls: [{ zone: "bl.spamcop.net", asked: "bl.spamcop.net" }] });
      const names = {
        "2.0.0.127.bl.spamcop.net": { A: ["127.0.0.2"] },
        "9.113.0.203.bl.spamcop.net": { A: ["127.0.0.2"] },
      };
      world.internet.zone = { ...world.internet.zone, ...names };
      await poison(world, "insert on address_listings");
    },
    open: chore("own addresses"),
    listLeft: async ({ store, ids }) => {
      const listed = await store.read.selectFrom("address_listings").select("workspace_id").execute();
      return ids.filter((id) => !listed.some(({ workspace_id }) => workspace_id === id));
    },
  },
  "features/public-tests/work/tidy.ts": {
    seed: async (world) => {
      await oldTests()(world);
      await forEach(world, async (db, _id, index) => {
        const row = { id: `hash ${index}`, local_part: `test-${index}`, created_at: 0, takes_until: 0, ends_at: 0 };
        await db
          .insertInto("public_tests")
          .values({ ...row, test_id: `tst_00${index}`, bytes: 1 })
          .execute();
      });
      await poison(world, "delete on tests");
    },
    open: chore("end public tests"),
    listLeft: left("tests"),
  },
  "features/server/upkeep/prune.ts": {
    seed: async (world) => {
      await oldTests()(world);
      await poison(world, "delete on tests");
    },
    open: async (world) => () => pruneByAge({ ...world, stopping: never, onPruned() {} }, 1),
    listLeft: left("tests"),
  },
  "features/server/upkeep/recurring.ts": {
    seed: async () => {},
    open: async (world) => {
      const tidied = servedOf.getOrInsertComputed(world.bad, () => []);
      const [first, ...rest] = world.ids.map((name) => ({
        name,
        says: "",
        tidy: async () => {
          if (name === world.bad) throw new Error("poisoned");
          tidied.push(name);
        },
      }));
      return chore("housekeeping")({ ...world, features: [first, ...rest] } as never as Poisoned);
    },
    listLeft: async ({ bad, ids }) => ids.filter((id) => !servedOf.get(bad)?.includes(id)),
  },
  "features/tests/work/fill-doors.ts": {
    seed: async (world) => {
      await oldTests({ door: null })(world);
      await poison(world, "update on tests");
    },
    open: chore("test-doors"),
    listLeft: left("tests", "door is null"),
  },
  "features/server/upkeep/objects.ts": {
    seed: async (world) => {
      await world.store.write(async (db) => {
        for (const id of world.ids)
          await db.insertInto("object_removals").values({ object_key: id, stored_in: "s3" }).execute();
      });
    },
    open: async (world) => {
      const server = await startS3Server();
      world.parts.defer(() => server.close());
      const { messages } = withMessages(world.store, placesOf(server)("s3"));
      const { s3: place } = messages;
      const remove = (key: string) => (key === world.bad ? Promise.reject(new Error("poisoned")) : place?.remove(key));
      const store = { ...world.store, messages: { ...messages, s3: { ...place, remove } } } as never;
      return async () => await objectChores({ store, system: world.system })[0]?.run(never, world.serve);
    },
    listLeft: async ({ store }) =>
      (await store.read.selectFrom("object_removals").select("object_key").execute()).map(
        ({ object_key }) => object_key,
      ),
  },
  "features/server/readiness/late-work.ts": {
    seed: async () => {},
    open: async (world) => {
      const duties = world.ids.map((id) => [
        id,
        {
          oldest: async () => {
            if (id === world.bad) throw new Error("poisoned");
            servedOf.getOrInsertComputed(world.bad, () => []).push(id);
          },
          withinMs: 1,
        },
      ]);
      const features = [{ name: "all", says: "", duties: Object.fromEntries(duties) }];
      const lateWork = createLateWork({ ...world, features });
      return lateWork.untilIdle;
    },
    listLeft: async ({ bad, ids }) => ids.filter((id) => !servedOf.get(bad)?.includes(id)),
  },
  // It has one row, so there are no others. An alert says it, too.
  "features/backups/work/schedule.ts": {
    seed: async () => {},
    open: async (world) => {
      const schedule = createBackupSchedule({
        ...world,
        installationId: "one",
        readKey: async () => "",
        spawn: () => {
          throw new Error("poisoned");
        },
      });
      world.parts.defer(() => schedule.stop(0));
      return schedule.start;
    },
    listLeft: async ({ bad }) => [bad],
  },
};

const watchesOf = new Map<string, () => string[]>();
const servedOf = new Map<string, string[]>();

async function insertListener(db: Db, workspaceId: string): Promise<void> {
  await insertAlert(inWorkspace(db, workspaceId), {
    ...ownWebhook,
    id: `alr_${workspaceId}`,
    label: "Ann",
    url: "",
    url_shown: "https://hooks.example",
    events: '["stream.moved"]',
  });
}

async function insertStream(db: Db, workspaceId: string, index: number): Promise<void> {
  await inWorkspace(db, workspaceId)
    .insertInto("streams", {
      id: `str_0${index}`,
      match_key: "a",
      from_domain: "a.example",
      label: "a",
      rule_id: null,
      kind: null,
      created_at: 1,
      last_at: Date.UTC(2030, 0, 1),
      last_test_id: null,
      state: null,
      usual_score: null,
      moved_test_id: null,
      moved_at: null,
      move: null,
      due_at: index,
      claimed_by: null,
      claimed_until: null,
      attempts: 0,
    })
    .execute();
}

async function seedDomains(world: Poisoned): Promise<void> {
  await forEach(world, (db, workspaceId, index) =>
    insertDomain(db, { id: `dom_0${index}`, workspaceId, domain: `${index}.example` }),
  );
  await world.store.write((db) => sql.raw("update domains set due_at = 1").execute(db));
}

async function appendOld(world: Poisoned): Promise<void> {
  const entry = { ...bySystem, action: "workspace.create", object_kind: "workspace", object_name: "One" } as const;
  await forEach(world, (db, id) =>
    appendEntry(db, [id], { ...entry, at: world.clock.nowMs, object_id: id, details: "{}" }),
  );
}

async function listUntrimmed({ store, ids }: Poisoned): Promise<readonly string[]> {
  const heads = store.read.selectFrom("audit_heads").select("chain").where("trimmed_seq", "=", 0).orderBy("chain");
  return (await heads.execute()).flatMap(({ chain }) => (ids.includes(chain) ? chain : []));
}
