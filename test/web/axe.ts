// A page against axe-core, light on a desk and dark on a phone, and in `npm run test:all` also the other way round; and
// nothing stands out at the side.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { lane } from "../lanes.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Violation = {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

const looks = [
  { width: 1440, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
  { width: 1440, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
] as const;

/** Of the page as it stands, with whatever is open in it. */
export async function expectUsableByEveryone(page: Page): Promise<void> {
  const before = page.viewportSize() ?? { width: 1440, height: 900 };
  // Not as a script of the page, which its policy would refuse. Half a megabyte, once for each page that is loaded.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  for (const look of looks.slice(0, lane === "all" ? 4 : 2)) {
    await page.setViewportSize({ width: look.width, height: before.height });
    await page.emulateMedia({ colorScheme: look.colorScheme });
    const found = await findFaults(page);
    expect({ ...look, ...found }).toEqual({ ...look, faults: [], overhang: 0 });
  }
  await page.setViewportSize(before);
}

async function findFaults(page: Page) {
  const options = { iframes: false, resultTypes: ["violations"] };
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Violation[];
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return {
    faults: violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`),
    overhang: Math.max(overhang, 0),
  };
}
