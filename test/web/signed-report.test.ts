import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSignedFile } from "../../src/features/signed-reports/rules/signed-file.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { brokenLetter, brokenZone } from "./letters.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const shots = process.env.SHOTS;
let world: WebWorld;
beforeAll(async () => {
  if (!hasBrowser) return;
  world = await openWebWorld();
  world.internet.zone = brokenZone;
});
afterAll(() => world?.closeAll());

test.runIf(hasBrowser)("a report is downloaded as a signed page or signed data, complete or redacted", async () => {
  const reader = await addReader(world);
  const id = await world.receive(reader.workspaceId, null, brokenLetter);
  await world.analyzeAll();
  const page = await world.openPage(reader.cookie);
  await page.goto(`${world.base}/tests/${id}`);
  await page.getByRole("button", { name: "Download" }).click();
  const dialog = page.getByRole("dialog");
  await expectUsableByEveryone(page);
  if (shots) await page.screenshot({ path: `${shots}/download.png` });
  const save = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("link", { name }).click()]);
    const reading = readSignedFile(readFileSync(await download.path()));
    if (!reading.ok) throw new Error(reading.why);
    return { name: download.suggestedFilename(), path: await download.path(), ...reading.report };
  };
  const whole = await save("Signed report (HTML)");
  expect(whole.name).toBe(`assay-report-${id}.html`);
  expect(whole.leftOut).toEqual([]);
  await dialog.getByLabel("Include the original message").check();
  expect((await save("Data file (JSON)")).present).toContain("message");
  await dialog.getByLabel("Without recipients and body quotes").check();
  const redacted = await save("Signed report (HTML)");
  expect(redacted.present).toEqual(["page", "summary"]);
  expect(await dialog.getByLabel("Include the original message").isDisabled()).toBe(true);
  for (const [kind, file] of Object.entries({ whole, redacted })) {
    const look = async (width: number, colorScheme: "light" | "dark") => {
      const other = await world.openPage(null, { width, colorScheme, alsoAt: "file:" });
      await other.setContent(readFileSync(file.path, "utf8"));
      await soon(() => other.locator("#verify").innerText()).toContain("How to verify this report");
      expect(await other.locator("#verify").innerText()).toContain(`assay verify ${file.name}`);
      if (shots)
        await other.locator("#verify").screenshot({ path: `${shots}/verify-${kind}-${width}-${colorScheme}.png` });
      return other;
    };
    await look(390, "dark");
    await expectUsableByEveryone(await look(1440, "light"));
  }
});
