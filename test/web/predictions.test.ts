import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectUsableByEveryone } from "./axe.ts";
import {
  type IntegrationsWorld,
  openIntegrationsWorld,
  openReader,
  predictedSpam,
} from "./integrations-world.ts";
import { hasBrowser, soon } from "./web-world.ts";

describe.skipIf(!hasBrowser)("how good predictions were", () => {
  let world: IntegrationsWorld;
  beforeAll(async () => {
    world = await openIntegrationsWorld();
  });
  afterAll(() => world.closeAll());

  const open = async (cookie: string) => {
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/predictions`);
    await soon(() => page.locator("main h2").count()).toBeGreaterThan(0);
    return page;
  };

  /** Far more of it was seen in spam than was foretold: 30 of 40, where 1 in 10 was. */
  const openStrict = async () => {
    const reader = await openReader(world);
    await reader.see(30, "gmail", { predicted: predictedSpam(0.1), folder: "spam" });
    await reader.see(10, "gmail", { predicted: predictedSpam(0.1) });
    await reader.see(7, "yahoo");
    return reader;
  };

  test("cannot be said where nothing was seen, which leads to a mailbox", async () => {
    const { cookie } = await openReader(world);
    const page = await open(cookie);
    expect(await page.locator("h2").innerText()).toBe("No messages observed yet");
    expect(await page.getByRole("link", { name: "Connect a mailbox" }).getAttribute("href")).toBe(
      "/integrations",
    );
    await expectUsableByEveryone(page);
  });

  test("is told in words, figures and a drawing, and not where too few were seen", async () => {
    const { cookie } = await openStrict();
    const page = await open(cookie);
    expect(await page.locator("h1").innerText()).toBe("25% of predictions at Gmail were right");
    const gmail = page.getByRole("region", { name: "Gmail: 10 of 40 predictions right" });
    const told = await gmail.innerText();
    expect(told).toContain("95% confidence interval: 14% to 40%");
    expect(told).toContain("The spam odds aren’t better than a constant guess.");
    expect(await gmail.getByRole("img", { name: "10% predicted, 75% observed (40 messages)" }).count()).toBe(
      1,
    );
    for (const summary of await gmail.locator("summary").all()) await summary.click();
    expect(await gmail.getByRole("row", { name: /^Inbox 10 0 30$/ }).count()).toBe(1);
    expect(await gmail.getByRole("row", { name: /^November 2026 40 25%/ }).count()).toBe(1);
    expect(await page.getByRole("region", { name: "Not enough data" }).innerText()).toMatch(
      /Yahoo and AOL\s+7 of 20 observed/,
    );
    await expectUsableByEveryone(page);
  });

  test("suggests a shift, which an owner adopts and takes back", async () => {
    const { cookie, workspaceId } = await openStrict();
    const page = await open(cookie);
    await page.getByRole("button", { name: "Apply shift for Gmail" }).click();
    const inForce = page.getByText(/^Shift applied: \+\d\.\d+/);
    await soon(() => inForce.count()).toBe(1);
    const shiftOfGmail = async () => {
      const asked = { cookie, workspace: workspaceId };
      return (await world.ask("GET", "/api/calibration", asked)).json.providers[0].shift;
    };
    expect((await shiftOfGmail()).value).toBeGreaterThan(2);
    expect(await page.getByRole("button", { name: "Apply shift" }).count()).toBe(0);
    await page.getByRole("button", { name: "Remove shift for Gmail" }).click();
    const dialog = page.getByRole("dialog", { name: "Remove the shift for Gmail?" });
    await expectUsableByEveryone(page);
    await dialog.getByRole("button", { name: "Remove shift" }).click();
    await soon(() => inForce.count()).toBe(0);
    expect(await shiftOfGmail()).toBeNull();
  });

  test("offers a member no shift, and says who can", async () => {
    const { addMember } = await openStrict();
    const page = await open((await addMember()).cookie);
    await soon(() => page.getByText("A workspace owner can apply it.").count()).toBe(1);
    expect(await page.getByRole("button", { name: /shift/ }).count()).toBe(0);
  });
});
