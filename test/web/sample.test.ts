import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parsePlans } from "../../src/accounts/plans.ts";
import { RoadBlock, type SendRoad } from "../../src/tasks/send-roads.ts";
import type { HttpWorldOptions } from "../http/http-world.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

type Road = SendRoad["deliver"];

/** A relay that keeps what it is given, or says why not. */
function createRelay() {
  const kept: Uint8Array[] = [];
  const keep: Road = async ({ raw }) => void kept.push(raw);
  const relay = { deliver: keep, kept };
  const road: SendRoad = {
    transport: "relay",
    deliver: (...given) => relay.deliver(...given),
    close() {},
  };
  return { relay, road };
}

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

describe.skipIf(!hasBrowser)("a sample to oneself", () => {
  const worldOf = useWorld();

  test("that goes straight to this server leads to its report with one click", async () => {
    const world = worldOf();
    const { page, send } = await openStart(world);
    await send.click();
    await page.waitForURL("**/tests/tst_*");
    await world.analyzeAll();
    await soon(() => page.locator("h1.verdict").count()).toBe(1);
    expect(await page.title()).toBe("A sample from Assay · Assay");
  });
});

describe.skipIf(!hasBrowser)("an address whose domain this server serves no more", () => {
  const worldOf = useWorld();

  test("is shown nowhere as one to send to, until there is another", async () => {
    const world = worldOf();
    const { cookie, workspaceId } = await addReader(world);
    await world.store.write((db) =>
      db
        .updateTable("seed_inboxes")
        .set({ domain: "old.example" })
        .where("workspace_id", "=", workspaceId)
        .execute(),
    );
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/start`);
    await soon(() => page.getByText("No seed inbox of this workspace receives mail").count()).toBe(1);
    expect(await page.getByRole("button", { name: "Send me a sample" }).count()).toBe(0);
    expect(await page.getByText("@old.example").count()).toBe(0);
    await expectUsableByEveryone(page);
    await page.getByRole("link", { name: "Make a new one" }).click();
    await page.getByRole("button", { name: "New seed inbox" }).click();
    const dialog = page.getByRole("dialog", { name: "New seed inbox" });
    await dialog.getByLabel("What stands before the @").fill("anew");
    await dialog.getByRole("button", { name: "Make the seed inbox" }).click();
    await soon(() => page.getByText("anew+welcome-flow@seed.example").count()).toBe(1);
    await page.getByRole("link", { name: "New test" }).first().click();
    await soon(() => page.getByText("anew@seed.example", { exact: true }).count()).toBe(1);
    await page.getByRole("button", { name: "Send me a sample" }).click();
    await page.waitForURL("**/tests/tst_*");
  });
});

describe.skipIf(!hasBrowser)("a sample to oneself through a relay", () => {
  const { relay, road } = createRelay();
  const worldOf = useWorld({ road });

  test("is waited for, whatever else arrives meanwhile, and leads to its own report", async () => {
    const world = worldOf();
    const { page, card, send, workspaceId, seedAddress } = await openStart(world);
    await send.click();
    await soon(() => card.getByRole("status").innerText()).toContain(
      `It is sent to ${seedAddress}, through your relay.`,
    );
    expect(await send.count()).toBe(0);
    await world.receive(workspaceId, null, Buffer.from("Subject: Another\r\n\r\nHi.\r\n"));
    await soon(() => page.getByText("A message has arrived.").count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe("/start");
    await world.receive(workspaceId, null, relay.kept.at(-1));
    await world.analyzeAll();
    await page.waitForURL("**/tests/tst_*");
    await soon(() => page.title()).toBe("A sample from Assay · Assay");
  });

  test("that the relay refuses is told in the relay's own words, as text, and may be tried again", async () => {
    const world = worldOf();
    const { card, send } = await openStart(world);
    const working = relay.deliver;
    const words = "The relay refused the recipient: 554 5.7.1 <b>Relay access denied</b>";
    relay.deliver = () => Promise.reject(new RoadBlock(words));
    await send.click();
    await soon(() => card.getByRole("alert").innerText()).toBe(`It could not be handed over. ${words}`);
    relay.deliver = working;
    await send.click();
    await soon(() => card.getByRole("status").count()).toBe(1);
    expect(await card.getByRole("alert").count()).toBe(0);
  });
});

describe.skipIf(!hasBrowser)("a sample to oneself on a plan that is used up", () => {
  const file = { plans: { small: { testsPerMonth: 1 } }, default: "small" };
  const reading = parsePlans(JSON.stringify(file));
  if (!reading.ok) throw new Error(reading.problems.join());
  const worldOf = useWorld({ plans: reading.plans });

  test("is not sent, and the ceiling is named", async () => {
    const world = worldOf();
    const { card, send, workspaceId } = await openStart(world);
    await world.receive(workspaceId);
    await send.click();
    await soon(() => card.getByRole("alert").innerText()).toContain(
      "Nothing was sent. The plan small has a ceiling of 1 tests a month",
    );
  });
});
