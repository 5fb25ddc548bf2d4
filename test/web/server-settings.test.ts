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
    await page.getByText("Domains: none on").click();
    await page.getByRole("button", { name: "Turn on _key.zrd.dq.spamhaus.net" }).click();
    await page.getByLabel("Key").fill("s3cr3tkey");
    await page.getByRole("dialog").getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("button", { name: "Turn off _key.zrd.dq.spamhaus.net" }).waitFor();
    expect(await page.content()).not.toContain("s3cr3tkey");
    await page.getByRole("button", { name: "Change key of _key.zrd.dq.spamhaus.net" }).click();
    await page.getByLabel("Key", { exact: true }).fill("n3wkey");
    await page.getByRole("dialog").getByRole("button", { name: "Change key" }).click();
    await page.getByText("Key changed.").waitFor();
    await page.goto(`${world.base}/settings/audit?log=server`);
    await page.getByText("changed the key of the blocklist _key.zrd.dq.spamhaus.net").click();
    await soon(() => page.locator("table").innerText()).toMatch(/Key\s+changed/);
    expect(await page.content()).not.toMatch(/s3cr3tkey|n3wkey/);
  });

  test("the server settings page shows what is set, and changes it in a form that saves each value that it can", async () => {
    const page = await world.openPage(operator.cookie);
    await page.goto(`${world.base}/settings/server`);
    const data = page.locator("details").filter({ has: page.getByRole("heading", { name: "Data" }) });
    const [summary, days, size] = [
      data.locator("summary"),
      data.getByLabel("Days to keep tests"),
      data.getByLabel("Maximum database size"),
    ];
    const save = data.getByRole("button", { name: "Save" });
    await soon(() => summary.innerText()).toContain("Days to keep tests: 90\nMaximum database size: none");
    await summary.focus();
    await page.keyboard.press("Enter");
    await days.fill("long");
    await size.fill("1.5 GB");
    await save.click();
    await soon(() => data.getByRole("alert").innerText()).toContain("must be a whole number from 0 to 36500");
    expect(world.config.retentionMaxBytes).toBe(1_500_000_000);
    await days.fill("365");
    await size.fill("a lot");
    await save.click();
    await soon(() => data.getByRole("alert").innerText()).toContain("Write a size, such as 20 GB");
    await soon(() => summary.innerText()).toContain("Days to keep tests: 365\nMaximum database size: 1.5 GB");
    expect(world.config.retentionDays).toBe(365);
    await expectUsableByEveryone(page);
    await days.fill("");
    await size.fill("");
    await save.click();
    await soon(() => summary.innerText()).toContain("Days to keep tests: 90\nMaximum database size: none");
    expect([world.config.retentionDays, world.config.retentionMaxBytes]).toEqual([90, null]);
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
      await page.goto(`${mailing.base}/settings/sending`);
      await page.getByRole("link", { name: "Set it up" }).click();
      const email = page.locator("details").filter({ has: page.getByRole("heading", { name: "Email" }) });
      const save = email.getByRole("button", { name: "Save" });
      await soon(() => email.locator("summary").innerText()).toContain("Not set up. Missing: the web address");
      await email.getByLabel("Server", { exact: true }).fill("10.0.0.1");
      await email.getByLabel("Username").fill("ann");
      await email.getByLabel("Password").fill("hunter2");
      await email.getByLabel("Sender").fill("Assay <alerts@acme.net>");
      await email.getByRole("button", { name: `Use ${mailing.base}` }).click();
      await save.click();
      await soon(() => email.getByRole("alert").innerText()).toContain("not public");
      await email.getByLabel("Server", { exact: true }).fill("smtp.acme.net");
      await save.click();
      await soon(() => email.locator("summary").innerText()).toContain("From alerts@acme.net");
      expect(mailing.config.sendSmtpUrl).toBe("smtp://ann:hunter2@smtp.acme.net:587");
      await soon(() => email.getByLabel("Password").inputValue()).toBe("");
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
