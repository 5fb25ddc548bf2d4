import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDrift, aLowScore } from "../features/alerts/rules/events.ts";
import { allow, openAlerts } from "./alert-world.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("the alerts page", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld({ privateTargets: allow });
  });
  afterAll(() => world?.closeAll());

  test("the alerts page starts with a form that leads to a webhook, its secret, and a test alert", async () => {
    const { page, receiver } = await openAlerts(world);
    await page.goto(`${world.base}/alerts`);
    await soon(() => page.getByRole("heading", { name: "No alerts yet" }).count()).toBe(1);
    await expectUsableByEveryone(page);
    await page.getByRole("link", { name: "Google Chat" }).click();
    const chosen = page.getByRole("dialog").getByRole("radio", { name: "Google Chat" });
    await soon(() => chosen.isChecked()).toBe(true);
    expect(await chosen.evaluate((radio) => radio === document.activeElement)).toBe(true);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "Add alert" }).click();
    const dialog = page.getByRole("dialog", { name: "New alert" });
    await soon(() => dialog.getByText("https://hooks.slack.com/").count()).toBe(1);
    await dialog.getByLabel("URL", { exact: true }).fill("https://example.com/x");
    await soon(() => dialog.getByRole("status").innerText()).toContain("This isn’t a Slack webhook URL.");
    await dialog.getByRole("radio", { name: "Email" }).check();
    await soon(() => dialog.getByText("This server can’t send email yet.").count()).toBe(1);
    expect(await dialog.getByLabel("Name").count()).toBe(0);
    expect(await dialog.getByRole("button", { name: "Add alert" }).isDisabled()).toBe(true);
    await expectUsableByEveryone(page);
    await dialog.getByRole("radio", { name: "JSON" }).check();
    await dialog.getByLabel("Name").fill("On call");
    await dialog.getByLabel("URL", { exact: true }).fill("ftp://receiver.example");
    await dialog.getByRole("checkbox", { name: "A bounce or complaint" }).uncheck();
    await dialog.getByLabel("Threshold").fill("62.5");
    await expectUsableByEveryone(page);
    const add = dialog.getByRole("button", { name: "Add alert" });
    await add.click();
    await soon(() => dialog.getByRole("alert").innerText()).toContain("http");
    expect(await dialog.getByLabel("Name").inputValue()).toBe("On call");
    await dialog.getByLabel("URL", { exact: true }).fill(receiver.url);
    await add.click();
    await page.waitForURL("**/alerts/alr_*");
    const card = page.getByRole("region", { name: "Copy the webhook’s secret now" });
    const secret = await card.locator("code").first().innerText();
    await card.getByText("How to verify a message").click();
    await expectUsableByEveryone(page);
    await page.getByRole("button", { name: "Send test" }).click();
    await soon(() => page.getByText("Test delivered. The receiver answered 200").count()).toBe(1);
    const { body = "", headers = {} } = receiver.received[0] ?? {};
    expect(JSON.parse(body).type).toBe("alert.ping");
    const sentAt = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    expect(headers["webhook-signature"]).toBe(new Webhook(secret).sign(headers["webhook-id"] ?? "", sentAt, body));
    await card.getByRole("button", { name: "I’ve copied it" }).click();
    await soon(() => card.count()).toBe(0);
    expect(await page.locator("main").innerText()).toContain("below 62.5");
    expect(await page.content()).not.toContain(secret);
  });

  test("the alerts page shows each delivery with its response, and can send it again", async () => {
    const { page, create, raise, kick, answer, goLive } = await openAlerts(world);
    const { id } = await create();
    await goLive(`/alerts/${id}`);
    const rows = page.getByRole("table").locator("tbody tr");
    await soon(() => page.getByText("No deliveries yet").count()).toBe(1);
    await raise(aDrift());
    await soon(() => rows.first().innerText()).toMatch(
      /A domain’s DNS changed[\s\S]*Delivered[\s\S]*Responded with 200/,
    );
    answer.status = 500;
    await raise(aLowScore());
    await soon(() => rows.count()).toBe(2);
    await soon(() => rows.first().innerText()).toMatch(
      /A test scored low[\s\S]*Retrying[\s\S]*Next attempt[\s\S]*Responded with 500/,
    );
    await expectUsableByEveryone(page);
    answer.status = 200;
    await rows.first().getByRole("button", { name: "Send again" }).click();
    kick();
    await soon(() => rows.first().innerText()).toMatch(/Delivered/);
    await soon(() => page.getByText("Deliveries: all succeeded").count()).toBe(1);
    await page.route("**/api/alerts/alr_*", (route) => route.fulfill({ status: 502, body: "" }));
    await raise(aLowScore());
    await soon(() => page.getByRole("alert").allInnerTexts()).toHaveLength(1);
    expect(await page.getByRole("alert").innerText()).toContain("Couldn’t load the alert.");
    await soon(() => rows.count()).toBe(3);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("On call");
    let asked = 0;
    await page.route("**/api/alerts/alr_*/deliveries", (route) => {
      asked++;
      return route.fulfill({ status: 502, body: "" });
    });
    await raise(aLowScore());
    await soon(() => page.getByText("Couldn’t load the deliveries.").count()).toBe(1);
    expect(await rows.count()).toBe(3);
    const before = asked;
    await page.getByRole("button", { name: "Try again" }).last().click();
    await soon(() => asked).toBeGreaterThan(before);
    // From here on, a live event may reload what a click would.
    await page.unrouteAll();
    await raise(aLowScore());
    await soon(() => page.getByRole("alert").count()).toBe(0);
    await soon(() => rows.count()).toBe(5);
  });

  test("the alerts page says why an alert was disabled until it is enabled, and can pause it", async () => {
    const { page, create, raise, answer, goLive } = await openAlerts(world);
    const { id } = await create();
    await create({ label: "<b>Wall</b>", kind: "discord" });
    answer.status = 410;
    await goLive("/alerts");
    await raise(aDrift());
    const row = page.getByRole("row", { name: /On call/ });
    await soon(() => row.innerText()).toContain("Turned off");
    expect(await page.locator("main").innerText()).toContain("<b>Wall</b>");
    await expectUsableByEveryone(page);
    await row.getByRole("link", { name: "On call" }).click();
    await page.waitForURL(`**/alerts/${id}`);
    await soon(() => page.getByText("Assay turned this alert off.", { exact: true }).count()).toBe(1);
    await page.getByRole("button", { name: "Send test" }).click();
    await soon(() => page.getByRole("alert").innerText()).toBe(
      "The test failed. The receiver responded with 410, so this webhook no longer exists there.",
    );
    await expectUsableByEveryone(page);
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await soon(() => page.getByText("Events that occur while the alert is paused won’t be sent later.").count()).toBe(
      1,
    );
  });

  test("the alerts page changes an alert, replaces its secret, and deletes it after confirmation", async () => {
    const { page, create } = await openAlerts(world);
    const { id, secret } = await create();
    await page.goto(`${world.base}/alerts/${id}`);
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Name").fill("Night watch");
    await form.getByRole("checkbox", { name: "A test scored low" }).uncheck();
    await form.getByRole("button", { name: "Save" }).click();
    await soon(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("Night watch");
    expect(await page.locator("main").innerText()).not.toContain("A test scored low");
    await page.getByRole("button", { name: "Rotate secret" }).click();
    await expectUsableByEveryone(page);
    await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
    const card = page.getByRole("region", { name: "Copy the webhook’s secret now" });
    await soon(() => card.locator("code").first().innerText()).toMatch(/^whsec_/);
    expect(await card.locator("code").first().innerText()).not.toBe(secret);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL("**/alerts");
    await soon(() => page.getByText("No alerts yet").count()).toBe(1);
    await page.goto(`${world.base}/alerts/${id}`);
    await soon(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("Alert not found");
    await expectUsableByEveryone(page);
  });
});
