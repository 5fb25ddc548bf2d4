import { expect, test } from "vitest";
import { darkModes } from "../../src/analyzer/mail/html/dark-mode.ts";
import { previewModes } from "../../src/web/report/preview-modes.ts";

test("every dark view says that it is simulated, and for which email clients", () => {
  expect(["off", ...previewModes.map(({ value }) => value)]).toEqual(darkModes);
  for (const { says } of previewModes) expect(says).toMatch(/^Simulated: .*(?:Gmail|Outlook|Apple Mail)/);
});
