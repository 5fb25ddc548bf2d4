import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientId, clientSecret, startOauthServer } from "../oauth-server.ts";
import { insertObservations } from "../platform/database/observations.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { type IntegrationsWorld, openIntegrationsWorld, openReader } from "./integrations-world.ts";
import { hasBrowser, soon } from "./web-world.ts";

describe.skipIf(!hasBrowser)("the integrations page", () => {
  let world: IntegrationsWorld;
  beforeAll(async () => {
    world = await openIntegrationsWorld();
    // Providers of consent live by the true time.
    world.clock.nowMs = Date.now();
  });
  afterAll(() => world.closeAll());

  const open = async (cookie: string, path = "/integrations", alsoAt?: string) => {
    const page = await world.openPage(cookie, alsoAt === undefined ? {} : { alsoAt });
    await page.goto(world.base + path);
    await soon(() => page.getByRole("region", { name: "Discord" }).count()).toBe(1);
    return page;
  };
  const rowOf = (page: Page, account: string) => page.getByRole("row").filter({ hasText: account });

  test("the integrations page describes each provider, and shows only an owner which settings are missing", async () => {
    const { cookie, addMember } = await openReader(world);
    const page = await open(cookie);
    expect(await page.locator("h2").allInnerTexts()).toEqual([
      "Mailboxes and integrations",
      "Seed mailboxes",
      "Alert channels",
    ]);
    const slack = page.getByRole("region", { name: "Slack" });
    expect(await slack.innerText()).toContain("Not configured");
    await slack.getByText("How to configure Slack").click();
    const told = await slack.innerText();
    expect(told).toContain("ASSAY_OAUTH_SLACK_CLIENT_ID");
    expect(told).toContain(`${world.base}/api/integrations/slack/callback`);
    await page.getByText("What Assay reads in your mailbox").click();
    await expectUsableByEveryone(page);
    const member = await open((await addMember()).cookie);
    expect(await member.locator("main").innerText()).not.toContain("ASSAY_OAUTH");
    expect(await member.getByRole("region", { name: "Slack" }).innerText()).toContain("Workspace owners");
    expect(await member.getByRole("button", { name: "Connect mailbox" }).count()).toBe(1);
  });

  test("the integrations page connects by OAuth through the provider and back, and disconnects after confirmation", async () => {
    const provider = await startOauthServer();
    world.setClient("google", { id: clientId, secret: clientSecret, issuer: provider.issuer });
    const { cookie } = await openReader(world);
    const page = await open(cookie, "/integrations", provider.issuer);
    await page.getByRole("button", { name: "Connect a Gmail mailbox" }).click();
    await soon(() => page.getByRole("status").filter({ hasText: "Google connected." }).count()).toBe(1);
    expect(new URL(page.url()).href).toBe(`${world.base}/integrations`);
    expect(await rowOf(page, "ann@gmail.example").innerText()).toContain("Connecting");
    await page.getByRole("button", { name: "Disconnect ann@gmail.example" }).click();
    const dialog = page.getByRole("dialog", { name: "Disconnect ann@gmail.example?" });
    expect(await dialog.innerText()).toContain("Existing results are kept.");
    await dialog.getByRole("button", { name: "Disconnect" }).click();
    await soon(() => page.locator("#mailboxes-h").innerText()).toBe("Seed mailboxes");
    expect(provider.asked.at(-1)).toBe("/token/revocation");
    provider.next.consent = { email: null };
    await page.getByRole("button", { name: "Connect a Gmail mailbox" }).click();
    await soon(() => page.getByRole("alert").innerText()).toBe("Couldn’t connect Google. You didn’t grant access.");
    provider.stop();
  });

  test("the integrations page only says that nothing was connected for a forged URL", async () => {
    const { cookie } = await openReader(world);
    const page = await open(cookie, "/integrations?provider=%3Cb%3Ebank&problem=constructor");
    expect(await page.getByRole("alert").innerText()).toBe("Couldn’t connect. Unknown reason.");
    expect(new URL(page.url()).search).toBe("");
    const lured = await open(cookie, "/integrations?connected=slack");
    expect(await lured.getByText("Slack connected.").count()).toBe(0);
  });

  test("the integrations page adds a mailbox after a successful login, and otherwise quotes the server", async () => {
    const { cookie } = await openReader(world);
    const page = await open(cookie);
    await page.getByRole("button", { name: "Connect mailbox" }).click();
    expect(new URL(page.url()).search).toBe("?connect=imap");
    const dialog = page.getByRole("dialog", { name: "Connect mailbox" });
    await dialog.getByLabel("Email").fill("seed@gmail.example");
    await dialog.getByLabel("Password").fill("wrong");
    const refusal = "imap.gmail.com rejected the username or password.";
    world.login.answer = { ok: false, at: "password", problem: refusal };
    await dialog.getByRole("button", { name: "Connect mailbox" }).click();
    await soon(() => dialog.getByRole("alert").innerText()).toBe(refusal);
    await expectUsableByEveryone(page);
    expect(await dialog.getByLabel("Email").inputValue()).toBe("seed@gmail.example");
    world.login.answer = { ok: true };
    await dialog.getByRole("button", { name: "Connect mailbox" }).click();
    await soon(() => rowOf(page, "seed@gmail.example").count()).toBe(1);
    expect(await dialog.count()).toBe(0);
    expect(new URL(page.url()).search).toBe("");
    expect(await rowOf(page, "seed@gmail.example").innerText()).toMatch(
      /imap\.gmail\.com, port 993.*\s+Gmail\s+Connecting/,
    );
  });

  test("the integrations page adds a mailbox at any server, with port, encryption, and address", async () => {
    const { cookie, workspaceId } = await openReader(world);
    const page = await open(cookie, "/integrations?connect=imap");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Other", { exact: true }).click();
    await dialog.getByLabel("IMAP server").fill("imap.nowhere.example");
    await dialog.getByText("STARTTLS", { exact: true }).click();
    await dialog.getByRole("textbox", { name: "Username" }).fill("ann");
    await dialog.getByLabel("Password").fill("lamp quarrel");
    await dialog.getByText("Advanced").click();
    await dialog.getByLabel("Email address (if").fill("ann@own.example");
    await dialog.getByLabel("Shows placement at").selectOption("yahoo");
    const connect = dialog.getByRole("button", { name: "Connect mailbox" });
    await connect.click();
    await soon(() => dialog.getByRole("alert").count()).toBe(1);
    await dialog.getByLabel("IMAP server").fill("imap.own.example");
    await connect.click();
    await soon(() => rowOf(page, "ann@own.example").count()).toBe(1);
    const { json } = await world.ask("GET", "/api/integrations", { cookie, workspace: workspaceId });
    expect(json.items.find(({ id }: { id: string | null }) => id !== null)).toMatchObject({
      account: "ann@own.example",
      seedProvider: "yahoo",
      server: { host: "imap.own.example", port: 143, tls: false },
    });
  });

  test("the integrations page does not redirect a user who left during a login", async () => {
    const { cookie } = await openReader(world);
    const page = await open(cookie, "/integrations?connect=imap");
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/integrations/imap", async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.getByRole("textbox", { name: "Email" }).fill("slow@gmail.example");
    await page.getByRole("textbox", { name: "Password" }).fill("lamp quarrel");
    await page.getByRole("dialog").getByRole("button", { name: "Connect mailbox" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Tests", exact: true }).first().click();
    await page.waitForURL("**/tests");
    release();
    await soon(() => page.getByText("slow@gmail.example connected.").count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe("/tests");
  });

  test("the integrations page shows immediately that a mailbox needs a new password, which the user enters", async () => {
    const { cookie, workspaceId } = await openReader(world);
    const page = await open(cookie, "/integrations?connect=imap");
    await page.getByRole("textbox", { name: "Email" }).fill("old@gmail.example");
    await page.getByRole("textbox", { name: "Password" }).fill("old");
    await page.getByRole("dialog").getByRole("button", { name: "Connect mailbox" }).click();
    await soon(() => rowOf(page, "old@gmail.example").count()).toBe(1);
    const problem = "imap.gmail.com rejected the username or password.";
    const { id } = await world.store.read
      .selectFrom("integrations")
      .select("id")
      .where("account", "=", "old@gmail.example")
      .executeTakeFirstOrThrow();
    const changed = { status: "reconnect", problem } as const;
    await world.store.write((db) => db.updateTable("integrations").set(changed).where("id", "=", id).execute());
    world.events.publish(workspaceId, { type: "integration.changed", id, status: "reconnect" });
    await soon(() => page.locator("#mailboxes-h").innerText()).toBe("Seed mailboxes: 1 to reconnect");
    expect(await rowOf(page, "old@gmail.example").innerText()).toContain(problem);
    await page.getByRole("button", { name: "Change password for old@gmail.example" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Password").fill("lamp quarrel tundra");
    await dialog.getByRole("button", { name: "Save password" }).click();
    await soon(() => page.getByText("Password for old@gmail.example saved.").count()).toBe(1);
    await soon(() => rowOf(page, "old@gmail.example").innerText()).toContain("Connecting");
  });

  test("the integrations page lists the seed addresses to copy and download", async () => {
    const { cookie, connect, seedAddress, workspaceId } = await openReader(world);
    const empty = await world.openPage(cookie);
    await empty.goto(`${world.base}/start#seed-list`);
    await soon(() => empty.getByRole("link", { name: "Connect mailbox" }).count()).toBe(1);
    await connect("ann@gmail.example", { seedProvider: "gmail" });
    await connect("gone@outlook.example", { seedProvider: "outlook", status: "reconnect" });
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/start`);
    const list = page.getByRole("region", { name: "Inbox placement" });
    await list.scrollIntoViewIfNeeded();
    await soon(() => list.getByRole("listitem").count()).toBe(3);
    expect(await list.innerText()).toContain("2 addresses");
    expect(await list.getByRole("listitem").filter({ hasText: "gone@" }).innerText()).toContain("Access lost");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await list.getByRole("button", { name: "Copy one per line" }).click();
    await soon(copied).toBe(`${seedAddress}\nann@gmail.example\n`);
    await list.getByRole("button", { name: "Copy comma-separated" }).click();
    await soon(copied).toBe(`${seedAddress}, ann@gmail.example`);
    const saved = page.waitForEvent("download");
    await list.getByRole("link", { name: "Download .txt" }).click();
    expect((await saved).suggestedFilename()).toBe("seed-list.txt");
    await list.getByText("If your email service rewrites").click();
    expect(await list.locator("details code").last().innerText()).toMatch(/^assay-[0-9a-z]{20}$/);
    await expectUsableByEveryone(page);
    const id = await world.receive(workspaceId);
    await world.analyzeAll();
    await page.goto(`${world.base}/tests/${id}#placement`);
    const placement = page.locator("#placement");
    await placement.getByText("Send this message to your seed mailboxes").click();
    await soon(() => placement.getByText("ann@gmail.example", { exact: true }).count()).toBeGreaterThan(1);
    await world.store.write(async (db) => {
      await insertObservations(db, { workspaceId, testId: id }, 16);
      await insertObservations(db, { workspaceId, testId: id, folder: "spam" }, 4);
      await insertObservations(db, { workspaceId, testId: id, provider: "yahoo" }, 3);
    });
    await page.goto(`${world.base}/integrations`);
    const accuracy = page.getByRole("region", { name: "Prediction accuracy" });
    await soon(() => accuracy.innerText()).toMatch(/Gmail\s+80% of 20 right \(95% interval: 58% to 92%\)$/);
    await expectUsableByEveryone(page);
    // An earlier address of these figures.
    await page.goto(`${world.base}/predictions`);
    await soon(() => accuracy.count()).toBe(1);
  });
});
