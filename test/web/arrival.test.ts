// A report page that was open before its report: what it shows until then, and how the report comes.

import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { aLetter, brokenLetter, brokenZone } from "./letters.ts";
import { addReader, hasBrowser, type Look, openWebWorld, soon, type WebWorld } from "./web-world.ts";

/** Answers that no name exists, but not before it is released. */
async function startHeldDns() {
  const socket = createSocket("udp4");
  const held: [Buffer, RemoteInfo][] = [];
  let isHeld = true;
  const answer = (packet: Buffer, { port, address }: RemoteInfo) => {
    packet.writeUInt16BE(0x8183, 2);
    socket.send(packet, port, address);
  };
  socket.on("message", (packet, from) => (isHeld ? held.push([packet, from]) : answer(packet, from)));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const release = () => {
    isHeld = false;
    for (const one of held.splice(0)) answer(...one);
  };
  return { server: `127.0.0.1:${socket.address().port}`, release, close: () => void socket.close() };
}

const current = (page: Page) => page.locator("[aria-current=step]");

describe.skipIf(!hasBrowser)("a message that is being analyzed", () => {
  test("a message that is being analyzed is shown with the steps as they happen", async () => {
    const dns = await startHeldDns();
    onTestFinished(dns.close);
    const settings = {
      ASSAY_DNS_SERVERS: dns.server,
      ASSAY_DNS_TIMEOUT_MS: "60000",
      ASSAY_ANALYSIS_BUDGET_MS: "60000",
    };
    const world = await openWebWorld({ machine: { settings } });
    onTestFinished(world.closeAll);
    const reader = await addReader(world);
    const page = await world.openPage(reader.cookie);
    const id = await world.receive(reader.workspaceId, null, aLetter("A letter to look at"));
    await page.goto(`${world.base}/tests/${id}`);
    await soon(() => page.getByRole("figure", { name: "The message" }).innerText()).toMatch(
      /Ann ann@sender\.example\s+A letter to look at/,
    );
    expect(await page.locator(".in-text").innerText()).toContain("Hello.");
    expect(await current(page).innerText()).toBe("Received");
    world.queue.start();
    await soon(() => current(page).innerText()).toBe("Signatures and DNS of sender.example");
    await expectUsableByEveryone(page);
    world.clock.nowMs += 3_000;
    await soon(() => current(page).innerText()).toContain("sender.example: waiting up to 60 seconds");
    world.clock.nowMs += 60_000;
    await soon(() => current(page).innerText()).toContain("sender.example: stopped waiting after 60 seconds");
    // Another one in progress doesn't take the step back.
    await world.receive(reader.workspaceId, null, aLetter("A second letter"));
    world.queue.kick();
    const inProgress = world.store.read.selectFrom("tests").select("id").where("claimed_by", "is not", null);
    await soon(async () => (await inProgress.execute()).length).toBe(2);
    await page.reload();
    await soon(() => current(page).innerText()).toContain("sender.example: stopped waiting after 60 seconds");
    dns.release();
    await soon(() => page.getByRole("heading", { name: /issues? to fix$/ }).count()).toBe(1);
  });
});

describe.skipIf(!hasBrowser)("a report that comes", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
    world.internet.zone = brokenZone;
  });
  afterAll(() => world.closeAll());

  async function watch(look: Look) {
    const reader = await addReader(world);
    const page = await world.openPage(reader.cookie, look);
    const id = await world.receive(reader.workspaceId, null, brokenLetter);
    await page.goto(`${world.base}/tests/${id}`);
    await soon(() => page.frameLocator("iframe").getByRole("heading", { name: "Invoice" }).count()).toBe(1);
    await page.evaluate(noteDrawing);
    await world.analyzeAll();
    await soon(() => page.locator(".card-f").count()).toBeGreaterThan(0);
    return page;
  }

  const statusOf = (page: Page) => page.getByRole("status").filter({ hasText: "Report ready" });

  test.each([1440, 390])(
    "a report that comes while the page waits draws itself within a second, at %i",
    async (width) => {
      const page = await watch({ width, hasMotion: true });
      await soon(() => statusOf(page).innerText()).toMatch(/^Report ready: grade [A-F], \d+ of 100$/);
      await soon(() => page.getByRole("list", { name: "Places of issues" }).getByRole("link").count()).toBeGreaterThan(
        0,
      );
      await soon(() => page.locator(".drawn").count()).toBe(0);
      const drawn = await drawingsOf(page);
      const startOf = (name: string) => drawn.filter(({ part }) => part === name).map(({ delay }) => delay);
      expect(startOf("grade")).toEqual([0]);
      for (const name of ["verdict", "where", "card-f", "pin"]) expect(Math.min(...startOf(name))).toBeGreaterThan(0);
      expect(startOf("card-f")).toEqual(startOf("card-f").toSorted((a, b) => a - b));
      expect(Math.max(...drawn.map(({ end }) => end))).toBeLessThan(1_100);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
      // The message was read again for its pins, which is no step back.
      expect(await page.evaluate(() => history.length)).toBe(2);
      await page.getByRole("tab", { name: "See" }).click();
      await page.getByRole("tab", { name: "Fix" }).click();
      expect(await drawingsOf(page)).toHaveLength(drawn.length);
    },
  );

  test("a report that comes is there at once for people who want less motion", async () => {
    const page = await watch({});
    expect(await drawingsOf(page)).toEqual([]);
    expect(await statusOf(page).count()).toBe(1);
    await expectUsableByEveryone(page);
  });

  test("a report that was there before doesn’t draw itself", async () => {
    const reader = await addReader(world);
    const page = await world.openPage(reader.cookie, { hasMotion: true });
    const id = await world.receive(reader.workspaceId, null, aLetter("An earlier letter"));
    await world.analyzeAll();
    await page.addInitScript(noteDrawing);
    await page.goto(`${world.base}/tests/${id}`);
    await soon(() => page.locator(".card-f").count()).toBeGreaterThan(0);
    expect(await drawingsOf(page)).toEqual([]);
    expect(await statusOf(page).count()).toBe(0);
  });
});

type Drawing = { readonly part: string; readonly delay: number; readonly end: number };

/** Runs in the page: notes each part of the report that is to draw itself, at once, because a busy browser skips some. */
function noteDrawing(): void {
  if (window !== top) return;
  const drawn: Drawing[] = [];
  const known = new WeakSet<Animation>();
  Object.assign(window, { drawn });
  new MutationObserver(() => {
    for (const animation of document.getAnimations()) {
      const { effect } = animation;
      const isDraw = animation instanceof CSSAnimation && animation.animationName === "draw";
      if (!isDraw || known.has(animation) || !(effect instanceof KeyframeEffect) || !effect.target) continue;
      known.add(animation);
      const { target } = effect;
      const { delay = 0, endTime } = effect.getComputedTiming();
      const part = target.closest(".where")?.className ?? target.classList[0] ?? "";
      drawn.push({ part: target.matches(".card-f") ? "card-f" : part, delay, end: Number(endTime) });
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });
}

function drawingsOf(page: Page): Promise<readonly Drawing[]> {
  return page.evaluate(() => (window as unknown as { drawn: Drawing[] }).drawn);
}
