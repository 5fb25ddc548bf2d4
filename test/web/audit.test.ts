import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

let world: WebWorld;
let owner: Awaited<ReturnType<typeof addReader>>;

beforeAll(async () => {
  if (!hasBrowser) return;
  world = await openWebWorld();
  owner = await addReader(world);
});
afterAll(() => world?.closeAll());

describe.skipIf(!hasBrowser)("the audit log page", () => {
  test("the audit log page shows actions in sentences with details on demand, and filters in the URL", async () => {
    const asked = { cookie: owner.cookie, workspace: owner.workspaceId };
    const rule = { name: "Receipts <b>&\n", sender: null, label: "receipt" };
    await world.ask("POST", "/api/stream-rules", { ...asked, body: rule });
    const { json } = await world.ask("POST", "/api/tokens", { ...asked, body: { name: "ci-deploy" } });
    await world.ask("DELETE", `/api/tokens/${json.id}`, asked);
    const page = await world.openPage(owner.cookie);
    await page.goto(`${world.base}/settings/audit`);
    await page.getByText("Ann Marlow revoked the token “ci-deploy”").click();
    await soon(() => page.locator("table").innerText()).toContain("token.revoke");
    await expectUsableByEveryone(page);
    await page.getByLabel("On what").fill("ci-");
    await page.getByLabel("Action").selectOption("token");
    await page.getByRole("button", { name: "Filter" }).click();
    await soon(() => page.locator("tbody tr").count()).toBe(2);
    expect(page.url()).toContain("action=token&object=ci-");
    await page.getByRole("link", { name: "Clear" }).click();
    await soon(() => page.locator("tbody tr").count()).toBe(3);
  });

  test("the audit log page leads an operator to the entries of the server", async () => {
    const asked = { cookie: owner.cookie, workspace: owner.workspaceId };
    const changed = await world.ask("PATCH", "/api/server-settings/ASSAY_RETENTION_DAYS", {
      ...asked,
      body: { value: "30" },
    });
    expect(changed.status).toBe(200);
    const page = await world.openPage(owner.cookie);
    await page.goto(`${world.base}/settings/audit`);
    await page.getByRole("link", { name: "the server’s log" }).click();
    await soon(() => page.locator("table").innerText()).toContain("ASSAY_RETENTION_DAYS");
    await expectUsableByEveryone(page);
    await page.getByRole("link", { name: "See this workspace’s" }).click();
    await soon(() => page.locator("main").innerText()).not.toContain("ASSAY_RETENTION_DAYS");
  });

  test("the audit log page tells a member who can see the log, and offers nothing that would fail", async () => {
    const member = await world.addPerson(owner.workspaceId, "member", "Cora Lund");
    const page = await world.openPage(member.cookie);
    await page.goto(`${world.base}/settings/audit`);
    await page.getByText("You can’t see the audit log. Only an owner of the workspace can do this.").waitFor();
    expect(await page.getByRole("button", { name: /Filter|Try again/ }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Export" }).count()).toBe(0);
    expect(await page.getByRole("alert").count()).toBe(0);
    await expectUsableByEveryone(page);
  });
});
