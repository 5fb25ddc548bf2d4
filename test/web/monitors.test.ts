import { afterAll, beforeAll, expect, test } from "vitest";
import { createExpectedWatcher } from "../../src/features/monitors/work/expected.ts";
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

const shots = process.env.CANARY_SHOTS;

async function shoot(page: Awaited<ReturnType<WebWorld["openPage"]>>, name: string) {
  if (!shots) return;
  for (const width of [1440, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${shots}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("a message becomes a monitor, which goes down, and is edited, paused, and resumed", async () => {
  const reader = await addReader(world);
  const { clock, system, store, events } = world;
  const id = await world.receive(reader.workspaceId, "backup", toRaw("Backup OK 2026-11-20"));
  await world.analyzeAll();
  const page = await world.openPage(reader.cookie, { width: 1440, height: 900 });
  await page.goto(`${world.base}/monitors`);
  const main = page.locator("main");
  await soon(() => main.innerText()).toContain("No monitors yet");
  await shoot(page, "empty");
  await expectUsableByEveryone(page);
  await page.goto(`${world.base}/tests/${id}`);
  await page.getByLabel("More actions").click();
  await page.getByRole("link", { name: "Expect this mail" }).click();
  const dialog = page.getByRole("dialog");
  await soon(() => dialog.innerText()).toMatch(/1 of 1 message of the last 30 days matches.\s+Newest: “Backup OK 2026/);
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
  await createExpectedWatcher({ store, system, hasRoom: async () => true, publish: events.publish }).untilIdle();
  await page.goto(`${world.base}/`);
  const things = page.getByRole("list", { name: "Other things that need you" });
  await soon(() => things.innerText()).toContain("Subject: Backup FAILED");
  await things.getByRole("link", { name: "Nightly backup" }).click();
  await soon(() => main.innerText()).toContain(
    "A message from backup@*, with the label backup, and with “Backup OK” in the subject must arrive at least once every hour, with a grace period of 30 minutes.",
  );
  await expectUsableByEveryone(page);
  await shoot(page, "expected");
  await main.getByRole("button", { name: "Edit" }).click();
  expect(await dialog.getByLabel("Subject contains").inputValue()).toBe("Backup OK");
  await dialog.getByLabel("Grace period in minutes").fill("10");
  await shoot(page, "expected-edit");
  await dialog.getByRole("button", { name: "Save" }).click();
  await soon(() => main.innerText()).toContain("with a grace period of 10 minutes.");
  await main.getByRole("button", { name: "Pause" }).click();
  await soon(() => main.innerText()).toContain("Paused");
  await main.getByRole("button", { name: "Resume" }).click();
  await soon(() => main.getByRole("button", { name: "Pause" }).count()).toBe(1);
  await world.receive(reader.workspaceId, "backup", toRaw("Backup FAILED again"));
  await world.analyzeAll();
  await page.goto(`${world.base}/monitors`);
  await soon(() => main.innerText()).toMatch(/1 monitor, 1 down\.[\s\S]*Down since[\s\S]*Subject: Backup FAILED/);
  await expectUsableByEveryone(page);
  expect(await main.getByRole("link", { name: "alert", exact: true }).getAttribute("href")).toBe("/alerts");
  await shoot(page, "list");
  await main.getByRole("link", { name: "Add canary" }).click();
  await page.waitForURL("**/canaries/new");
});
