// Every page against axe-core, light and dark, on a phone and on a desk; and nothing stands out at the side.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aLetter, brokenLetter, brokenZone } from "./letters.ts";
import { openPlacement, receiverEvidence } from "./placement-world.ts";
import { hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Violation = {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

describe.skipIf(!hasBrowser)("every page can be used by everyone", () => {
  let world: WebWorld;
  let cookie: string;
  const paths: Record<string, string> = {
    "the log-in": "/login",
    "a new test": "/start",
    "an unknown page": "/tests/none",
  };

  beforeAll(async () => {
    world = await openWebWorld();
    world.internet.zone = brokenZone;
    const reader = await openPlacement(world);
    cookie = reader.cookie;
    await world.receive(reader.workspaceId, "welcome", aLetter("A plain letter"));
    const broken = await world.receive(reader.workspaceId, null, brokenLetter);
    const gmail = await reader.connect("ann@gmail.example", "gmail");
    await reader.connect("box@own.example");
    const observed = await reader.receiveIt();
    await reader.see(gmail, { folder: "spam", folderName: "[Gmail]/Spam", evidence: receiverEvidence });
    await world.receive(reader.workspaceId, null, aLetter("Still waiting"));
    Object.assign(paths, {
      "the list": "/tests",
      "an empty search": "/tests?q=zebra",
      "a report": `/tests/${broken}`,
      "a report with seed mailboxes": `/tests/${observed}`,
    });
  });
  afterAll(() => world.closeAll());

  const names = [
    ...["the log-in", "a new test", "an unknown page", "the list", "an empty search"],
    ...["a report", "a report with seed mailboxes"],
  ];
  const looks = [1440, 390].flatMap((width) =>
    (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
  );

  test.each(names.flatMap((name) => looks.map((look) => ({ name, ...look }))))(
    "$name, $colorScheme, $width pixels wide",
    async ({ name, ...look }) => {
      const page = await world.openPage(name === "the log-in" ? null : cookie, look);
      await page.goto(world.base + paths[name]);
      await soon(() => page.locator("h1, h2").count()).toBeGreaterThan(0);
      if (name.startsWith("a report")) {
        await soon(() => page.locator(name === "a report" ? "iframe" : ".differs").count()).toBe(1);
        for (const details of await page.locator("main details > summary").all()) await details.click();
      }
      // Not as a script of the page, which its policy would refuse.
      await page.evaluate(axe);
      const violations = (await page.evaluate(
        "axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) => violations)",
      )) as Violation[];
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`),
      ).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      ).toBeLessThanOrEqual(0);
    },
  );
});
