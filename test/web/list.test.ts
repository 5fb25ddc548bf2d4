import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { undoableMs } from "../../src/features/tests/work/undoable.ts";
import { inWorkspace } from "../../src/platform/database/scope.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { aLetter } from "./letters.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("the list of tests", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld({ eventBounds: { beatMs: 300 } });
  });
  afterAll(() => world.closeAll());

  async function openList(subjects: readonly string[]) {
    const reader = await addReader(world);
    for (const subject of subjects) {
      world.clock.nowMs += 1_000;
      await world.receive(reader.workspaceId, null, aLetter(subject));
    }
    await world.analyzeAll();
    const page = await world.openPage(reader.cookie);
    await page.goto(`${world.base}/tests`);
    const shown = () => page.locator("a.subject").allInnerTexts();
    if (subjects.length > 0) await soon(shown).toEqual(subjects.toReversed());
    return { page, shown, ...reader };
  }

  test("the list of tests says where to send mail if it is empty, and fills automatically", async () => {
    const { page, shown, seedAddress, workspaceId } = await openList([]);
    await soon(() => page.getByText(seedAddress, { exact: true }).isVisible()).toBe(true);
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    await world.receive(workspaceId, "welcome", aLetter("Just now"));
    await soon(shown).toEqual(["Just now"]);
    expect(await page.getByText("Waiting for analysis").isVisible()).toBe(true);
    expect(await page.locator("th .label").innerText()).toContain("@");
    await world.analyzeAll();
    await soon(shown).toEqual(["Just now"]);
    await soon(() => page.locator("td[data-l=Score]").innerText()).toMatch(/^\d+\s+provisional$/);
    expect(await page.locator("td[data-l=Label]").innerText()).toBe("welcome");
  });

  test("the list of tests leaves room for the other columns if a subject has no spaces", async () => {
    const { page } = await openList(["X".repeat(90)]);
    await page.setViewportSize({ width: 1280, height: 900 });
    const card = await page.locator(".card.flush").boundingBox();
    const received = await page.locator("td[data-l=Received]").boundingBox();
    const edge = (box: typeof card) => (box?.x ?? 0) + (box?.width ?? 0);
    expect(edge(received)).toBeLessThanOrEqual(edge(card));
  });

  test("the list of tests can be used by keyboard, and returns to the last position", async () => {
    const { page } = await openList(["One", "Two", "Three"]);
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
    await page.keyboard.press("j");
    expect(await focused()).toBe("Three");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    expect(await focused()).toBe("Two");
    await page.keyboard.press("Enter");
    await soon(() => page.title()).toBe("Two · Assay");
    await page.goBack();
    await soon(() => page.title()).toBe("Tests · Assay");
    await page.keyboard.press("?");
    await soon(() => page.getByRole("dialog", { name: "Keyboard shortcuts" }).isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await soon(() => page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("/");
    await page.keyboard.type("j");
    expect(await page.getByRole("searchbox").inputValue()).toBe("j");
  });

  test("the list of tests has a search with its own URL, which reports what it did not understand", async () => {
    const { page, shown } = await openList(["Autumn list", "Invoice 7"]);
    await page.getByRole("searchbox").fill("invoice score:>0");
    await page.keyboard.press("Enter");
    await soon(shown).toEqual(["Invoice 7"]);
    expect(new URL(page.url()).searchParams.get("q")).toBe("invoice score:>0");
    await page.getByRole("button", { name: "Remove invoice" }).click();
    await soon(shown).toEqual(["Invoice 7", "Autumn list"]);
    await page.goBack();
    await soon(shown).toEqual(["Invoice 7"]);
    await page.getByRole("searchbox").fill("colour:red");
    await page.keyboard.press("Enter");
    await soon(() => page.getByRole("alert").innerText()).toContain("Unknown filter “colour:”.");
    expect(await shown()).toEqual([]);
    expect(await page.getByText("match").count()).toBe(0);
    await page.goto(`${world.base}/tests?q=status:failed`);
    await soon(() => page.getByRole("heading", { name: "No matching tests" }).isVisible()).toBe(true);
  });

  test("the list of tests deletes selected tests after confirmation", async () => {
    const { page, shown } = await openList(["Stays", "Goes", "Goes too"]);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByLabel("Select Goes", { exact: true }).check();
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 2 tests?" });
    expect(
      await dialog.getByRole("button", { name: "Cancel" }).evaluate((button) => button === document.activeElement),
    ).toBe(true);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await soon(shown).toEqual(["Stays"]);
    expect(await page.getByText("2 tests deleted.").isVisible()).toBe(true);
  });

  test("the list of tests undoes a deletion with one click, or completes it after the page is closed", async () => {
    const { page, shown, workspaceId } = await openList(["Stays", "Goes"]);
    const remove = async () => {
      await page.getByLabel("Select Goes", { exact: true }).check();
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await soon(shown).toEqual(["Stays"]);
    };
    await remove();
    await page.getByRole("button", { name: "Undo" }).click();
    await soon(shown).toEqual(["Goes", "Stays"]);
    expect(await page.getByText("1 test restored.").isVisible()).toBe(true);
    await remove();
    await page.close();
    world.clock.nowMs += undoableMs;
    world.removals.kick();
    const subjects = async () =>
      (await inWorkspace(world.store.read, workspaceId).selectFrom("tests").select("subject").execute()).map(
        ({ subject }) => subject,
      );
    await soon(subjects).toEqual(["Stays"]);
  });

  test("the list of tests deletes all matching tests, on other pages too", async () => {
    const { page, shown, workspaceId } = await openList(["Stays"]);
    for (let count = 0; count < 52; count++) {
      world.clock.nowMs += 1_000;
      await world.receive(workspaceId, "ci", aLetter(`Letter ${count}`));
    }
    await world.analyzeAll();
    await page.goto(`${world.base}/tests?q=label:ci`);
    await soon(async () => (await shown()).length).toBe(50);
    const exported = page.getByRole("link", { name: "Export these as CSV" });
    expect(await exported.getAttribute("href")).toContain("search=label%3Aci");
    await page.getByLabel("Select all on this page").check();
    await page.getByRole("button", { name: "Select all 52 tests that match" }).click();
    expect(await page.getByText("All 52 tests that match selected").isVisible()).toBe(true);
    await expectUsableByEveryone(page);
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete all 52 tests that match?" });
    await world.receive(workspaceId, "ci", aLetter("One more"));
    await dialog.getByRole("button", { name: "Delete" }).click();
    await soon(() => dialog.getByRole("alert").innerText()).toContain("More than 52 tests match by now.");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.reload();
    await page.getByLabel("Select all on this page").check();
    await page.getByRole("button", { name: "Select all 53 tests that match" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await soon(() => page.getByText("53 tests deleted.").isVisible()).toBe(true);
    await page.goto(`${world.base}/tests`);
    await soon(shown).toEqual(["Stays"]);
  });

  test("the list of tests sorts by score on a click, and keeps that in the URL", async () => {
    const { page, shown, workspaceId } = await openList(["Middle", "Best", "Worst"]);
    for (const [subject, composite] of [
      ["Middle", 60],
      ["Best", 99],
      ["Worst", 5],
    ] as const)
      await world.store.write((db) =>
        inWorkspace(db, workspaceId).updateTable("tests").set({ composite }).where("subject", "=", subject).execute(),
      );
    const head = page.getByRole("columnheader", { name: "Score" });
    await head.getByRole("link").click();
    await soon(shown).toEqual(["Worst", "Middle", "Best"]);
    expect(await head.getAttribute("aria-sort")).toBe("ascending");
    await head.getByRole("link").click();
    await soon(shown).toEqual(["Best", "Middle", "Worst"]);
    await page.reload();
    await soon(shown).toEqual(["Best", "Middle", "Worst"]);
    await page.getByRole("searchbox").fill("score:<90");
    await page.keyboard.press("Enter");
    await soon(shown).toEqual(["Middle", "Worst"]);
    await page.getByRole("columnheader", { name: "Received" }).getByRole("link").click();
    await soon(shown).toEqual(["Worst", "Middle"]);
  });

  test("the list of tests says when it is no longer live", async () => {
    const { page } = await openList(["A letter"]);
    await soon(() => page.getByText("Live", { exact: true }).isVisible()).toBe(true);
    // The stream ends, and can't be opened again.
    await page.route("**/api/events?*", (route) => route.fulfill({ status: 204 }));
    await page.reload();
    await soon(() => page.getByText("Not connected").isVisible()).toBe(true);
    await page.unroute("**/api/events?*");
    await soon(() => page.getByText("Live", { exact: true }).isVisible()).toBe(true);
  });

  test("the list of tests shows older pages one by one with a constant size", async () => {
    const { workspaceId, cookie } = await addReader(world);
    for (let count = 0; count < 60; count++) {
      world.clock.nowMs += 1_000;
      await world.receive(workspaceId, null, aLetter(`Letter ${count}`));
    }
    await world.analyzeAll();
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/tests`);
    const rows = page.locator("a.subject");
    await soon(() => rows.count()).toBe(50);
    await page.getByRole("link", { name: "Older" }).click();
    await soon(() => rows.count()).toBe(10);
    expect(await rows.first().innerText()).toBe("Letter 9");
    const older = page.url();
    await page.getByRole("link", { name: "Newest" }).click();
    await soon(() => rows.first().innerText()).toBe("Letter 59");
    await page.getByRole("link", { name: "Older" }).click();
    await page.reload();
    await soon(() => rows.count()).toBe(10);
    await page.getByRole("button", { name: "Back" }).click();
    await soon(() => rows.first().innerText()).toBe("Letter 59");
    // Of the tab that begins with a link to it, there is nothing to go back to.
    const tab = await world.openPage(cookie);
    await tab.goto(older);
    await tab.getByRole("button", { name: "Back" }).click();
    await soon(() => tab.url()).toBe(`${world.base}/tests`);
  });

  test("the list of tests hides one user's tests from the next who logs in on the same page", async () => {
    const { page, shown, workspaceId } = await openList(["For Ann alone"]);
    const next = await addReader(world, "Bea");
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    await page.context().clearCookies();
    await world.receive(workspaceId, null, aLetter("One more"));
    await page.waitForURL("**/login?next=*");
    const [name = "", value = ""] = next.cookie.split("=");
    await page.route("**/api/auth/login", (route) => route.fulfill({ json: {} }));
    await page.route("**/api/tests?*", (route) => route.fulfill({ status: 502, body: "" }));
    await page.context().addCookies([{ name, value, url: world.base }]);
    await page.getByLabel("Email").fill(next.email);
    await page.getByLabel("Password").fill("a password of hers");
    await page.getByRole("button", { name: "Log in" }).click();
    await soon(() => page.getByRole("alert").innerText()).toContain("Couldn’t load the tests.");
    expect(await shown()).toEqual([]);
  });

  test("the list of tests closes the menu with Escape without losing the search", async () => {
    const { page, shown } = await openList(["Autumn list", "Invoice 7"]);
    await page.goto(`${world.base}/tests?q=invoice#%`);
    await soon(shown).toEqual(["Invoice 7"]);
    await page.getByLabel("Account menu for").click();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("button", { name: "Log out" }).isVisible()).toBe(false);
    expect(await shown()).toEqual(["Invoice 7"]);
    expect(new URL(page.url()).searchParams.get("q")).toBe("invoice");
  });

  test("the list of tests reports a failed logout, and redirects a logged-out user to the login", async () => {
    const { page, id } = await openList(["A letter"]);
    await page.route("**/api/auth/oidc/logout", (route) => route.fulfill({ status: 502, body: "" }));
    await page.getByLabel("Account menu for").click();
    await page.getByRole("button", { name: "Log out" }).click();
    await soon(() => page.getByRole("alert").innerText()).toContain("Couldn’t log out.");
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    await world.store.write((db) => db.deleteFrom("sessions").where("user_id", "=", id).execute());
    await page.waitForURL("**/login?next=*");
  });

  test("the list of tests is reloaded only after the last load has finished", async () => {
    const { page, shown, workspaceId } = await openList(["First"]);
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    await page.route("**/api/tests?*", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue().catch(() => {});
    });
    let isBusy = true;
    const storm = (async () => {
      while (isBusy) {
        await world.receive(workspaceId, null, aLetter("More"));
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    })();
    try {
      await soon(async () => (await shown()).length).toBeGreaterThan(1);
    } finally {
      isBusy = false;
      await storm;
      await page.unrouteAll({ behavior: "ignoreErrors" });
    }
  });
});
