import { afterAll, beforeAll, expect, test } from "vitest";
import { createWatchChore } from "../../src/features/own-addresses/work/watch.ts";
import { serveOrThrow } from "../../src/platform/work/serve-row.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const shots = process.env.LISTS_SHOTS;

let world: WebWorld;
beforeAll(async () => {
  world = await openWebWorld();
});
afterAll(() => world.closeAll());

async function shoot(page: Awaited<ReturnType<WebWorld["openPage"]>>, name: string) {
  if (!shots) return;
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${shots}/${name}-${width}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("an operator turns on the lists with one click, adds addresses, and sees which is listed and what to do", async () => {
  const reader = await addReader(world);
  const page = await world.openPage(reader.cookie, { width: 1440, height: 900 });
  await page.goto(`${world.base}/addresses`);
  const main = page.locator("main");
  await soon(() => main.innerText()).toContain("No addresses yet");
  await page.getByRole("button", { name: "Add addresses" }).click();
  await page.getByLabel("IP addresses and domains").fill("203.0.113.9, 10.0.0.1");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await soon(() => page.getByRole("dialog").innerText()).toContain("10.0.0.1 is not a public address.");
  await page.getByLabel("IP addresses and domains").fill("203.0.113.9\n203.0.113.10\n2001:db8::25\nshop.example");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await soon(() => main.innerText()).toContain("No blocklist is on, so your 4 addresses can’t be looked up.");
  await shoot(page, "off");
  await page.getByRole("button", { name: "Turn them on" }).click();
  await soon(() => main.innerText()).toContain("The first lookup of your 4 addresses is on its way.");
  expect(world.config.dnsbls.map(({ zone }) => zone)).toContain("bl.spamcop.net");
  const on = world.config.dnsbls.map(({ zone }) => [`2.0.0.127.${zone}`, { A: ["127.0.0.2"] }] as const);
  const listed = { A: ["127.0.0.2"], TXT: ["Blocked - see https://www.spamcop.net/bl.shtml?203.0.113.9"] };
  world.internet.zone = {
    ...world.internet.zone,
    ...Object.fromEntries(on),
    "9.113.0.203.bl.spamcop.net": listed,
    "*.psbl.surriel.com": { A: ["127.255.255.254"] },
  };
  await createWatchChore(world).run(new AbortController().signal, serveOrThrow);
  await page.reload();
  await soon(() => main.innerText()).toContain("203.0.113.9 is on SpamCop, which hardly matters to the big providers.");
  await soon(() => main.locator("tbody tr").first().innerText()).toContain("203.0.113.9");
  const v6 = main.locator("tbody tr", { hasText: "2001:db8::25" });
  expect(await v6.innerText()).toContain("not known yet");
  await expectUsableByEveryone(page);
  await shoot(page, "listed");
  await page.getByRole("link", { name: "203.0.113.9" }).click();
  await soon(() => main.innerText()).toMatch(/On 1 list\.[\s\S]*What to do:[\s\S]*Blocked - see[\s\S]*still listed/);
  await expectUsableByEveryone(page);
  await shoot(page, "one");
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await soon(() => main.innerText()).not.toContain("203.0.113.9");
  await page.close();
});
