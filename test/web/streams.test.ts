import { afterAll, beforeAll, expect, test } from "vitest";
import { createMoveWatcher } from "../../src/features/streams/work/stream-moves.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const zone = {
  "sender.example": {
    A: ["192.0.2.80"],
    TXT: ["v=spf1 ip4:192.0.2.1 -all"],
    MX: [{ preference: 1, exchange: "mail.sender.example" }],
  },
  "_dmarc.sender.example": { TXT: ["v=DMARC1; p=none"] },
  "1.2.0.192.in-addr.arpa": { PTR: ["mail.sender.example"] },
  "mail.sender.example": { A: ["192.0.2.1"] },
};
const changed = { ...zone, "sender.example": { ...zone["sender.example"], TXT: ["v=spf1 -all"] } };

const letter = (number: number) =>
  Buffer.from(
    `From: Good Shop <news@sender.example>\r\nTo: bob@seed.example\r\nSubject: News ${number}\r\n` +
      `Message-ID: <${number}@sender.example>\r\nDate: Sat, 21 Nov 2026 06:00:00 +0000\r\n` +
      "MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" +
      `<html lang="en"><body><table width="600"><tr><td><h1>News ${number}</h1><p>Hello, this is the news.</p></td></tr></table></body></html>\r\n`,
  );

let world: WebWorld;
beforeAll(async () => {
  world = await openWebWorld();
});
afterAll(() => world.closeAll());

test("a stream's page shows when its score changed, why, and the share of each cause", async () => {
  const reader = await addReader(world);
  const { store, system, thread } = world;
  for (let number = 1; number <= 8; number++) {
    world.internet.zone = number < 7 ? zone : changed;
    world.clock.nowMs += 3_600_000;
    await world.receive(reader.workspaceId, "newsletter", letter(number));
    await world.analyzeAll();
  }
  await createMoveWatcher({ store, system, thread, owner: "test" }).untilIdle();
  const page = await world.openPage(reader.cookie, { width: 1440, height: 900 });
  await page.goto(`${world.base}/`);
  const things = page.getByRole("list", { name: "Other things that need you" });
  await soon(() => things.innerText()).toMatch(
    /sender\.example · newsletter scored \d+ points lower than usual\s+Because of DNS/,
  );
  const card = page.getByRole("region", { name: "Streams" });
  expect(await card.getByRole("img").getAttribute("aria-label")).toMatch(/^Scores: (\d+, )+\d+$/);
  await card.getByRole("link", { name: "sender.example · newsletter" }).click();
  await soon(() => page.locator("h1").innerText()).toContain("sender.example · newsletter");
  const main = page.locator("main");
  await soon(() => main.innerText()).toMatch(/Last unusual score: \d+, when \d+ was usual/);
  expect(await main.innerText()).toContain("DNS changed: TXT sender.example.");
  await expectUsableByEveryone(page);
  await page.getByRole("link", { name: "Compare it with the last usual test" }).click();
  await soon(() => main.innerText()).toMatch(/What accounts for the \d+ points/);
  await page.goto(`${world.base}/streams`);
  await soon(() => main.innerText()).toContain("sender.example · newsletter");
  await page.getByRole("link", { name: "Add rule" }).click();
  await page.getByLabel("Name").fill("Everything");
  await page.getByRole("button", { name: "Add rule" }).click();
  await soon(() => page.getByRole("dialog").innerText()).toMatch(/must be given, or a label/);
  await page.getByLabel("Sender").fill("*@sender.example");
  await page.getByRole("button", { name: "Add rule" }).click();
  await soon(() => main.innerText()).toContain("Everything");
  await expectUsableByEveryone(page);
});
