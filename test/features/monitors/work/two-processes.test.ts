// Two processes on one database: a deadline is judged once, even if a message arrives at the same moment.

import { expect, test } from "vitest";
import { insertAlert } from "../../../../src/features/alerts/rows/alerts.ts";
import { readWatched } from "../../../../src/features/monitors/rows/expected.ts";
import { insertMonitor } from "../../../../src/features/monitors/rows/monitors.ts";
import { noteArrival } from "../../../../src/features/monitors/work/arrivals.ts";
import { createExpectedWatcher } from "../../../../src/features/monitors/work/expected.ts";
import { beginWatching } from "../../../../src/features/monitors/work/runs.ts";
import { createWorkspace } from "../../../../src/features/people/work/workspaces.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { testSystem } from "../../../test-system.ts";
import { ownWebhook } from "../../alerts/rules/events.ts";

const count = 12;
const terms = {
  schedule: { type: "interval", everyMinutes: 60 },
  match: { inboxId: null, label: "x", sender: null, subjectContains: null, subjectLacks: null, textContains: null },
  graceMinutes: 0,
  minCount: 1,
  alertOnOtherWords: true,
};

eachDialect("expected mail in two processes", (open) => {
  test("expected mail in two processes raise one alert and one recovery", async () => {
    const stores = [await open(), await open()];
    const [store] = stores as [Store, Store];
    const system = testSystem();
    const { id: workspaceId } = await createWorkspace(store, system, {
      name: "Two",
      seedDomain: "seed.example",
      plan: "self-hosted",
    });
    await store.write(async (db) => {
      const scope = inWorkspace(db, workspaceId);
      await insertAlert(scope, {
        ...ownWebhook,
        id: createId("alert", 0, system.random(16)),
        label: "Ann",
        url: "",
        url_shown: "",
        events: '["monitor.changed"]',
        created_at: 0,
      });
      for (let n = 0; n < count; n++) {
        const row = {
          id: createId("monitor", system.now(), system.random(16)),
          kind: "expected" as const,
          name: `M${n}`,
          relay_id: null,
          terms: JSON.stringify(terms),
          enabled: 1,
          state: "new" as const,
          state_since: 0,
          problem: null,
          last_ok_at: null,
          created_at: 0,
          due_at: null,
          next_at: null,
          failing: 0,
          usual: null,
          claimed_by: null,
          claimed_until: null,
          attempts: 0,
        } as const;
        await insertMonitor(scope, row);
        await beginWatching(scope, { ...row, workspace_id: workspaceId }, system);
      }
    });
    const watchers = stores.map((one) =>
      createExpectedWatcher({ store: one, system, hasRoom: async () => true, publish() {} }),
    );
    const poll = () => Promise.all(watchers.map(({ untilIdle }) => untilIdle()));
    const told = async () => {
      const events = await store.read.selectFrom("alert_events").select("payload").execute();
      const deliveries = await store.read.selectFrom("deliveries").select("id").execute();
      const states = events.map(({ payload }) => JSON.parse(payload).state as string);
      const counted = ["down", "up"].map((state) => states.filter((one) => one === state).length);
      return [...counted, deliveries.length];
    };
    await poll();
    for (let minute = 0; minute <= 62; minute += 2) {
      system.advance(120_000);
      await poll();
    }
    expect(await told()).toEqual([count, 0, count]);
    const mail = { inboxId: null, label: "x", address: null, subject: null, text: null, isNotice: false };
    const arrive = (one: Store, testId: string) =>
      one.write(async (db) =>
        noteArrival(
          inWorkspace(db, workspaceId),
          await readWatched(db, workspaceId),
          { ...mail, testId, receivedAt: system.now() },
          system,
        ),
      );
    await Promise.all(stores.flatMap((one, index) => [arrive(one, `tst_${index}`), poll()]));
    expect(await told()).toEqual([count, count, 2 * count]);
  });
});
