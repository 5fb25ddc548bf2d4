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

const widths = [1440, 390];
/** Of axe's rules, those that the colours decide. */
const ofColours = ["color-contrast", "link-in-text-block"];

/** Of the page as it stands, with whatever is open in it. */
export async function expectUsableByEveryone(page: Page): Promise<void> {
  const before = page.viewportSize() ?? { width: 1440, height: 900 };
  // Not as a script of the page, which its policy would refuse. Half a megabyte, once for each page that is loaded.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  for (const width of widths) {
    await page.setViewportSize({ width, height: before.height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await findFaults(page, colorScheme === "dark" ? ofColours : null);
      expect({ width, colorScheme, ...found }).toEqual({ width, colorScheme, faults: [], overhang: 0 });
    }
  }
  await page.setViewportSize(before);
}

/** `rules`: null for all. */
async function findFaults(page: Page, rules: readonly string[] | null) {
  const options = {
    iframes: false,
    resultTypes: ["violations"],
    ...(rules && { runOnly: { type: "rule", values: rules } }),
  };
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Violation[];
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return {
    faults: violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`),
    overhang: Math.max(overhang, 0),
  };
}
