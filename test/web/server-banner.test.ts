import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Episode } from "../../src/features/server/readiness/deferrals.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("the server banner", () => {
  const state: { episodes: Episode[]; postponed: ("exports" | "sweeps")[] } = { episodes: [], postponed: [] };
  let world: WebWorld;
  let reader: Awaited<ReturnType<typeof addReader>>;
  beforeAll(async () => {
    world = await openWebWorld({
      service: {
        look: async () => state.episodes,
        summarize: () => [...state.episodes.map(({ code }) => code), ...state.postponed].join(" "),
        postponed: () => state.postponed,
      },
    });
    reader = await addReader(world);
  });
  afterAll(() => world?.closeAll());

  test("the server banner appears on every page while mail is deferred, with the reason and a fix", async () => {
    const page = await world.openPage(reader.cookie);
    const banner = page.getByRole("status", { name: "Server status" });
    await page.goto(`${world.base}/tests`);
    await soon(() => page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(await banner.count()).toBe(0);
    const since = world.clock.nowMs;
    state.episodes = [{ code: "disk_full", workspaceId: null, since, deferred: 1_234 }];
    await page.goto(`${world.base}/domains`);
    await soon(() => banner.innerText()).toMatch(
      /The disk is full, so new mail is deferred.*Deferred so far: 1,234\. Senders try again\..*delete tests/s,
    );
    await expectUsableByEveryone(page);
    state.episodes = [];
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tests" }).click();
    await soon(() => banner.count()).toBe(0);
  });

  test("the server banner says what is postponed because of the load", async () => {
    state.postponed = ["exports", "sweeps"];
    const page = await world.openPage(reader.cookie, { width: 390 });
    await page.goto(`${world.base}/domains`);
    const banner = page.getByRole("status", { name: "Server status" });
    await soon(() => banner.innerText()).toContain("exports are refused, hourly domain checks wait");
    state.postponed = [];
  });
});
