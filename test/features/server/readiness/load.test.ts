import { expect, test } from "vitest";
import { createLoad } from "../../../../src/features/server/readiness/load.ts";

const hourMs = 3_600_000;

function openWorld() {
  const world = { now: 0, backlog: 0, busy: 0, isDiskFull: false, isResting: false, isMailDeferred: false };
  const load = createLoad({
    now: () => world.now,
    maxBacklog: 1_000,
    backlog: () => world.backlog,
    readBusy: () => world.busy,
    isDiskFull: () => world.isDiskFull,
    isResting: () => world.isResting,
    isMailDeferred: () => world.isMailDeferred,
  });
  return { world, load };
}

test("work is postponed in the documented order as the load grows", () => {
  const { world, load } = openWorld();
  expect(load.postponed()).toEqual([]);
  world.backlog = 100;
  expect(load.postponed()).toEqual(["exports"]);
  world.backlog = 200;
  expect(load.postponed()).toEqual(["exports", "sweeps"]);
  world.isResting = true;
  expect(load.postponed()).toEqual(["exports", "sweeps", "analyses"]);
  world.isMailDeferred = true;
  expect(load.postponed()).toEqual(["exports", "sweeps", "analyses", "mail"]);
});

test("a busy main thread postpones exports, and is measured at most every two seconds", () => {
  const { world, load } = openWorld();
  world.busy = 0.95;
  expect(load.postponed()).toEqual(["exports"]);
  world.busy = 0;
  expect(load.postponed()).toEqual(["exports"]);
  world.now += 2_000;
  expect(load.postponed()).toEqual([]);
});

test("a full disk postpones everything except requests of users", () => {
  const { world, load } = openWorld();
  world.isDiskFull = true;
  expect(load.postponed()).toEqual(["exports", "sweeps", "analyses"]);
});

test("domains are checked after two hours, even if the load never ends", () => {
  const { world, load } = openWorld();
  world.backlog = 500;
  for (; world.now < 2 * hourMs; world.now += 60_000) expect(load.isPostponed("sweeps")).toBe(true);
  expect(load.isPostponed("sweeps")).toBe(false);
  world.now += 60_000;
  expect(load.isPostponed("sweeps")).toBe(false);
  world.backlog = 0;
  world.now += hourMs;
  expect(load.isPostponed("sweeps")).toBe(false);
  world.backlog = 500;
  expect(load.isPostponed("sweeps")).toBe(true);
});
