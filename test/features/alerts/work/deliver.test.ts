import { afterEach, expect, test } from "vitest";
import type { FetchOutcome } from "../../../../src/analyzer/facts/fetch.ts";
import { retryDelivery } from "../../../../src/features/alerts/rows/deliveries.ts";
import { giveUpWaiting } from "../../../../src/features/alerts/rows/outbox.ts";
import type { DeliveryTry } from "../../../../src/features/alerts/work/try-delivery.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { answered, openAlertWorld, stopDeliverers, until, urlOf } from "./alert-world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

eachDialect("the outbox", (open) => {
  afterEach(stopDeliverers);

  test("the outbox delivers each event to a JSON webhook once, the oldest first", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    const events = await world.raise(5);
    world.start();
    await world.untilFinished(id);
    expect(world.received.map((message) => message.id)).toEqual(events);
    expect((await world.rowsOf(id))[0]).toMatchObject({
      status: "delivered",
      tries: 1,
      http_status: 200,
      problem: null,
      told_with: null,
      due_at: null,
      claimed_by: null,
      claimed_until: null,
    });
  });

  test("the outbox counts each attempt by channel and result for metrics", async () => {
    const world = await openAlertWorld(open);
    const [good, bad, gone] = [await world.addAlert("good"), await world.addAlert("bad"), await world.addAlert("gone")];
    world.answers.set(urlOf("bad"), () => 500);
    world.answers.set(urlOf("gone"), () => 410);
    await world.raise(1);
    const tried: DeliveryTry[] = [];
    world.start({ onTried: (one) => void tried.push(one) });
    await world.untilFinished(good);
    await world.untilTried(bad, 1);
    await until(async () => (await world.alert(gone)).enabled === 0);
    expect(tried.map(({ channel, result }) => `${channel} ${result}`).sort()).toEqual([
      "json delivered",
      "json failed",
      "json gone",
    ]);
  });

  test("the outbox retries a failed delivery with the same ID and increasing delays, and finally gives up", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    world.answers.set(urlOf("hook"), () => 500);
    const [event] = await world.raise(1);
    const deliverer = world.start();
    const pauses: number[] = [];
    for (let tries = 1; tries <= 9; tries++) {
      await world.untilTried(id, tries);
      const [row] = await world.rowsOf(id);
      if (row?.due_at == null) break;
      pauses.push(row.due_at - world.system.now());
      world.system.setNow(row.due_at);
      deliverer.kick();
    }
    expect(world.received.map((message) => message.id)).toEqual(Array(9).fill(event));
    const least = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, hourMs, 4 * hourMs, 12 * hourMs, 24 * hourMs];
    for (const [index, pauseMs] of pauses.entries()) {
      expect(pauseMs).toBeGreaterThanOrEqual(least[index] ?? 0);
      expect(pauseMs).toBeLessThanOrEqual(1.2 * (least[index] ?? 0));
    }
    expect(await world.rowsOf(id)).toMatchObject([
      { status: "dead", tries: 9, http_status: 500, problem: "The receiver answered 500." },
    ]);
    expect(await world.alert(id)).toMatchObject({ enabled: 1 });
  });

  test("the outbox sends newer deliveries even if an older one fails", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    const [first, second] = await world.raise(2);
    world.answers.set(urlOf("hook"), (message) => (message.id === first ? 500 : 200));
    const deliverer = world.start();
    await until(() => {
      deliverer.kick();
      return world.received.some((message) => message.id === second);
    });
    await until(async () => (await world.rowsOf(id))[1]?.status === "delivered");
    expect(await world.rowsOf(id)).toMatchObject([{ status: "pending", tries: 1 }, { status: "delivered" }]);
  });

  test("the outbox combines the events within a minute for a chat service", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("chat", "slack");
    const [first] = await world.raise(1);
    const deliverer = world.start();
    await world.untilFinished(id);
    const others = await world.raise(47);
    deliverer.kick();
    world.system.advance(minuteMs);
    deliverer.kick();
    await world.untilFinished(id);
    expect(world.received).toMatchObject([
      { events: [first], more: 0 },
      { events: others.slice(0, 10), more: 37 },
    ]);
    const [, leader, ...rest] = await world.rowsOf(id);
    expect(leader).toMatchObject({ status: "delivered", told_with: null });
    expect(rest.every(({ status, told_with }) => status === "delivered" && told_with === leader?.id)).toBe(true);
  });

  test("the outbox sends a chat service all missed events again after a failure", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("chat", "discord");
    world.answers.set(urlOf("chat"), () => (world.received.length === 1 ? 500 : 204));
    const events = await world.raise(3);
    const deliverer = world.start();
    await world.untilTried(id, 1);
    world.system.advance(6_500);
    deliverer.kick();
    await world.untilFinished(id);
    expect(world.received).toMatchObject([{ events }, { events }]);
  });

  test("the outbox sends 120 in an hour, then one notice that the others wait, and continues in order", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    const events = await world.raise(125);
    const deliverer = world.start();
    const kicked = (count: number) =>
      until(() => {
        deliverer.kick();
        return world.received.length >= count;
      });
    await kicked(121);
    const [notice] = world.received.slice(120);
    expect(notice?.notice).toBe(
      "More than 120 alerts in an hour. The rest will be sent starting at 07:00 UTC, oldest first. If more than 2880 are waiting, the oldest are dropped.",
    );
    world.system.advance(hourMs);
    await kicked(126);
    await world.untilFinished(id);
    const told = world.received.filter((message) => message.notice === null);
    expect(told.map((message) => message.id)).toEqual(events);
    expect(world.received).toHaveLength(126);
  });

  test.each([
    ["json", 410],
    ["slack", 404],
  ] as const)(
    "the outbox disables a %s webhook that answers %i, and drops waiting deliveries with the reason",
    async (kind, status) => {
      const world = await openAlertWorld(open);
      const id = await world.addAlert("hook", kind);
      world.answers.set(urlOf("hook"), () => status);
      await world.raise(1);
      const deliverer = world.start();
      await world.untilFinished(id);
      const because = `The receiver responded with ${status}, so this webhook no longer exists there.`;
      expect(await world.alert(id)).toMatchObject({ enabled: 0, disabled_because: because });
      await world.store.write(async (db) => {
        await db
          .updateTable("deliveries")
          .set({ status: "pending", due_at: world.system.now() + dayMs })
          .execute();
      });
      deliverer.kick();
      await world.untilFinished(id);
      expect(await world.rowsOf(id)).toMatchObject([{ status: "dead", due_at: null, problem: because }]);
      expect(world.received).toHaveLength(1);
    },
  );

  test("the outbox drops the deliveries that wait for a disabled webhook", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    await world.raise(2);
    await world.store.write((db) => db.updateTable("alerts").set({ enabled: 0 }).execute());
    world.start();
    await world.untilFinished(id);
    const problem = "The webhook was turned off before this was sent.";
    expect(await world.rowsOf(id)).toMatchObject([
      { status: "dead", problem },
      { status: "dead", problem },
    ]);
    expect(world.received).toEqual([]);
  });

  test("the outbox delivers to a working webhook before it has dropped the deliveries of a hundred disabled ones", async () => {
    const world = await openAlertWorld(open);
    const off: string[] = [];
    for (let n = 0; n < 100; n++) off.push(await world.addAlert(`off-${n}`));
    await world.raise(1);
    await world.store.write((db) => db.updateTable("alerts").set({ enabled: 0 }).execute());
    const works = await world.addAlert("works");
    await world.raise(1);
    let given = 0;
    const givenWhenTold: number[] = [];
    world.answers.set(urlOf("works"), () => {
      givenWhenTold.push(given);
      return 200;
    });
    world.start({
      events: {
        publish: (_, event) => {
          if ("status" in event && event.status === "dead") given += 1;
        },
      },
    });
    await world.untilFinished(works);
    for (const id of off) await world.untilFinished(id);
    expect(givenWhenTold).toHaveLength(1);
    expect(givenWhenTold[0]).toBeLessThan(100);
  });

  test("the outbox keeps the deliveries of a webhook that was enabled again in time", async () => {
    const { store, addAlert, raise, rowsOf, system } = await openAlertWorld(open);
    const id = await addAlert("hook");
    await raise(1);
    const given = { problem: "It was off.", now: system.now(), limit: 10 };
    expect(await store.write((db) => giveUpWaiting(db, id, given))).toEqual([]);
    expect(await rowsOf(id)).toMatchObject([{ status: "pending" }]);
  });

  test("the outbox retries at the new URL what the old one rejected during the change", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    const answer = Promise.withResolvers<FetchOutcome>();
    world.answers.set(urlOf("hook"), () => answer.promise);
    const events = await world.raise(2);
    const deliverer = world.start();
    await until(() => world.received.length === 1);
    const url = world.sealer.seal(urlOf("new"), `alerts/${id}/url`);
    await world.store.write((db) => db.updateTable("alerts").set({ url }).execute());
    answer.resolve(answered(410));
    await until(() => {
      deliverer.kick();
      return world.receivedBy("new").length === 2;
    });
    await world.untilFinished(id);
    expect(world.receivedBy("new").map((message) => message.id)).toEqual(events);
    expect(await world.alert(id)).toMatchObject({ enabled: 1, failing_since: null });
  });

  test("the outbox starts a new hour after the clock was set back", async () => {
    const world = await openAlertWorld(open);
    const ahead = world.system.now() + 30 * dayMs;
    const id = await world.addAlert("hook", "json", { hour_began_at: ahead, hour_count: 120 });
    await world.raise(1);
    world.start();
    await world.untilFinished(id);
    expect(world.received).toMatchObject([{ notice: null }]);
    expect(await world.alert(id)).toMatchObject({ not_before: null, hour_count: 1 });
  });

  test("the outbox sends nothing to a webhook before its Retry-After has passed", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    world.answers.set(urlOf("hook"), () =>
      world.received.length === 1 ? answered(429, { "retry-after": "300" }) : 200,
    );
    await world.raise(1);
    const deliverer = world.start();
    await world.untilTried(id, 1);
    const asked = world.system.now() + 300_000;
    await world.raise(1);
    expect(await world.alert(id)).toMatchObject({ not_before: asked });
    world.system.setNow(asked - 10);
    // Another webhook's message proves that there was a look meanwhile.
    const other = await world.addAlert("other");
    await world.raise(1);
    world.system.setNow(asked - 1);
    deliverer.kick();
    await world.untilFinished(other);
    expect(world.receivedBy("hook")).toHaveLength(1);
    world.system.setNow(asked);
    deliverer.kick();
    await world.untilFinished(id);
    expect(world.receivedBy("hook")).toHaveLength(4);
  });

  test("the outbox delivers to a working webhook immediately, even if many others hang", async () => {
    const world = await openAlertWorld(open);
    const names = Array.from({ length: 180 }, (_, index) => `hang${index}`);
    for (const name of names) {
      await world.addAlert(name, "json", index(name) % 3 === 0 ? {} : { failing_since: 1 });
      world.answers.set(urlOf(name), () => "hang");
    }
    await world.raise(1);
    const deliverer = world.start();
    await until(() => world.received.length === 60 + 64);
    const id = await world.addAlert("well");
    await world.raise(3);
    deliverer.kick();
    await world.untilFinished(id);
    expect(world.receivedBy("well")).toHaveLength(3);
    expect(world.received).toHaveLength(60 + 64 + 3);
    expect(new Set(world.received.map(({ url }) => url)).size).toBe(60 + 64 + 1);
  });

  test("the outbox disables a webhook that failed for five days", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    world.answers.set(urlOf("hook"), () => 500);
    await world.raise(1);
    const deliverer = world.start();
    await world.untilTried(id, 1);
    await world.store.write((db) => db.updateTable("deliveries").set({ tries: 8 }).execute());
    world.system.advance(5 * dayMs);
    deliverer.kick();
    await world.untilFinished(id);
    expect(await world.alert(id)).toMatchObject({
      enabled: 0,
      disabled_because: "All deliveries have failed since 2026-11-21T06:00Z.",
    });
  });

  test("the outbox keeps a webhook enabled if one delivery succeeds in between", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook", "json", { failing_since: 1 });
    await world.raise(1);
    world.start();
    await world.untilFinished(id);
    expect(await world.alert(id)).toMatchObject({ enabled: 1, failing_since: null });
  });

  test("the outbox sends the deliveries of a killed process again, with the same IDs", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    const [event] = await world.raise(1);
    const claim = { claimed_by: "dead", claimed_until: world.system.now() + 30_000, attempts: 1 };
    await world.store.write((db) => db.updateTable("deliveries").set(claim).execute());
    // It was counted when it was sent first.
    const hour = { hour_began_at: world.system.now(), hour_count: 120 };
    await world.store.write((db) => db.updateTable("alerts").set(hour).execute());
    world.system.advance(30_000);
    world.start();
    await world.untilFinished(id);
    expect(world.received).toMatchObject([{ id: event }]);
  });

  test("the outbox sends each event by only one of two processes", async () => {
    const world = await openAlertWorld(open);
    const ids = await Promise.all(["a", "b", "c"].map((name) => world.addAlert(name)));
    await world.raise(30);
    const both = [world.start(), world.start({ store: await open(), owner: "two" })];
    for (const id of ids) {
      for (const deliverer of both) deliverer.kick();
      await world.untilFinished(id);
    }
    expect(world.received).toHaveLength(90);
    expect(new Set(world.received.map(({ url, id }) => `${url} ${id}`)).size).toBe(90);
  });

  test("the outbox returns running deliveries at shutdown as if they had not been tried", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    world.answers.set(urlOf("hook"), () => "hang");
    await world.raise(1);
    const deliverer = world.start();
    await until(() => world.received.length === 1);
    await deliverer.stop(10);
    expect(await world.rowsOf(id)).toMatchObject([{ status: "pending", tries: 0, claimed_by: null, attempts: 0 }]);
    expect(await world.alert(id)).toMatchObject({ failing_since: null });
    world.answers.clear();
    world.start();
    await world.untilFinished(id);
    expect(world.received[1]?.id).toBe(world.received[0]?.id);
  });

  test("the outbox retries a message that cannot be rendered like a failed delivery, and logs it", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    await world.raise(1);
    const broken = () => {
      throw new Error("no ink");
    };
    world.start({ render: broken });
    await world.untilTried(id, 1);
    expect(await world.rowsOf(id)).toMatchObject([
      { status: "pending", problem: expect.stringMatching(/Internal error/) },
    ]);
    expect(world.system.logged).toMatchObject([{ level: "error", message: "alert rendering failed" }]);
  });

  test.each(["json", "slack"] as const)(
    "the outbox sends the other events to a %s webhook if one of them can't be read",
    async (kind) => {
      const world = await openAlertWorld(open);
      const id = await world.addAlert("hook", kind);
      const [bad = "", ...others] = await world.raise(3);
      await world.store.write((db) =>
        db.updateTable("alert_events").set({ payload: "not JSON" }).where("id", "=", bad).execute(),
      );
      const deliverer = world.start();
      await until(async () => {
        world.system.advance(minuteMs);
        deliverer.kick();
        return (await world.rowsOf(id)).filter(({ status }) => status === "delivered").length >= others.length;
      });
      await until(async () => {
        const left = (await world.rowsOf(id)).find(({ status }) => status === "pending");
        world.system.setNow(left?.due_at ?? world.system.now());
        deliverer.kick();
        return left === undefined;
      });
      expect(world.received).toHaveLength(kind === "json" ? others.length : 1);
      expect((await world.alert(id)).enabled).toBe(1);
    },
  );

  test("the outbox sends the other deliveries while one whose result can't be stored waits", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    const [bad, ...others] = await world.raise(3);
    const onTried = () => {
      if (world.received.length === 1) throw new Error("no room");
    };
    const deliverer = world.start({ onTried });
    await until(() => {
      deliverer.kick();
      return world.received.length === 3;
    });
    world.system.advance(minuteMs);
    deliverer.kick();
    await world.untilFinished(id);
    expect(world.received.map((message) => message.id)).toEqual([bad, ...others, bad]);
  });

  test("the outbox sends a delivery again on request, with the same event", async () => {
    const world = await openAlertWorld(open);
    const id = await world.addAlert("hook");
    const [event] = await world.raise(1);
    const deliverer = world.start();
    await world.untilFinished(id);
    const [row] = await world.rowsOf(id);
    const again = await world.store.write((db) =>
      retryDelivery(inWorkspace(db, "wsp_a"), id, row?.id ?? "", world.system.now()),
    );
    expect(again).toMatchObject({ status: "pending", type: "test.low_score" });
    deliverer.kick();
    await world.untilFinished(id);
    expect(world.received.map((message) => message.id)).toEqual([event, event]);
  });
});

function index(name: string): number {
  return Number(name.replace(/\D/g, ""));
}
