import { afterEach, expect, test } from "vitest";
import { listDeliveries, readLastDelivery } from "../../../../src/features/alerts/rows/deliveries.ts";
import { tidyOutbox } from "../../../../src/features/alerts/work/tidy-outbox.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { serveOrThrow } from "../../../../src/platform/work/serve-row.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { openAlertWorld, stopDeliverers } from "./alert-world.ts";

const goOn = new AbortController().signal;

eachDialect("cleaning the outbox", (open) => {
  afterEach(stopDeliverers);

  test("cleaning the outbox keeps the last hundred finished deliveries of each webhook, all waiting ones, and their events", async () => {
    const world = await openAlertWorld(open);
    const chat = await world.addAlert("chat", "slack");
    await world.raise(310);
    world.start();
    await world.untilFinished(chat);
    const held = await world.addAlert("held", "json", { not_before: world.system.now() + 60_000 });
    const waiting = await world.raise(5);
    await tidyOutbox(world.store, goOn, serveOrThrow);
    const scope = inWorkspace(world.store.read, "wsp_a");
    const finished = (await world.rowsOf(chat)).filter(({ status }) => status === "delivered");
    expect(finished).toHaveLength(100);
    expect((await world.rowsOf(held)).map(({ event_id }) => event_id)).toEqual(waiting);
    expect(await scope.selectFrom("alert_events").select("id").execute()).toHaveLength(105);
    const listed = await listDeliveries(scope, held, 3);
    expect(listed.map(({ event_id }) => event_id)).toEqual(waiting.slice(-3).reverse());
    const last = await readLastDelivery(scope, [chat, held, "alr_none"]);
    expect([...last.keys()]).toEqual([chat, held]);
    expect(last.get(held)).toMatchObject({ status: "pending", type: "test.low_score" });
  });

  test("cleaning the outbox drops the oldest deliveries if there are more than a day can send", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    const events = await world.raise(2_890);
    await tidyOutbox(world.store, goOn, serveOrThrow);
    const dead = (await world.rowsOf(id)).filter(({ status }) => status === "dead");
    expect(dead.map(({ event_id }) => event_id)).toEqual(events.slice(0, 10));
    expect(dead[0]?.problem).toBe("Dropped because 2880 newer alerts were waiting.");
  });
});
