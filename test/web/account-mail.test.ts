// A forgotten password and an invitation, as a user experiences them in a browser.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Outgoing, TransportFailure } from "../../src/features/sending/work/transports.ts";
import { secretIn, site } from "../http/account-mail-world.ts";
import { goodPassword, resetToken } from "../http/people.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const another = "another lamp under tundra";
const looks = [{ width: 390 }, { width: 1280, colorScheme: "dark" }] as const;

describe.skipIf(!hasBrowser)("the account pages that emails link to", () => {
  const sent: Outgoing[] = [];
  const relay: { failure: TransportFailure | null } = { failure: null };
  let world: WebWorld;
  let workspace: string;
  let ann: { readonly id: string; readonly email: string; readonly cookie: string };

  beforeAll(async () => {
    const deliver = async (mail: Outgoing) => {
      if (relay.failure !== null) throw relay.failure;
      sent.push(mail);
      return "250 2.0.0 Ok: queued as 4Xyz";
    };
    world = await openWebWorld({
      road: { transport: "relay", deliver, close() {} },
      machine: { settings: { ASSAY_BASE_URL: site } },
    });
    ({ id: workspace } = await world.createWorkspace("Letters"));
    ann = await world.addPerson(workspace, "owner", "Ann Marlow");
    await world.ask("POST", "/api/auth/reset", {
      body: { token: await resetToken(world, ann.email), password: goodPassword },
    });
    await vi.waitUntil(() => sent.length === 1);
  });
  afterAll(() => world.closeAll());

  test("the account pages that emails link to show only the login link for a link that no longer works", async () => {
    const page = await world.openPage(null, { width: 390 });
    for (const path of ["reset", "invite"]) {
      await page.goto(`${world.base}/${path}#unknown`);
      await page.getByText(/invalid, already used, or expired/).waitFor();
      expect(await page.locator("#intro").isVisible()).toBe(false);
      await expectUsableByEveryone(page);
      await page.getByRole("link", { name: "Go to the login page" }).click();
      await page.getByRole("heading", { name: "Log in" }).waitFor();
    }
  });

  test("the account pages that emails link to replace a forgotten password with the link from the email", async () => {
    for (const look of looks) {
      const page = await world.openPage(null, look);
      await page.goto(`${world.base}/login`);
      await page.getByRole("link", { name: "Forgot your password?" }).click();
      await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
      await expectUsableByEveryone(page);
      await page.getByLabel("Email address").fill("nobody@example.com");
      await page.getByRole("button", { name: "Email me a link" }).click();
      await page.getByRole("heading", { name: "Check your email" }).waitFor();
      const forStranger = (await page.locator("main").innerText()).replace("nobody@example.com", "");
      await expectUsableByEveryone(page);
      await page.getByRole("button", { name: "Use another address or send again" }).click();
      const before = sent.length;
      await page.getByLabel("Email address").fill(ann.email);
      await page.getByRole("button", { name: "Email me a link" }).click();
      await page.getByRole("heading", { name: "Check your email" }).waitFor();
      expect((await page.locator("main").innerText()).replace(ann.email, "")).toBe(forStranger);
      await soon(() => sent.length).toBe(before + 1);
    }
    const page = await world.openPage(null);
    await page.goto(`${world.base}/reset#${secretIn(sent.at(-1))}`);
    await page.getByLabel("Password", { exact: false }).first().fill(another);
    await page.getByRole("button", { name: "Set password" }).click();
    await soon(() => new URL(page.url()).pathname).toBe("/");
    const logIn = (password: string) => world.ask("POST", "/api/auth/login", { body: { email: ann.email, password } });
    expect((await logIn(goodPassword)).status).toBe(401);
    expect((await logIn(another)).status).toBe(200);
  });

  test("the account pages that emails link to send an invitation by email or show only the link, and list its status", async () => {
    for (const [index, look] of looks.entries()) {
      const { cookie } = await world.openSession(ann.id);
      const page = await world.openPage(cookie, look);
      await page.goto(`${world.base}/settings/workspace`);
      const invite = async (email: string, action: string) => {
        await page.getByRole("button", { name: "Invite member" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Email address").fill(email);
        if (action === "Create link") await dialog.getByLabel(/Send the invitation by email/).uncheck();
        await dialog
          .getByRole("button", { name: "Send invitation" })
          .or(dialog.getByRole("button", { name: action }))
          .waitFor();
        await expectUsableByEveryone(page);
        await dialog.getByRole("button", { name: action }).click();
      };
      await invite(`ben${index}@example.com`, "Send invitation");
      await page.getByRole("heading", { name: `Invitation sent to ben${index}@example.com` }).waitFor();
      expect(sent.at(-1)?.rcptTo).toBe(`ben${index}@example.com`);
      expect(await page.getByText(secretIn(sent.at(-1))).count()).toBe(1);
      await page.getByRole("button", { name: "Close", exact: true }).click();

      relay.failure = new TransportFailure("The relay rejected the recipient: 550 5.1.1 No such user", {
        reply: "550 5.1.1 No such user",
        isRecipient: true,
      });
      await invite(`eva${index}@example.com`, "Send invitation");
      await page.getByText("The email wasn’t sent.").waitFor();
      relay.failure = null;
      await page.getByRole("button", { name: "I’ve copied it" }).click();
      const rowOf = (email: string) => page.getByRole("row").filter({ hasText: email });
      await soon(() => rowOf(`eva${index}@example.com`).innerText()).toContain("550 5.1.1 No such user");
      await invite(`kim${index}@example.com`, "Create link");
      await page.getByRole("button", { name: "I’ve copied it" }).click();
      await soon(() => rowOf(`kim${index}@example.com`).innerText()).toContain("Link only");
      await rowOf(`eva${index}@example.com`)
        .getByRole("button", { name: /^Send again/ })
        .click();
      await page.getByRole("heading", { name: `Invitation sent to eva${index}@example.com` }).waitFor();
      await soon(() => rowOf(`eva${index}@example.com`).innerText()).toContain("Sent by email");
      await expectUsableByEveryone(page);
    }
  });

  test("the account pages that emails link to say whom to ask if the server has no relay, and where to set it up", async () => {
    const plain = await openWebWorld();
    try {
      const { id } = await plain.createWorkspace("Letters");
      const { cookie } = await plain.addPerson(id, "owner");
      const page = await plain.openPage(null, { width: 390 });
      await page.goto(`${plain.base}/login`);
      await page.getByText("No account yet? Forgot your password?").click();
      await page.getByText("assay user reset-password", { exact: true }).waitFor();
      expect(await page.getByRole("link", { name: "Forgot your password?" }).count()).toBe(0);
      await page.goto(`${plain.base}/forgot-password`);
      await page.getByText("This server can’t send password reset emails.").waitFor();
      await expectUsableByEveryone(page);
      const inside = await plain.openPage(cookie, { width: 1280 });
      await inside.goto(`${plain.base}/settings/workspace`);
      await inside.getByRole("button", { name: "Invite member" }).click();
      await inside.getByText("This server can’t send invitations by email yet.").waitFor();
      await expectUsableByEveryone(inside);
      await inside.getByRole("link", { name: "set up email" }).click();
      await inside.getByText("Not set up. Missing: the mail server").waitFor();
    } finally {
      await plain.closeAll();
    }
  });
});
