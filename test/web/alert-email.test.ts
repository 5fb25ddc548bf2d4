// Alerts by email in the web app, and the pages that the links in the email open.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { usualEventTypes } from "../../src/features/alerts/rules/alert-event.ts";
import type { Outgoing } from "../../src/features/sending/work/transports.ts";
import { aDrift } from "../features/alerts/rules/events.ts";
import { allow, openAlerts } from "./alert-world.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("alerts by email in the app", () => {
  let world: WebWorld;
  const sent: Outgoing[] = [];
  const deliver = async (mail: Outgoing) => {
    sent.push(mail);
    return "250 2.0.0 Ok: queued as 4Xyz";
  };
  beforeAll(async () => {
    world = await openWebWorld({
      privateTargets: allow,
      road: { transport: "relay", deliver, close() {} },
      machine: { settings: { ASSAY_BASE_URL: "https://assay.example" } },
    });
  });
  afterAll(() => world?.closeAll());

  test("alerts by email in the app wait for the recipient's confirmation, show the mail server's reply, and end when the recipient unsubscribes", async () => {
    const { page, raise, goLive, cookie } = await openAlerts(world);
    await page.goto(`${world.base}/alerts?new`);
    const dialog = page.getByRole("dialog", { name: "New alert" });
    await dialog.getByRole("radio", { name: "Email" }).check();
    await dialog.getByLabel("Name").fill("Ann");
    await dialog.getByLabel("Email address").fill("ann@team.example");
    await expectUsableByEveryone(page);
    const add = dialog.getByRole("button", { name: "Add alert" });
    await add.click();
    await page.waitForURL("**/alerts/alr_*");
    await soon(() => page.getByText("ann@team.example hasn’t confirmed yet.").count()).toBe(1);
    expect(await page.getByRole("button", { name: "Send test" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Send again" }).click();
    await soon(() => page.getByRole("alert").innerText()).toContain("within the last hour");
    await expectUsableByEveryone(page);
    const alertPath = new URL(page.url()).pathname;
    const other = await world.openPage(cookie);
    await other.goto(world.base + linkIn(sent.at(-1), "confirm"));
    await expectUsableByEveryone(other);
    await other.getByRole("button", { name: "Yes, send me alerts" }).click();
    await soon(() => other.getByRole("heading", { name: "You get alerts now" }).count()).toBe(1);
    await goLive(alertPath);
    await raise(aDrift());
    const rows = page.getByRole("table").locator("tbody tr");
    await soon(() => rows.first().innerText()).toMatch(/Delivered[\s\S]*250 2\.0\.0 Ok: queued as 4Xyz/);
    await page.getByRole("button", { name: "Send test" }).click();
    await soon(() => page.getByText("The mail server answered “250 2.0.0 Ok").count()).toBe(1);
    await other.goto(world.base + linkIn(sent.at(-1), "unsubscribe"));
    await expectUsableByEveryone(other);
    await other.getByRole("button", { name: "Unsubscribe" }).click();
    await soon(() => other.getByRole("heading", { name: "You are unsubscribed" }).count()).toBe(1);
    await page.reload();
    await soon(() => page.getByText("ann@team.example unsubscribed.").count()).toBe(1);
    await expectUsableByEveryone(page);
  });

  test("alerts by email in the app are added once, and a preset's form asks for its fields", async () => {
    const { page, create } = await openAlerts(world);
    await create({ kind: "email", url: "mailto:bob@team.example", events: usualEventTypes });
    await page.goto(`${world.base}/alerts?new`);
    const dialog = page.getByRole("dialog", { name: "New alert" });
    await dialog.getByRole("radio", { name: "Email" }).check();
    await dialog.getByLabel("Name").fill("Bob again");
    await dialog.getByLabel("Email address").fill("bob@team.example");
    await dialog.getByRole("button", { name: "Add alert" }).click();
    await soon(() => dialog.getByRole("alert").innerText()).toContain("“On call” already sends these events");
    await dialog.getByRole("radio", { name: "Telegram" }).check();
    await dialog.getByLabel("Bot token").fill("no token");
    await dialog.getByLabel("Chat ID").fill("42");
    await dialog.getByRole("button", { name: "Add alert" }).click();
    await soon(() => dialog.getByRole("alert").innerText()).toContain("BotFather");
    await expectUsableByEveryone(page);
  });
});

function linkIn(mail: Outgoing | undefined, what: "confirm" | "unsubscribe"): string {
  const text = Buffer.from(mail?.raw ?? [])
    .toString("latin1")
    .replace(/=\r\n/g, "");
  return new RegExp(`/alert-email/${what}/[\\w-]+`).exec(text)?.[0] ?? "";
}
