import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parsePlans } from "../../src/features/people/rules/plans.ts";
import { TransportFailure } from "../../src/features/sending/work/transports.ts";
import type { HttpWorldOptions } from "../http/http-world.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

async function openStart(world: WebWorld) {
  const reader = await addReader(world);
  const page = await world.openPage(reader.cookie);
  await page.goto(`${world.base}/start`);
  const card = page.getByRole("region", { name: "Send me a sample" });
  const send = card.getByRole("button", { name: "Send me a sample" });
  await soon(() => send.isVisible()).toBe(true);
  // The stream of events must be there before the message.
  await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
  return { ...reader, page, card, send };
}

function useWorld(options: HttpWorldOptions = {}) {
  const held: { world?: WebWorld } = {};
  beforeAll(async () => {
    held.world = await openWebWorld(options);
  });
  afterAll(() => held.world?.closeAll());
  return () => held.world as WebWorld;
}

describe.skipIf(!hasBrowser)("a sample sent to the workspace", () => {
  const worldOf = useWorld();

  test("a sample sent to the workspace leads with one click to a report with three issues, and is marked as a sample", async () => {
    const world = worldOf();
    const { page, send, workspaceId } = await openStart(world);
    await send.click();
    await page.waitForURL("**/tests/tst_*");
    await world.analyzeAll();
    await soon(() => page.locator("#fix .finding").count()).toBeGreaterThan(2);
    expect(await page.title()).toBe("Three yarns for the cold months · Assay");
    expect(await page.locator(".who").getByText("Sample", { exact: true }).count()).toBe(1);
    expect(await page.getByText("127.0.0.1").count()).toBe(0);
    const asked = { token: (await world.issueToken(workspaceId)).token, workspace: workspaceId };
    const row = page.getByRole("row", { name: "Three yarns for the cold months" });
    await page.goto(`${world.base}/tests`);
    await soon(() => row.innerText()).toContain("Sample");
    expect((await world.ask("GET", "/api/dashboard/summary", asked)).json.testCount).toBe(0);
  });

  test("a sample sent to the workspace opens the new report, not an earlier one", async () => {
    const world = worldOf();
    const { page, card, send } = await openStart(world);
    await send.click();
    await page.waitForURL("**/tests/tst_*");
    const first = page.url();
    await page.goto(`${world.base}/start`);
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    world.clock.nowMs += 1_000;
    await card.getByRole("button", { name: "Send me a sample" }).click();
    await page.waitForURL("**/tests/tst_*");
    expect(page.url()).not.toBe(first);
  });
});

describe.skipIf(!hasBrowser)("a sample that the listener rejects", () => {
  const words = "This server's SMTP listener rejected the message: 452 4.3.1 <b>No room</b>";
  const deliver = () => Promise.reject(new TransportFailure(words));
  const worldOf = useWorld({ road: { transport: "loopback", deliver, close() {} } });

  test("a sample that the listener rejects shows the listener's reply as text, and can be sent again", async () => {
    const { card, send } = await openStart(worldOf());
    await send.click();
    await soon(() => card.getByRole("alert").innerText()).toContain(words);
    expect(await send.isEnabled()).toBe(true);
  });
});

describe.skipIf(!hasBrowser)("a seed address whose domain is no longer served", () => {
  const worldOf = useWorld();

  test("a seed address whose domain is no longer served is not shown as an address to send to", async () => {
    const world = worldOf();
    const { cookie, workspaceId } = await addReader(world);
    await world.store.write((db) =>
      db.updateTable("seed_inboxes").set({ domain: "old.example" }).where("workspace_id", "=", workspaceId).execute(),
    );
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/start`);
    await soon(() => page.getByText("None of your seed addresses work anymore").count()).toBe(1);
    expect(await page.getByRole("button", { name: "Send me a sample" }).count()).toBe(0);
    expect(await page.getByText("@old.example").count()).toBe(0);
    await expectUsableByEveryone(page);
    await page.getByRole("link", { name: "create a new address" }).click();
    await page.getByRole("button", { name: "Add seed inbox" }).click();
    const dialog = page.getByRole("dialog", { name: "Add seed inbox" });
    await dialog.getByLabel("Local part (optional)").fill("anew");
    await dialog.getByRole("button", { name: "Add seed inbox" }).click();
    await soon(() => page.getByText("anew+welcome-flow@seed.example").count()).toBe(1);
    await page.getByRole("link", { name: "New test" }).first().click();
    await soon(() => page.getByText("anew@seed.example", { exact: true }).count()).toBe(1);
    await page.getByRole("button", { name: "Send me a sample" }).click();
    await page.waitForURL("**/tests/tst_*");
  });
});

describe.skipIf(!hasBrowser)("a sample on a plan without remaining tests", () => {
  const file = { plans: { small: { testsPerMonth: 1 } }, default: "small" };
  const reading = parsePlans(JSON.stringify(file));
  if (!reading.ok) throw new Error(reading.problems.join());
  const worldOf = useWorld({ plans: reading.plans });

  test("a sample on a plan without remaining tests is not sent, and the limit is named", async () => {
    const world = worldOf();
    const { page, card, send, workspaceId } = await openStart(world);
    await world.receive(workspaceId);
    // It opened.
    await page.goto(`${world.base}/start`);
    await send.click();
    await soon(() => card.getByRole("alert").innerText()).toContain(
      "Couldn’t send the sample. The small plan's limit for tests per month has been reached",
    );
  });
});
