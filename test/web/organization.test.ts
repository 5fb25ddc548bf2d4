// The login page with organizations, what it says when something is wrong, and the account page.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { toIssuer } from "../http/oidc-world.ts";
import { startOrganization } from "../oidc-issuer.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const label = 'Example <b>"Inc."</b> & Söhne GmbH';
const issuer = (port: number, name: string) => ({
  label: name,
  issuer: `http://127.0.0.1:${port}`,
  clientId: "assay",
  roles: [{ when: "everyone", role: "member" }],
});

describe.skipIf(!hasBrowser)("login with an organization", () => {
  let world: WebWorld;
  let cookie: string;
  beforeAll(async () => {
    // Nothing listens there.
    world = await openWebWorld({ issuers: { one: issuer(1, label), two: issuer(2, "Second") } });
    const workspace = await world.createWorkspace("Letters");
    ({ cookie } = await world.addPerson(workspace.id, "owner", "Ann Marlow"));
  });
  afterAll(() => world.closeAll());

  test("login with an organization has a button for each organization, and a clear page if one is down", async () => {
    for (const look of [{ width: 390 }, { width: 1440, colorScheme: "dark" }] as const) {
      const page = await world.openPage(null, look);
      await page.goto(`${world.base}/login?next=%2Fdomains`);
      const button = page.getByRole("link", { name: `Log in with ${label}` });
      await button.waitFor();
      await page.getByRole("link", { name: "Log in with Second" }).waitFor();
      await expectUsableByEveryone(page);
      await button.click();
      await page.getByText(`${label} isn’t responding.`).waitFor();
      expect(new URL(page.url()).search).toBe("?problem=silent&at=one&next=%2Fdomains");
      await page.getByLabel("Password").waitFor();
      await expectUsableByEveryone(page);
    }
  });

  test("login with an organization leads to the real issuer and back into the app, and logs out there too", async () => {
    const organization = await startOrganization();
    organization.people.set("ann", { email: "ann@example.com", name: "Ann Moss", groups: ["writers"] });
    const real = await openWebWorld({ issuers: { company: toIssuer(organization.url) } });
    onTestFinished(real.closeAll);
    real.clock.nowMs = Date.now();
    await real.createWorkspace("Letters");
    const page = await real.openPage(null, { alsoAt: organization.url });
    await page.goto(`${real.base}/login?next=/settings/you`);
    await page.getByRole("link", { name: "Log in with Example Inc." }).click();
    await page.getByRole("heading", { name: "Ann Moss" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/settings/you");
    await page.getByLabel("Account menu for Ann Moss").click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.waitForURL(`${organization.url}/session/end?*`);
  });

  test("login with an organization shows no text from a forged URL", async () => {
    const page = await world.openPage(null);
    await page.goto(`${world.base}/login?problem=constructor&at=%3Cb%3Eevil`);
    await page.getByRole("link", { name: "Log in with Second" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.goto(`${world.base}/login?problem=no_role&at=%3Cb%3Eevil`);
    await page.getByText("Your organization knows you").waitFor();
    expect(await page.locator("main").innerText()).not.toContain("evil");
  });

  test("login with an organization shows how the user logs in, and no password form without a password", async () => {
    const page = await world.openPage(cookie, { width: 390 });
    await page.goto(`${world.base}/settings/you`);
    await page.getByRole("heading", { name: "How you log in" }).waitFor();
    await soon(() => page.getByRole("button", { name: "Connect Second" }).count()).toBe(1);
    await page.getByRole("heading", { name: "Your sessions" }).waitFor();
    expect(await page.getByLabel("Current password").count()).toBe(0);
    await expectUsableByEveryone(page);
  });
});
