// Incoming webhooks in the settings, and what a provider reports under "Feedback".

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  mailgunFailed,
  postmarkBounce,
  sendgridEvents,
  sendgridKey,
  signMailgun,
  signSendgrid,
  vectors,
} from "../features/hooks/rules/calls.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, type Look, openWebWorld, soon, type WebWorld } from "./web-world.ts";

describe.skipIf(!hasBrowser)("incoming webhooks in the app", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  async function openSettings(look: Look = {}) {
    const reader = await addReader(world);
    const page = await world.openPage(reader.cookie, look);
    await page.goto(`${world.base}/settings/receiving`);
    const { token } = await world.issueToken(reader.workspaceId);
    const asked = { token, workspace: reader.workspaceId };
    const create = async (body: object) => (await world.ask("POST", "/api/incoming-hooks", { ...asked, body })).json;
    return { page, create };
  }
  const post = (url: string, body: string, headers: Record<string, string> = {}) =>
    world.ask("POST", new URL(url).pathname, { body, headers: { "content-type": "application/json", ...headers } });

  test("incoming webhooks in the app are added with a URL to copy and a key to paste, and show what arrived", async () => {
    const { page } = await openSettings();
    await page.getByRole("button", { name: "Add webhook" }).click();
    await page.getByLabel("Provider").selectOption("sendgrid feedback");
    await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
    await soon(() => page.getByRole("alert").innerText()).toContain("Enter a name.");
    await page.getByLabel("Name").fill("Newsletter bounces");
    await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
    await soon(() => page.getByText("Next, set it up at SendGrid").count()).toBe(1);
    const shown = await page.getByRole("status", { name: /Next, set it up at/ }).innerText();
    const url = /http\S+\/hooks\/[\w-]{43}/.exec(shown)?.[0] ?? "";
    expect(shown).toContain("Turn on Signed Event Webhook");
    await expectUsableByEveryone(page);
    await page.getByRole("button", { name: "I’ve copied it" }).click();
    expect(await page.getByRole("row", { name: /Newsletter bounces/ }).innerText()).toContain("Needs the signing key");
    await page.getByRole("button", { name: "Set up Newsletter bounces" }).click();
    await page.getByLabel("Verification key").fill("not a key");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await soon(() => page.getByRole("alert").innerText()).toContain("begins with MFkw");
    await expectUsableByEveryone(page);
    await page.getByLabel("Verification key").fill(sendgridKey);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await soon(() => page.getByText("Nothing yet").count()).toBe(1);
    const body = JSON.stringify(sendgridEvents);
    expect((await post(url, body)).status).toBe(403);
    expect((await post(url, body, signSendgrid(body, String(world.clock.nowMs / 1_000)))).status).toBe(200);
    await soon(() => page.getByText("The request has no signature.").count()).toBe(1);
    await page.goto(`${world.base}/feedback/bounces`);
    await soon(() => page.getByText("SendGrid webhook").count()).toBe(2);
    expect(await page.getByRole("link", { name: /^Download the/ }).count()).toBe(0);
    await expectUsableByEveryone(page);
  });

  test("incoming webhooks in the app are deleted after confirmation, on a phone and in dark mode too", async () => {
    const { page, create } = await openSettings({ width: 390, height: 844, colorScheme: "dark" });
    const { url } = await create({
      provider: "mailgun",
      purpose: "feedback",
      label: "<b>Mine</b>",
      signingKey: vectors.mailgun.key,
    });
    const seconds = String(world.clock.nowMs / 1_000);
    await post(url, JSON.stringify({ signature: signMailgun("w", seconds), "event-data": mailgunFailed }));
    await create({ provider: "postmark", purpose: "feedback", label: "Postmark" });
    expect((await post(url, JSON.stringify(postmarkBounce))).status).toBe(403);
    await page.reload();
    await soon(() => page.getByRole("button", { name: "Set up <b>Mine</b>" }).count()).toBe(1);
    await expectUsableByEveryone(page);
    await page.getByRole("button", { name: "Delete <b>Mine</b>" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await soon(() => page.getByRole("button", { name: "Set up <b>Mine</b>" }).count()).toBe(0);
  });
});
