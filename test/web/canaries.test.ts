import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Outgoing } from "../../src/features/sending/work/transports.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const minuteMs = 60_000;
const taken: Outgoing[] = [];
const road = {
  transport: "relay" as const,
  deliver: async (outgoing: Outgoing) => {
    taken.push(outgoing);
    return "250 2.0.0 Ok";
  },
  close() {},
};
const shots = process.env.CANARY_SHOTS;

let world: WebWorld;
beforeAll(async () => {
  world = await openWebWorld({ road });
  if (shots) mkdirSync(shots, { recursive: true });
});
afterAll(() => world.closeAll());

async function shoot(page: Awaited<ReturnType<WebWorld["openPage"]>>, name: string) {
  if (!shots) return;
  for (const width of [1440, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${shots}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("a relay is added and tested, and a canary is sent through it and shown with its results", async () => {
  const reader = await addReader(world);
  const page = await world.openPage(reader.cookie, { width: 1440, height: 900 });
  const main = page.locator("main");
  await page.goto(`${world.base}/settings/sending`);
  await soon(() => main.innerText()).toContain("No relays yet");
  await page.getByRole("button", { name: "Add relay" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Newsletters");
  await dialog.getByLabel("Server").fill("127.0.0.1:587");
  await dialog.getByLabel("Username").fill("user@shop.example");
  await dialog.getByLabel("Sender").fill("Shop <canary@shop.example>");
  await dialog.getByRole("button", { name: "Add relay" }).click();
  await soon(() => dialog.innerText()).toContain("the port in its own field");
  await dialog.getByLabel("Server").fill("127.0.0.1");
  await dialog.getByRole("button", { name: "Add relay" }).click();
  await soon(() => dialog.innerText()).toContain("Enter the password.");
  await dialog.getByLabel("Password").fill("se/cret#?@1");
  await dialog.getByRole("button", { name: "Add relay" }).click();
  await soon(() => dialog.innerText()).toContain("not public");
  await dialog.getByLabel("Server").fill("relay.shop.example");
  await dialog.getByRole("button", { name: "Add relay" }).click();
  await soon(() => main.innerText()).toMatch(/relay\.shop\.example:587\s+STARTTLS, logs in as user@shop\.example/);
  expect(await page.content()).not.toContain("cret#");
  // It is tested when it is saved.
  await soon(() => main.innerText()).toContain("The test failed.");
  await expectUsableByEveryone(page);
  await page.getByRole("button", { name: "Edit the relay Newsletters" }).click();
  expect(await dialog.getByLabel("Username").inputValue()).toBe("user@shop.example");
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Newsletter relay");
  await dialog.getByRole("button", { name: "Save" }).click();
  await soon(() => main.innerText()).toContain("Newsletter relay");
  await page.getByRole("button", { name: "Test the relay Newsletter relay" }).click();
  await soon(() => main.innerText()).toContain("The test failed.");
  await shoot(page, "relays");

  await page.goto(`${world.base}/canaries/new`);
  await page.getByLabel("Name").fill("Newsletter path");
  await page.getByLabel("Relay").selectOption({ label: "This server’s own relay" });
  await page.getByLabel("Expected back within").fill("1");
  await expectUsableByEveryone(page);
  await shoot(page, "new");
  await page.getByRole("button", { name: "Add canary" }).click();
  await page.waitForURL("**/monitors/mon_*");
  await soon(() => main.innerText()).toContain("No result yet");
  for (let minute = 0; minute < 120; minute++) {
    await world.canarySender.untilIdle();
    const mail = taken.shift();
    world.clock.nowMs += 2_000 + ((minute * 7_919) % 9) * 1_000;
    if (mail && minute < 100) {
      await world.receive(reader.workspaceId, null, mail.raw, { mailFrom: mail.mailFrom });
      await world.analyzeAll();
    }
    world.clock.nowMs += minuteMs;
  }
  await page.reload();
  await soon(() => main.innerText()).toMatch(/Down since/);
  const text = await main.innerText();
  expect(text).toContain("Not back within 1 min.");
  expect(text).toMatch(/Every 5 minutes through this server’s own relay to the active seed inbox/);
  expect(text).toContain("Median delay");
  await expectUsableByEveryone(page);
  await shoot(page, "monitor");
  await page.getByRole("link", { name: "Report" }).first().click();
  await page.waitForURL("**/tests/tst_*");
  await soon(() => page.locator("h1").count()).toBe(1);
  await shoot(page, "report");
  await page.goBack();
  await soon(() => main.innerText()).toMatch(/Down since/);
  await page.getByRole("button", { name: "Pause" }).click();
  await soon(() => page.getByRole("button", { name: "Resume" }).count()).toBe(1);
  await page.getByRole("button", { name: "Edit" }).click();
  await soon(() => page.getByRole("dialog").getByLabel("Name").inputValue()).toBe("Newsletter path");
  await expectUsableByEveryone(page);
  await shoot(page, "edit");
});
