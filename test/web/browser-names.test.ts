import { expect, test } from "vitest";
import { toBrowserName } from "../../src/features/people/page/browser-names.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/130.0 Safari/537.36`, "Chrome on Windows"],
  [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/130.0 Safari/537.36 Edg/130.0`, "Edge on Windows"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1",
    "Safari on an iPhone",
  ],
  ["Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36", "Chrome on Android"],
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ["x".repeat(1_000), "x".repeat(60)],
  ["  ", "Unknown browser"],
])("the browser %s is shown as %s", (agent, name) => {
  expect(toBrowserName(agent)).toBe(name);
});
