// A page against axe-core, light and dark, on a phone and on a desk; and nothing stands out at the side.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Violation = {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

const looks = [1440, 390].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** Of the page as it stands, with whatever is open in it. */
export async function expectUsableByEveryone(page: Page): Promise<void> {
  const before = page.viewportSize() ?? { width: 1440, height: 900 };
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: before.height });
    await page.emulateMedia({ colorScheme });
    expect({ width, colorScheme, ...(await findFaults(page)) }).toEqual({
      ...{ width, colorScheme, faults: [], overhang: 0 },
    });
  }
  await page.setViewportSize(before);
}

async function findFaults(page: Page) {
  // Not as a script of the page, which its policy would refuse.
  await page.evaluate(axe);
  const violations = (await page.evaluate(
    "axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )) as Violation[];
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return {
    faults: violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`),
    overhang: Math.max(overhang, 0),
  };
}
