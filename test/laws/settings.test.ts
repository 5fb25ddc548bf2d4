import { join } from "node:path";
import { expect, test } from "vitest";
import { readSources } from "../../scripts/imports.ts";
import { settings } from "../../src/platform/settings/config.ts";
import { whyRemoved } from "../../src/platform/settings/removed-settings.ts";

const names = Object.values(settings).map(({ name }) => name);

test("no current setting is rejected as removed", () => {
  expect(names.filter((name) => whyRemoved(name) !== undefined)).toEqual([]);
});

test("there are at most 60 settings, so that a new one replaces another or becomes a constant", () => {
  expect(names.length).toBeLessThanOrEqual(60);
});

test("each setting's documented default is a valid value", () => {
  for (const { name, kind, fallback, fallbackText } of Object.values(settings)) {
    if (typeof fallback !== "string" && typeof fallback !== "number") continue;
    expect(kind.read(fallbackText), name).toEqual(fallback);
  }
});

test("every setting is used", () => {
  const code = readSources(join(import.meta.dirname, "..", "..", "src"))
    .filter(({ path }) => !path.startsWith("platform/settings/"))
    .map(({ text }) => text)
    .join("\n");
  const obeyed = (key: string) => new RegExp(`\\b${key}\\b`).test(code);
  expect(Object.keys(settings).filter((key) => !obeyed(key))).toEqual([]);
});
