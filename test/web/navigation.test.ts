// The rooms of the app, their tabs and shortcuts, the groups of the settings, and where old addresses lead.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { movedPages, rooms } from "../../src/web/client/rooms.ts";
import { aBounce, anAutoReply, aReport } from "../http/arrivals.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const held: { world?: WebWorld; operator?: { readonly cookie: string } } = {};
const worldOf = () => held.world as WebWorld;
const cookieOf = () => held.operator?.cookie ?? "";

beforeAll(async () => {
  if (!hasBrowser) return;
  held.world = await openWebWorld();
  held.operator = await addReader(held.world);
  held.world.clock.nowMs += 1_000;
});
afterAll(() => held.world?.closeAll());

async function open(path: string, cookie = cookieOf()) {
  const page = await worldOf().openPage(cookie);
  await page.goto(worldOf().base + path);
  await page.locator("main h1").waitFor();
  return page;
}

const textOf = (page: Page) => page.locator("main").innerText();
const bar = (page: Page) => page.locator(".bar nav").first();
const tabs = (page: Page) => page.getByRole("navigation", { name: /^Pages of/ });
const current = (page: Page) => tabs(page).locator("[aria-current=page]").innerText();
const placeOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).hash;
const settingsList = (page: Page) => page.getByRole("navigation", { name: "Settings" });

