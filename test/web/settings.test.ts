// The settings pages as users see them: what is created there works, and what is ended there stops working.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Payments } from "../../src/features/billing/work/payments.ts";
import { parsePlans } from "../../src/features/people/rules/plans.ts";
import { storeOf } from "../../src/platform/database/scope.ts";
import { goodPassword, resetToken } from "../http/people.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const reading = parsePlans(
  JSON.stringify({
    plans: {
      small: { label: "Small", seedInboxes: 3, tokens: 10, testsPerMonth: 100, workspaces: 5 },
      large: { label: "Large", stripePriceId: "price_large" },
    },
    default: "small",
  }),
);
if (!reading.ok) throw new Error(reading.problems.join());
const { plans } = reading;

/** Its page sends back at once those who have paid. */
const shop: Payments = {
  createCheckout: async ({ returnUrl }) => `${returnUrl}?checkout=done`,
  createPortal: async (_customer, returnUrl) => returnUrl,
  readEvent: async () => null,
};

const held: { world?: WebWorld } = {};
const worldOf = () => held.world as WebWorld;

beforeAll(async () => {
  if (!hasBrowser) return;
  held.world = await openWebWorld({ plans, payments: () => shop });
  // The server's first workspace cannot be deleted; those of the tests can.
  await held.world.createWorkspace("First");
  held.world.clock.nowMs += 1;
});
afterAll(() => held.world?.closeAll());

