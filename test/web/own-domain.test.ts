import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const machine = { settings: { ASSAY_SEED_DOMAINS: "seed.localhost", ASSAY_SMTP_LISTEN: "127.0.0.1:2525" } };

describe.skipIf(!hasBrowser)("setting up the user's own domain", () => {
  let world: WebWorld;
  let first: Awaited<ReturnType<typeof addReader>>;
  beforeAll(async () => {
    world = await openWebWorld({ machine });
    first = await addReader(world);
    world.clock.nowMs += 1;
  });
  afterAll(() => world?.closeAll());

  test("setting up the user's own domain shows its records, marks each when it is found, and turns on the settings", async () => {
    const page = await world.openPage(first.cookie);
    await page.goto(`${world.base}/settings/receiving`);
    const section = page.getByRole("region", { name: "Use your own domain" });
    await section.locator("summary").click();
    await section.getByLabel("Domain", { exact: true }).fill("seed.localhost");
    await section.getByRole("button", { name: "Show DNS records" }).click();
    await soon(() => section.getByRole("alert").innerText()).toContain("seed.localhost is a reserved name");
    await section.getByLabel("Domain", { exact: true }).fill("Seed.Acme.net");
    await section.getByRole("button", { name: "Show DNS records" }).click();
    await soon(() => section.getByText("seed.acme.net has no MX record yet.").count()).toBeGreaterThan(0);
    expect(new URL(page.url()).search).toBe("?domain=Seed.Acme.net");
    const words = await section.innerText();
    for (const told of ["10 mx.acme.net.", "8.8.4.4", "ASSAY_SMTP_HOSTNAME=mx.acme.net"]) expect(words).toContain(told);
    world.internet.zone = {
      "seed.acme.net": { MX: [{ preference: 10, exchange: "mx.acme.net" }] },
      "mx.acme.net": { A: ["8.8.4.4"] },
    };
    await soon(() => section.getByText("Published", { exact: true }).count()).toBe(1);
    expect(await section.getByText("Found", { exact: true }).count()).toBe(2);
    await section.getByRole("button", { name: /Turn on.*Accept mail/ }).click();
    await section.getByText("Assay accepts mail for seed.acme.net.").first().waitFor();
    await section.getByRole("button", { name: /Turn on.*Listen on port 25/ }).click();
    await section.getByText("On", { exact: true }).waitFor();
    expect(world.config.seedDomains).toEqual(["seed.acme.net", "seed.localhost"]);
    await soon(() => section.locator("summary").innerText()).toContain("Seed domains: seed.acme.net,seed.localhost");
    await expectUsableByEveryone(page);
  });

  test("setting up the user's own domain leads to the server check, which shows problems and counts the rest", async () => {
    const page = await world.openPage(first.cookie);
    await page.goto(`${world.base}/settings/receiving#own-domain`);
    await page.getByRole("link", { name: "Is the server ready?" }).click();
    const group = (name: string) => page.locator(".setting").filter({ has: page.getByRole("heading", { name }) });
    const ok = group("OK").locator("summary");
    await soon(() => ok.innerText()).toMatch(/^OK\s+\d+/);
    const count = Number(/\d+/.exec(await ok.innerText()));
    await ok.click();
    expect(await group("OK").getByRole("row").count()).toBe(count);
    expect(await group("OK").innerText()).toContain("Data directory");
    await expectUsableByEveryone(page);
  });

  test("setting up the user's own domain is only for owners of the server's first workspace, and tells others so", async () => {
    const member = await world.addPerson(first.workspaceId, "member");
    const page = await world.openPage(member.cookie);
    await page.goto(`${world.base}/settings/receiving`);
    await soon(() => page.getByText("Only owners of this server’s first workspace").count()).toBe(1);
    const other = await addReader(world);
    const elsewhere = await world.openPage(other.cookie);
    await elsewhere.goto(`${world.base}/settings/receiving?domain=seed.acme.net`);
    await soon(() => elsewhere.getByText("Only owners of this server’s first workspace").count()).toBe(1);
  });
});