describe.skipIf(!hasBrowser)("the rooms of the app", () => {
  test.each(Object.entries(movedPages))("the old address %s leads to %s", async (old, now) => {
    const page = await open(`${old}?from=bookmark`);
    await soon(() => placeOf(page)).toBe(now);
    expect(new URL(page.url()).search).toBe("?from=bookmark");
    await soon(() => page.locator("main h2").count()).toBeGreaterThan(0);
    const section = new URL(page.url()).hash.slice(1);
    if (section !== "") await soon(() => page.locator(`main [id="${section}"]`).count()).toBe(1);
    expect(await page.getByText("Page not found").count()).toBe(0);
  });

  test("an address that no setting has is an error page", async () => {
    const page = await open("/settings/nonsense");
    await soon(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("Page not found");
  });

  test("the bar has five rooms, and marks the one of each page in it", async () => {
    const page = await open("/monitors");
    const links = bar(page).getByRole("link");
    expect(await links.allInnerTexts()).toEqual(["Home", "Tests", "Watch", "Feedback", "Settings"]);
    const marked = () => bar(page).locator("[aria-current]").allInnerTexts();
    expect(await marked()).toEqual(["Watch"]);
    for (const [path, room] of [
      ["/streams", "Tests"],
      ["/feedback/bounces", "Feedback"],
      ["/integrations", "Settings"],
      ["/canaries/new", "Watch"],
    ] as const) {
      await page.goto(worldOf().base + path);
      await soon(marked).toEqual([room]);
    }
  });

  test.each(rooms.filter((room) => room.tabs !== undefined))(
    "the tabs of $label work with the keyboard alone, after a reload, and with the back button",
    async ({ label, path, tabs: pages = {} }) => {
      const places = Object.entries(pages).map(([path, label]) => ({ path, label }));
      const page = await open(path);
      await page.getByRole("heading", { level: 1, name: label }).waitFor();
      expect(await tabs(page).getByRole("link").allInnerTexts()).toEqual(places.map((place) => place.label));
      await tabs(page).getByRole("link").first().focus();
      for (const place of places.slice(1)) {
        await page.keyboard.press("Tab");
        expect(await page.locator(":focus").innerText()).toBe(place.label);
        await page.keyboard.press("Enter");
        await soon(() => current(page)).toBe(place.label);
        expect(new URL(page.url()).pathname).toBe(place.path);
        await expectUsableByEveryone(page);
        await page.reload();
        await soon(() => current(page)).toBe(place.label);
        await tabs(page).getByRole("link", { name: place.label }).focus();
      }
      await page.goBack();
      await soon(() => current(page)).toBe(places.at(-2)?.label);
    },
  );

  test("g and a letter open each room, and old letters still lead somewhere", async () => {
    const page = await open("/start");
    const letters = [...rooms.map(({ key, path }) => [key, path]), ["o", "/domains"], ["d", "/"]];
    for (const [key = "", path = ""] of letters) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await soon(() => new URL(page.url()).pathname).toBe(movedPages[path] ?? path);
    }
    await page.keyboard.press("?");
    const help = page.getByRole("dialog");
    for (const { label } of rooms) expect(await help.innerText()).toContain(`Go to ${label}`);
  });

  test("g and f in a report open the feedback and don't jump to the issues", async () => {
    const { cookie, workspaceId } = await addReader(worldOf());
    const id = await worldOf().receive(workspaceId);
    await worldOf().analyzeAll();
    const page = await open(`/tests/${id}`, cookie);
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await soon(() => placeOf(page)).toBe("/feedback");
    await page.goBack();
    await soon(() => placeOf(page)).toBe(`/tests/${id}`);
  });

  test("the settings list for each reader only what they may open", async () => {
    const world = worldOf();
    const labels = async (cookie: string) => {
      const page = await open("/settings", cookie);
      await soon(() => page.title()).toBe("Account · Assay");
      return await settingsList(page).getByRole("link").allInnerTexts();
    };
    const mail = ["Receiving", "Sending", "Mailboxes and integrations"];
    const server = ["Server", "Server check", "Public tests", "Blocklists and scanners"];
    const team = ["Account", "Members and workspace", "API tokens"];
    expect(await labels(cookieOf())).toEqual([...team, "Audit log", ...mail, ...server]);
    const owner = await addReader(world, "Olga Berg");
    expect(await labels(owner.cookie)).toEqual([...team, "Audit log", ...mail]);
    const member = await world.addPerson(owner.workspaceId, "member", "Cora Lund");
    expect(await labels(member.cookie)).toEqual([...team, ...mail]);
    const page = await open("/settings/server-check", member.cookie);
    await soon(() => textOf(page)).toContain("Only an owner");
  });

  test.each(["you", "workspace", "receiving", "sending", "server", "server-check", "public", "blocklists"])(
    "the settings page %s is usable by everyone",
    async (name) => {
      const page = await open(`/settings/${name}`);
      await soon(() => page.locator("main [aria-busy=true]").count()).toBe(0);
      await expectUsableByEveryone(page);
    },
  );

  test("a link to a section shows it, although sections above it load later", async () => {
    const page = await open("/settings/sending#samples");
    await soon(() => textOf(page)).toContain("No signing keys yet");
    // The page ends before the heading could be at the top.
    const topOf = () => page.locator("#samples").evaluate((heading) => heading.getBoundingClientRect().top);
    await soon(topOf).toBeLessThan(600);
    expect(await topOf()).toBeGreaterThan(0);
  });

  test("the feedback explains how reports and bounces get there, and shows what arrives", async () => {
    const world = worldOf();
    const { cookie, workspaceId } = await addReader(world);
    const page = await open("/feedback", cookie);
    await soon(() => textOf(page)).toContain("Put a seed address there, and the reports appear here");
    await tabs(page).getByRole("link", { name: "Bounces and complaints" }).click();
    await soon(() => textOf(page)).toContain("sent to a seed address appear here");
    await expectUsableByEveryone(page);
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    const { recipients: gone } = aBounce.notice;
    const late = gone.map((one) => ({ ...one, class: "mailbox_full" as const, hard: false }));
    const recipients = [...late, ...gone];
    const ofTwo = { ...aBounce, notice: { ...aBounce.notice, recipients } };
    for (const recognised of [ofTwo, aReport, anAutoReply]) await world.receiveNoTest(workspaceId, { recognised });
    world.events.publish(workspaceId, { type: "test.recognised", id: "tst_x", became: "bounce" });
    await soon(() => textOf(page)).toContain("550 5.1.1 No such user");
    expect(await textOf(page)).toContain("Hard bounce");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: /^Download the bounce/ }).click(),
    ]);
    expect(await file.failure()).toBeNull();
    await expectUsableByEveryone(page);
    await page.goto(`${page.url()}?bounces=bnc_cut-short`);
    await soon(() => page.getByRole("alert").innerText()).toContain("Couldn’t load the bounces and complaints");
    await page.getByRole("button", { name: "Try again" }).click();
    await soon(() => textOf(page)).toContain("550 5.1.1 No such user");
    expect(await page.getByRole("alert").count()).toBe(0);

    await tabs(page).getByRole("link", { name: "Reports and sources" }).click();
    await soon(() => textOf(page)).toContain("1 of 10 messages failed");
    await soon(() => page.locator("main summary").innerText()).toMatch(
      /Not authenticated: 1 of 10 messages failed DMARC$/,
    );
    expect(await page.getByRole("link", { name: "add the domain" }).getAttribute("href")).toBe(
      "/domains?add=sender.example",
    );
    await expectUsableByEveryone(page);
  });
});
