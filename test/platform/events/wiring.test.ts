import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import type { WorkspaceEvent } from "../../../src/features/events/contract.ts";
import { createEventHub } from "../../../src/features/events/work/hub.ts";
import {
  announceRights,
  createEventRelay,
  createEvents,
  type Events,
} from "../../../src/features/events/work/relay.ts";
import { maxNoticeBytes, type Notices } from "../../../src/platform/database/notices.ts";
import { eachDialect } from "../database/each-dialect.ts";
import { storeSystem } from "../database/store-system.ts";

const idOf = (number: number) => `tst_${String(number).padStart(26, "0")}`;
const deleted = (number: number): WorkspaceEvent => ({ type: "test.deleted", id: idOf(number) });

/** Follows a workspace; `until` resolves when the test of that number was told. */
function listen(events: Pick<Events, "follow">, workspaceId = "wsp_a") {
  const heard: WorkspaceEvent[] = [];
  let woken = () => {};
  const wake = () => {
    for (let events = following.take(); events?.length; events = following.take())
      heard.push(...events.map(({ event }) => event));
    woken();
  };
  let askAgain = () => {};
  /** Resolves when the rights of the listener are to be checked again. */
  const rechecked = new Promise<void>((resolve) => {
    askAgain = resolve;
  });
  const place = { workspaceId, follower: "one", afterId: undefined };
  const listener = { rights: [workspaceId, "usr_one"], recheck: askAgain, wake, end() {} };
  const following = events.follow(place, listener);
  const until = async (isEnough: (event: WorkspaceEvent) => boolean) => {
    while (!heard.some(isEnough)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      woken = resolve;
      await promise;
    }
  };
  const has = (number: number) => until((event) => "id" in event && event.id === idOf(number));
  return { heard, until, has, rechecked };
}

eachDialect("events of several processes", (open, dialect) => {
  test.runIf(dialect === "sqlite")(
    "events of several processes are local to one process with a SQLite file",
    async () => {
      expect((await open()).notices).toBeUndefined();
    },
  );

  describe.runIf(dialect === "postgres")("events on one PostgreSQL", () => {
    /** Two that have heard one another. */
    async function openTwo() {
      const begin = async (owner: string) => {
        const { notices } = await open();
        const events = createEvents({ system: storeSystem(), notices, owner });
        onTestFinished(events.close);
        return events;
      };
      const [first, second] = [await begin("a"), await begin("b")];
      await Promise.all([meet(first, listen(second), 1), meet(second, listen(first), 2)]);
      return { first, second };
    }

    /** What is told before the other listens is lost: said again until it is heard. */
    async function meet(teller: Events, listener: ReturnType<typeof listen>, number: number) {
      const timer = setInterval(() => teller.publish("wsp_a", deleted(number)), 50);
      await listener.has(number);
      clearInterval(timer);
    }

    test("events on one PostgreSQL reach the listeners of the other process once, in order", async () => {
      const { first, second } = await openTwo();
      const [here, there, elsewhere] = [listen(first), listen(second), listen(second, "wsp_b")];
      const told = Array.from({ length: 500 }, (_, number) => deleted(1_000 + number));
      for (const event of told) first.publish("wsp_a", event);
      await Promise.all([here.has(1_499), there.has(1_499)]);
      const isOne = (event: WorkspaceEvent) => "id" in event && event.id >= idOf(1_000);
      expect(here.heard.filter(isOne)).toEqual(told);
      expect(there.heard.filter(isOne)).toEqual(told);
      expect(elsewhere.heard).toEqual([]);
    });

    test("events on one PostgreSQL include revoked rights in every process, even if a command revoked them", async () => {
      const { first, second } = await openTwo();
      const [here, there] = [listen(first), listen(second)];
      first.recheck(["usr_one"]);
      await Promise.all([here.rechecked, there.rechecked]);
      const later = listen(second);
      await announceRights(await open(), ["tok_other", "usr_one"]);
      await later.rechecked;
    });

    test("events on one PostgreSQL end in a reset after a lost connection, once the process listens again", async () => {
      const { first, second } = await openTwo();
      const there = listen(second);
      const at = await open.location();
      const admin = new pg.Client({ connectionString: "databaseUrl" in at ? at.databaseUrl : "" });
      await admin.connect();
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'assay events'",
      );
      await admin.end();
      await there.until(({ type }) => type === "reset");
      first.publish("wsp_a", deleted(3));
      await there.has(3);
    });

    test("events on one PostgreSQL ignore foreign messages on the same channel", async () => {
      const { first, second } = await openTwo();
      const there = listen(second);
      const { notices } = await open();
      const entries = '[1,[],["wsp_a"],["wsp_a",{"type":"new"}],[1,2]]';
      await notices?.send([
        "",
        "null",
        "[]",
        "{",
        '{"told":1,"rights":1}',
        '{"rights":[1,null,{}]}',
        `{"told":${entries}}`,
      ]);
      first.publish("wsp_a", deleted(3));
      await there.has(3);
      expect(there.heard.every(({ type }) => type === "test.deleted")).toBe(true);
    });
  });
});

describe("sending events to other processes", () => {
  /** Notices that go nowhere, and fail when told to. */
  function recorded() {
    const sent: string[] = [];
    const state = { fails: false };
    const notices: Notices = {
      send: async (texts) => {
        if (state.fails) throw new Error("The database is gone.");
        sent.push(...texts);
      },
      listen: () => ({ close: async () => {} }),
    };
    const system = storeSystem();
    const relay = createEventRelay({ hub: createEventHub(system), notices, system, owner: "a" });
    return { sent, state, relay };
  }

  test("sending events to other processes starts with a reset for events that a dead process did not send", async () => {
    const { sent, relay } = recorded();
    await relay.close();
    expect(sent).toEqual(['{"by":"a","reset":true}']);
  });

  test("sending events to other processes combines thousands of events into few notifications within PostgreSQL's limit", async () => {
    const { sent, relay } = recorded();
    for (let number = 0; number < 2_000; number++) relay.publish("wsp_a", deleted(number));
    await relay.close();
    expect(sent.length).toBeLessThan(50);
    for (const text of sent) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxNoticeBytes);
    const told = sent.flatMap((text) => JSON.parse(text).told ?? []);
    expect(told).toHaveLength(2_000);
  });

  test("sending events to other processes ends in a reset if an event could not be sent", async () => {
    const { sent, state, relay } = recorded();
    state.fails = true;
    relay.publish("wsp_a", deleted(1));
    await new Promise((resolve) => setTimeout(resolve, 150));
    state.fails = false;
    await relay.close();
    expect(sent).toEqual(['{"by":"a","reset":true}']);
  });
});