async function openSettings(section: string, cookie: string) {
  const world = worldOf();
  const page = await world.openPage(cookie);
  // Of the same day as the server, whose clock stands.
  await page.clock.setFixedTime(world.clock.nowMs);
  await page.goto(`${world.base}/settings/${section}`);
  await page.locator(".settings-sec h2").first().waitFor();
  return page;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialogOf = (page: Page) => page.getByRole("dialog");
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const textOf = (page: Page) => page.locator("main").innerText();
const linesOf = (page: Page) => page.locator("main").getByRole("row").count();

describe.skipIf(!hasBrowser)("the settings pages", () => {
  test("the settings pages issue a token that works until it is revoked", async () => {
    const world = worldOf();
    const { cookie, workspaceId: workspace } = await addReader(world);
    const page = await openSettings("tokens", cookie);
    await soon(() => page.getByText("No tokens yet").count()).toBe(1);
    await button(page, "Create token").click();
    await dialogOf(page).getByRole("button", { name: "Create token" }).click();
    await soon(() => dialogOf(page).innerText()).toContain("Enter a name for the token.");
    await expectUsableByEveryone(page);
    await dialogOf(page).getByLabel("Name").fill("<b>nightly</b> build");
    await dialogOf(page).getByLabel("What it may do").selectOption("write");
    await soon(() => dialogOf(page).innerText()).toContain("re-analyzes");
    await dialogOf(page).getByLabel("Only tests with this label").fill("<i>nightly</i>");
    await dialogOf(page).getByRole("button", { name: "Create token" }).click();
    const made = page.getByRole("status").filter({ hasText: "Copy it now" });
    const token = (await made.locator("code").first().innerText()).trim();
    expect(token).toMatch(/^asy_\w{40}$/);
    const command = await made.locator("code").last().innerText();
    expect(command).toContain(`Authorization: Bearer ${token}`);
    expect(command).toContain(`X-Workspace-Id: ${workspace}`);
    await soon(() => row(page, "<b>nightly</b> build").innerText()).toContain("19 Feb 2027");
    expect(await row(page, "<b>nightly</b> build").innerText()).toMatch(/Write\s+Only the label <i>nightly<\/i>/);
    expect((await world.ask("GET", "/api/tests", { token, workspace })).status).toBe(200);
    await expectUsableByEveryone(page);

    await button(page, "I’ve copied it").click();
    await soon(() => made.count()).toBe(0);
    expect(await page.content()).not.toContain(token);
    await button(page, /^Revoke/).click();
    await dialogOf(page).getByRole("button", { name: "Revoke" }).click();
    await soon(() => textOf(page)).toContain("No tokens yet");
    const { status, json } = await world.ask("GET", "/api/tests", { token, workspace });
    expect({ status, error: json.error }).toEqual({ status: 403, error: "forbidden" });
  });

  test("the settings pages show who joined with a token before it is revoked", async () => {
    const world = worldOf();
    const { cookie, workspaceId: workspace, id } = await addReader(world);
    const { token } = await world.issueToken(workspace, null, id);
    const body = { email: "bob@friends.example", role: "member" };
    const { link } = (await world.ask("POST", "/api/members", { token, workspace, body })).json;
    const joining = { token: link.split("#")[1], name: "<b>Bob</b>", password: goodPassword };
    await world.ask("POST", "/api/auth/invite/accept", { body: joining });
    const page = await openSettings("tokens", cookie);
    await button(page, /^Revoke/).click();
    await soon(() => dialogOf(page).innerText()).toContain(
      "<b>Bob</b> joined with an invitation from this token and stays a member.",
    );
  });

  test("the settings pages keep an open form until a click starts and ends outside it", async () => {
    const { cookie } = await addReader(worldOf());
    const page = await openSettings("tokens", cookie);
    await button(page, "Create token").click();
    const name = dialogOf(page).getByLabel("Name");
    await name.fill("Build server");
    const [field, dialog] = [await name.boundingBox(), await dialogOf(page).boundingBox()];
    if (field === null || dialog === null) throw new Error("Neither is shown.");
    // Selecting what was typed, past the edge of the dialog.
    await page.mouse.move(field.x + 20, field.y + field.height / 2);
    await page.mouse.down();
    await page.mouse.move(dialog.x - 40, field.y + field.height / 2);
    await page.mouse.up();
    await page.mouse.click(dialog.x + 4, dialog.y + 4);
    expect(await name.inputValue()).toBe("Build server");
    await page.mouse.click(dialog.x - 40, dialog.y);
    await soon(() => dialogOf(page).count()).toBe(0);
  });

  test("the settings pages invite a user who joins by link, becomes an owner, and is removed, except the last owner", async () => {
    const world = worldOf();
    const { cookie } = await addReader(world);
    const page = await openSettings("workspace", cookie);
    await button(page, "Invite member").click();
    await dialogOf(page).getByLabel("Email").fill("nowhere");
    await button(page, "Create link").click();
    await soon(() => dialogOf(page).getByRole("alert").count()).toBe(1);
    await dialogOf(page).getByLabel("Email").fill("ben@friends.example");
    await button(page, "Create link").click();
    const link = await page.locator(".seen-now code").innerText();
    await soon(() => textOf(page)).toContain("1 pending invitation");
    await expectUsableByEveryone(page);

    const bens = await world.openPage(null);
    await bens.goto(link);
    await bens.getByLabel("Your name").fill("Ben Ash");
    await bens.locator("input[name=password]").fill(goodPassword);
    await bens.getByRole("button", { name: "Join" }).click();
    await bens.waitForURL(`${world.base}/`);

    await page.reload();
    await soon(() => row(page, "Ben Ash").innerText()).toContain("ben@friends.example");
    expect(await textOf(page)).not.toContain("pending invitation");
    await button(page, "Leave this workspace").click();
    await dialogOf(page).getByRole("button", { name: "Leave" }).click();
    await soon(() => dialogOf(page).innerText()).toContain("last owner");
    await button(page, "Cancel").click();
    await row(page, "Ben Ash")
      .getByRole("button", { name: /Make owner/ })
      .click();
    await dialogOf(page).getByRole("button", { name: "Make owner" }).click();
    await soon(() => row(page, "Ben Ash").innerText()).toContain("Owner");
    await button(page, "Remove Ben Ash").click();
    await dialogOf(page).getByRole("button", { name: "Remove" }).click();
    await soon(() => row(page, "Ben Ash").count()).toBe(0);
    await bens.reload();
    await soon(() => bens.locator("h1").innerText()).toBe("You’re not in a workspace");
  });

  test("the settings pages change a password, which ends the other sessions, and end single sessions", async () => {
    const world = worldOf();
    const { id, email, cookie } = await addReader(world);
    await world.ask("POST", "/api/auth/reset", {
      body: { token: await resetToken(world, email), password: goodPassword },
      headers: { origin: world.base },
    });
    const here = await world.openSession(id);
    const elsewhere = await world.openSession(id);
    expect(cookie).not.toBe(here.cookie);
    const page = await openSettings("you", here.cookie);
    const sessions = page.getByRole("region", { name: "Your sessions" });
    const ends = sessions.getByRole("button", { name: /^Log out .* at / });
    await soon(() => ends.count()).toBe(2);
    expect(await sessions.getByText("This browser").count()).toBe(1);
    await expectUsableByEveryone(page);
    await ends.first().click();
    await dialogOf(page).getByRole("button", { name: "Log out" }).click();
    await soon(() => ends.count()).toBe(1);

    const next = "another lamp under tundra";
    await page.getByLabel("Current password").fill("not this one at all");
    await page.getByLabel("New password").fill(next);
    await button(page, "Change password").click();
    await soon(() => textOf(page)).toContain("Wrong password.");
    await page.getByLabel("Current password").fill(goodPassword);
    await page.getByLabel("New password").fill("password12");
    await button(page, "Change password").click();
    await soon(() => textOf(page)).toMatch(/common/);
    await page.getByLabel("New password").fill(next);
    await button(page, "Change password").click();
    await soon(() => page.locator(".toast").innerText()).toContain("Password changed");
    await soon(() => ends.count()).toBe(0);
    expect((await world.ask("GET", "/api/me", { cookie: elsewhere.cookie })).status).toBe(401);
    expect((await world.ask("GET", "/api/me", { cookie: here.cookie })).status).toBe(200);
  });

  test("the settings pages add, activate, rename, and delete a seed address", async () => {
    const world = worldOf();
    const { cookie, seedAddress } = await addReader(world);
    const page = await openSettings("receiving", cookie);
    await button(page, "Add seed inbox").click();
    await dialogOf(page).getByLabel("Local part (optional)").fill("postmaster");
    await dialogOf(page).getByRole("button", { name: "Add seed inbox" }).click();
    await soon(() => dialogOf(page).innerText()).toContain("reserved");
    await dialogOf(page).getByLabel("Local part (optional)").fill("Welcome-Flow");
    await dialogOf(page).getByLabel("Name").fill("Welcome mails");
    await dialogOf(page).getByRole("button", { name: "Add seed inbox" }).click();
    const added = row(page, "welcome-flow@seed.example");
    await soon(() => added.innerText()).toContain("Welcome mails");
    await expectUsableByEveryone(page);
    await added.getByRole("button", { name: /Make active/ }).click();
    await soon(() => added.getByText("Active", { exact: true }).count()).toBe(1);
    await soon(() => textOf(page)).toContain("welcome-flow+welcome-flow@seed.example");
    await row(page, seedAddress)
      .getByRole("button", { name: /^Delete/ })
      .click();
    await dialogOf(page).getByRole("button", { name: "Delete" }).click();
    await soon(() => linesOf(page)).toBe(2);
    expect(await button(page, /^Delete/).count()).toBe(0);
    await page.getByRole("link", { name: "New test" }).first().click();
    await soon(() => textOf(page)).toContain("welcome-flow@seed.example");
  });

  test("the settings pages mark a seed address that no longer receives mail, with a fix", async () => {
    const world = worldOf();
    const { cookie, workspaceId } = await addReader(world);
    const scope = storeOf(world.store, workspaceId);
    await scope.write((own) => own.updateTable("seed_inboxes").set({ domain: "old.example" }).execute());
    const page = await openSettings("receiving", cookie);
    const gone = row(page, "@old.example");
    await soon(() => gone.innerText()).toContain("Can’t receive mail");
    expect(await gone.getByText("Active", { exact: true }).count()).toBe(0);
    expect(await textOf(page)).toContain("This server rejects mail to old.example. Add the domain");
    await expectUsableByEveryone(page);
    await button(page, "Add seed inbox").click();
    await dialogOf(page).getByRole("button", { name: "Add seed inbox" }).click();
    await soon(() => linesOf(page)).toBe(3);
    expect(await row(page, "@seed.example").innerText()).not.toContain("Can’t receive mail");
  });

  test("the settings pages rename the workspace, create a new one, and delete it by its name", async () => {
    const world = worldOf();
    const { cookie, workspaceId } = await addReader(world);
    const page = await openSettings("workspace", cookie);
    await page.getByLabel("Name").fill("Post & Parcels");
    await button(page, "Rename").click();
    await page.getByLabel("Account menu for Ann Marlow").click();
    await soon(() => page.getByText("Workspace: Post & Parcels").count()).toBe(1);
    await page.keyboard.press("Escape");
    expect(await textOf(page)).toContain(workspaceId);
    await expectUsableByEveryone(page);
    await button(page, "Create workspace").click();
    await dialogOf(page).getByLabel("Name").fill("Newsroom");
    await dialogOf(page).getByRole("button", { name: "Create workspace" }).click();
    await page.waitForURL(`${world.base}/`);
    await page.goto(`${world.base}/settings/workspace`);
    await soon(() => page.locator("h3").first().innerText()).toBe("Newsroom");
    // As if another page of this browser had gone to the other workspace meanwhile.
    const kept = await page.evaluate(() => localStorage.getItem("assay-workspace") ?? "");
    await page.evaluate(() => localStorage.removeItem("assay-workspace"));
    await button(page, "Rename").click();
    await soon(() => page.locator(".toast").innerText()).toContain("Workspace renamed to Newsroom");
    expect(await page.locator("h3").first().innerText()).toBe("Newsroom");
    await page.evaluate((id) => localStorage.setItem("assay-workspace", id), kept);
    await button(page, "Delete workspace").click();
    await dialogOf(page).getByLabel(/Type/).fill("second");
    await button(page, "Delete forever").click();
    await soon(() => dialogOf(page).innerText()).toContain("The name doesn’t match");
    await dialogOf(page).getByLabel(/Type/).fill("Newsroom");
    await button(page, "Delete forever").click();
    await page.waitForURL(`${world.base}/`);
    await page.goto(`${world.base}/settings/workspace`);
    await soon(() => page.locator("h3").first().innerText()).toBe("Post & Parcels");
    expect(await textOf(page)).not.toContain("Newsroom");
  });

  test("the settings pages stay in their workspace if another tab switches", async () => {
    const world = worldOf();
    const { cookie, workspaceId } = await addReader(world);
    const body = { name: "Newsroom" };
    // One that came later stands behind the first.
    world.clock.nowMs += 1_000;
    const second = await world.ask("POST", "/api/workspaces", { cookie, workspace: workspaceId, body });
    const page = await openSettings("workspace", cookie);
    await page.evaluate((id) => localStorage.setItem("assay-workspace", id), second.json.id);
    await page.getByLabel("Name").fill("Parcels");
    await button(page, "Rename").click();
    await soon(() => page.locator("#workspace-name").innerText()).toBe("Parcels");
    expect(await textOf(page)).toContain(workspaceId);
  });

  test("the settings pages offer a member only what members may do, and say who can do the rest", async () => {
    const world = worldOf();
    const { workspaceId } = await addReader(world);
    const cora = await world.addPerson(workspaceId, "member", "Cora Lund");
    const page = await openSettings("workspace", cora.cookie);
    await soon(() => textOf(page)).toContain("Ask Ann Marlow to invite or remove members.");
    expect(await button(page, /Invite|Make|^Remove/).count()).toBe(0);
    expect(await button(page, "Leave this workspace").count()).toBe(1);
    expect(await textOf(page)).toContain("Only owners can rename the workspace.");
    expect(await button(page, /Rename|Delete|Create workspace/).count()).toBe(0);
    await page.getByRole("link", { name: "Plan", exact: true }).click();
    await soon(() => textOf(page)).toContain("Only owners can change the plan.");
    expect(await button(page, /Choose/).count()).toBe(0);
    await page.goBack();
    await soon(() => page.title()).toBe("Members and workspace · Assay");
    const busy = { error: "conflict", message: "Try it in a minute." };
    await page.route("**/api/tokens", (road) => road.fulfill({ status: 409, json: busy }));
    await page.getByRole("link", { name: "API tokens" }).click();
    await soon(() => page.getByRole("alert").innerText()).toContain("Couldn’t load the tokens.");
    await expectUsableByEveryone(page);
    await page.unroute("**/api/tokens");
    await button(page, "Try again").click();
    await soon(() => textOf(page)).toContain("No tokens yet");
  });

  test("the settings pages create signing keys with the records to publish, and show when these are in DNS", async () => {
    const world = worldOf();
    const { cookie, workspaceId: workspace } = await addReader(world);
    const page = await openSettings("sending", cookie);
    await soon(() => textOf(page)).toContain("No signing keys yet");
    await button(page, "Create keys").click();
    await dialogOf(page).getByLabel("Domain").fill("letters.example");
    await dialogOf(page).getByLabel("Key type").selectOption("ed25519");
    await dialogOf(page).getByRole("button", { name: "Create keys" }).click();
    await soon(() => textOf(page)).toContain("Not published");
    await expectUsableByEveryone(page);
    const { token } = await world.issueToken(workspace);
    const { items } = (await world.ask("GET", "/api/signing-keys", { token, workspace })).json;
    const { name, value } = items[0].record;
    expect(await textOf(page)).toContain(value);
    world.internet.zone = { [name]: { TXT: [value] } };
    await button(page, /^Check again/).click();
    await soon(() => page.locator(".chip").innerText()).toBe("Published");
    await button(page, /^Delete/).click();
    await dialogOf(page).getByRole("button", { name: "Delete" }).click();
    await soon(() => textOf(page)).toContain("No signing keys yet");
  });

  test("the settings pages show the plan's remaining limits, and turn off keyboard shortcuts", async () => {
    const world = worldOf();
    const { cookie } = await addReader(world);
    const page = await openSettings("plan", cookie);
    await soon(() => textOf(page)).toContain("1 of 3");
    await expectUsableByEveryone(page);
    await button(page, "Choose Large").click();
    await page.waitForURL("**/settings/plan?checkout=done");
    await soon(() => textOf(page)).toContain("when the payment provider confirms the payment");
    await page.route("**/api/billing", async (road) => {
      const answer = await road.fetch();
      await road.fulfill({ response: answer, json: { ...(await answer.json()), configured: false } });
    });
    await page.goto(`${world.base}/settings/plan`);
    await soon(() => textOf(page)).toContain("Billing isn’t enabled on this server");
    expect(await page.locator("main").getByRole("button").count()).toBe(0);

    await page.keyboard.press("?");
    await dialogOf(page).getByRole("link", { name: "Turn shortcuts on or off" }).click();
    await soon(() => page.title()).toBe("Account · Assay");
    const keys = page.getByRole("group", { name: "Keyboard shortcuts" });
    await keys.getByText("Off").click();
    await page.reload();
    await soon(() => keys.getByLabel("Off").isChecked()).toBe(true);
    await page.keyboard.press("?");
    expect(await dialogOf(page).count()).toBe(0);
    await keys.getByText("On").click();
    await page.locator(".settings-sec h2").click();
    await page.keyboard.press("?");
    await soon(() => dialogOf(page).count()).toBe(1);
  });
});
