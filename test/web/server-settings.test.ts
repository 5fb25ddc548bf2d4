// Blocklists and server settings, as the operator changes them in the app.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readServer } from "../../src/web/settings/smtp-server.tsx";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

let world: WebWorld;
let operator: Awaited<ReturnType<typeof addReader>>;

beforeAll(async () => {
  if (!hasBrowser) return;
  world = await openWebWorld();
  operator = await addReader(world);
  world.clock.nowMs += 1;
});
afterAll(() => world?.closeAll());

describe.skipIf(!hasBrowser)("the server settings page", () => {
  test("the server settings page is linked from a report, and turns on and tests a blocklist with one click", async () => {
    world.internet.zone = { "2.0.0.127.bl.spamcop.net": { A: ["127.0.0.2"] } };
    const message = Buffer.from("From: ann@sender.example\r\nSubject: Hi\r\n\r\nHello\r\n");
    const id = await world.receive(operator.workspaceId, null, message);
    await world.analyzeAll();
    const page = await world.openPage(operator.cookie);
    await page.goto(`${world.base}/tests/${id}#unchecked`);
    await page.getByRole("link", { name: "Turn on blocklists" }).click();
    await page.getByRole("button", { name: "Turn on bl.spamcop.net" }).click();
    await soon(() => page.getByRole("row").filter({ hasText: "bl.spamcop.net" }).innerText()).toContain("On, works");
    await page.getByRole("button", { name: "Turn on psbl.surriel.com" }).click();
    await soon(() => page.getByRole("row").filter({ hasText: "psbl.surriel.com" }).innerText()).toContain(
      "does not contain its own test entry",
    );
    await expectUsableByEveryone(page);
    await page.getByRole("button", { name: "Turn off psbl.surriel.com" }).click();
    await soon(() => world.config.dnsbls.map(({ zone }) => zone)).toEqual(["bl.spamcop.net"]);
  });

  test("the server settings page asks for a blocklist's key and never shows it again", async () => {
    const page = await world.openPage(operator.cookie);
    await page.goto(`${world.base}/settings/blocklists`);
    await page.getByRole("button", { name: "Turn on _key.zrd.dq.spamhaus.net" }).click();
    await page.getByLabel("Key").fill("s3cr3tkey");
    await page.getByRole("dialog").getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("button", { name: "Turn off _key.zrd.dq.spamhaus.net" }).waitFor();
    expect(await page.content()).not.toContain("s3cr3tkey");
  });

  test("the server settings page changes the retention immediately, and explains an invalid value", async () => {
    const page = await world.openPage(operator.cookie);
    await page.goto(`${world.base}/settings/server`);
    const field = page.getByLabel("Days to keep tests");
    const form = page.locator("form").filter({ has: field });
    await field.fill("long");
    await form.getByRole("button", { name: "Save" }).click();
    await soon(() => form.innerText()).toContain("must be a whole number from 0 to 36500");
    await field.fill("365");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByRole("button", { name: "Use default" }).waitFor();
    expect(world.config.retentionDays).toBe(365);
    await expectUsableByEveryone(page);
    await form.getByRole("button", { name: "Use default" }).click();
    await soon(() => world.config.retentionDays).toBe(90);
  });

  test("the server settings page accepts a size as people write it", async () => {
    const page = await world.openPage(operator.cookie);
    await page.goto(`${world.base}/settings/server`);
    const field = page.getByLabel("Maximum database size");
    const form = page.locator("form").filter({ has: field });
    const save = form.getByRole("button", { name: "Save" });
    await field.fill("a lot");
    await save.click();
    await soon(() => form.innerText()).toContain("Write a size, such as 20 GB");
    await field.fill("1.5 GB");
    await save.click();
    await form.getByRole("button", { name: "Use default" }).waitFor();
    expect(world.config.retentionMaxBytes).toBe(1_500_000_000);
    await soon(() => field.inputValue()).toBe("1.5 GB");
    await form.getByRole("button", { name: "Use default" }).click();
    await soon(() => world.config.retentionMaxBytes).toBeNull();
  });

  test("the server settings page tells owners of another workspace why they can't use it", async () => {
    const stranger = await addReader(world, "Bob Other");
    const page = await world.openPage(stranger.cookie);
    await page.goto(`${world.base}/settings/blocklists`);
    await soon(() => page.locator("main").innerText()).toContain("Only owners of the server's first workspace");
  });

  test("the server settings page sets up email, and shows what the mail server said to a test message", async () => {
    const sent: string[] = [];
    const deliver = async ({ rcptTo }: { readonly rcptTo: string }) => {
      sent.push(rcptTo);
      return "250 2.0.0 Ok: queued as 4711";
    };
    const mailing = await openWebWorld({ road: { transport: "relay", deliver, close() {} } });
    try {
      const reader = await addReader(mailing);
      const page = await mailing.openPage(reader.cookie);
      await page.goto(`${mailing.base}/settings/server`);
      const server = page.locator("form").filter({ has: page.getByRole("heading", { name: "Mail server" }) });
      await server.getByLabel("Server", { exact: true }).fill("10.0.0.1");
      await server.getByLabel("Username").fill("ann");
      await server.getByLabel("Password").fill("hunter2");
      await server.getByRole("button", { name: "Save" }).click();
      await soon(() => server.getByRole("alert").innerText()).toContain("not public");
      await server.getByLabel("Server", { exact: true }).fill("smtp.acme.net");
      await server.getByRole("button", { name: "Save" }).click();
      await server.getByRole("button", { name: "Remove" }).waitFor();
      expect(mailing.config.sendSmtpUrl).toBe("smtp://ann:hunter2@smtp.acme.net:587");
      await soon(() => server.getByLabel("Password").inputValue()).toBe("");
      const sender = page.locator("form").filter({ has: page.getByLabel("Sender") });
      await sender.getByLabel("Sender").fill("Assay <alerts@acme.net>");
      await sender.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: `Use ${mailing.base}` }).click();
      await page.getByRole("button", { name: "Send a test message to me" }).click();
      await page.getByText("It said: 250 2.0.0 Ok: queued as 4711").waitFor();
      expect(sent).toHaveLength(1);
      expect(await page.content()).not.toContain("hunter2");
      await expectUsableByEveryone(page);
    } finally {
      await mailing.closeAll();
    }
  });
});

test("a mail server's form shows a user name with a single percent sign", () => {
  expect(readServer("smtp://50%@smtp.acme.net")).toMatchObject({ host: "smtp.acme.net", user: "50%" });
});
