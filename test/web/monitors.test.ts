import { afterAll, beforeAll, expect, test } from "vitest";
import { createExpectedWatcher } from "../../src/tasks/monitors/expected.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const toRaw = (subject: string) =>
  Buffer.from(
    `From: Backup <backup@corp.example>\r\nSubject: ${subject}\r\nMessage-ID: <${subject.length}@corp.example>\r\n\r\nHi.\r\n`,
  );

let world: WebWorld;
beforeAll(async () => {
  world = await openWebWorld();
});
afterAll(() => world.closeAll());

test("a message becomes a monitor, which goes down, and gets maintenance and a badge", async () => {
  const reader = await addReader(world);
  const { clock, system, store, events } = world;
  const id = await world.receive(reader.workspaceId, "backup", toRaw("Backup OK 2026-11-20"));
  await world.analyzeAll();
  const page = await world.openPage(reader.cookie, { width: 1440, height: 900 });
  await page.goto(`${world.base}/monitors`);
  const main = page.locator("main");
  await soon(() => main.innerText()).toContain("No monitors yet");
  await expectUsableByEveryone(page);
  await page.goto(`${world.base}/tests/${id}`);
  await page.getByRole("link", { name: "Expect this mail" }).click();
  const dialog = page.getByRole("dialog");
  await soon(() => dialog.innerText()).toMatch(
    /1 of 1 message of the last 30 days matches.\s+Newest: “Backup OK 2026/,
  );
  expect(await dialog.getByRole("textbox", { name: "Sender" }).inputValue()).toBe("backup@corp.example");
  expect(await dialog.getByLabel("Subject contains").inputValue()).toBe("Backup OK");
  await dialog.getByRole("textbox", { name: "Sender" }).fill("other@*");
  await dialog.getByRole("textbox", { name: "Sender" }).press("Tab");
  await soon(() => dialog.innerText()).toContain("0 of 1 message of the last 30 days match");
  await dialog.getByRole("textbox", { name: "Sender" }).fill("backup@*");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Nightly backup");
  await dialog.getByText("At least every").click();
  await dialog.getByLabel("Hours between two messages").fill("1");
  await expectUsableByEveryone(page);
  await dialog.getByRole("button", { name: "Add monitor" }).click();
  await soon(() => main.innerText()).toMatch(/Nightly backup[\s\S]*No result yet/);
  clock.nowMs += 60_000;
  await world.receive(reader.workspaceId, "backup", toRaw("Backup FAILED"));
  await world.analyzeAll();
  await createExpectedWatcher({
    store,
    system,
    hasRoom: async () => true,
    publish: events.publish,
  }).untilIdle();
  await page.goto(`${world.base}/`);
  const card = page.getByRole("region", { name: "Monitors that are down" });
  await soon(() => card.innerText()).toContain("Subject: Backup FAILED");
  await card.getByRole("link", { name: "Nightly backup" }).click();
  await soon(() => dialog.innerText()).toContain("Status badge");
  await expectUsableByEveryone(page);
  await dialog.getByRole("button", { name: "For one hour" }).click();
  await soon(() => dialog.getByRole("button", { name: /^Delete/ }).count()).toBe(1);
  await dialog.getByRole("button", { name: "Create badge" }).click();
  await soon(() => dialog.getByRole("img", { name: "Badge: Nightly backup" }).count()).toBe(1);
  await soon(() =>
    dialog
      .getByRole("img", { name: "Badge: Nightly backup" })
      .evaluate((image) => (image as HTMLImageElement).naturalHeight),
  ).toBe(20);
  expect(await dialog.innerText()).toContain("![Nightly backup](http");
  await page.goto(`${world.base}/monitors`);
  await soon(() => main.innerText()).toMatch(
    /1 monitor, 1 down\.[\s\S]*Down since[\s\S]*Subject: Backup FAILED/,
  );
  await expectUsableByEveryone(page);
}, 60_000);
