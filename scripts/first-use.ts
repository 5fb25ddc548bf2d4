// The first minute of a new user: `npm start`, the setup link, a form, a sample, and its report down to the first fix.
// Prints each step with its time and clicks. Fails above a minute or five clicks.
// Usage: npm run first-use

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { assayEnvironment } from "./assay-process.ts";
import { hasBrowser, openBrowser, setUp } from "./browser.ts";

const mostSeconds = 60;
const mostClicks = 5;

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-first-use-"));
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  let clicks = 0;
  const printStep = (step: string) =>
    console.log(`${seconds().toFixed(1).padStart(5)} s  ${clicks} clicks  ${step}`);
  const child = spawn("npm", ["start", "--silent"], {
    env: { ...process.env, ...assayEnvironment(dataDir) },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const browser = await openBrowser();
  try {
    printStep("npm start");
    const link = await readSetUpLink(child.stdout);
    printStep("the setup link is shown");
    const page = await browser.newPage();
    clicks += 1;
    await setUp(page, link);
    printStep("the account is created, and the page with the seed address is open");
    clicks += 1;
    await page.getByRole("button", { name: "Send me a sample" }).click();
    await page.waitForURL("**/tests/tst_*");
    const verdict = page.locator("h1.verdict");
    await verdict.waitFor();
    printStep(`the report says: ${await verdict.innerText()}`);
    clicks += 1;
    await page.keyboard.press("f");
    await page.locator(".finding[open]").first().waitFor();
    printStep(
      `its first fix: ${(await page.locator(".finding[open] summary").first().innerText()).replace(/\s+/g, " ")}`,
    );
    const isKept = seconds() < mostSeconds && clicks <= mostClicks;
    console.log(`At most ${mostSeconds} s and ${mostClicks} clicks: ${isKept ? "kept" : "MISSED"}`);
    if (!isKept) process.exitCode = 1;
  } finally {
    await browser.close();
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await new Promise((resolve) => child.once("close", resolve));
    rmSync(dataDir, { recursive: true });
  }
}

/** It is in the output of the first start. */
async function readSetUpLink(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [link] = /https?:\/\/[^\s"]+\/setup#[^\s"]+/.exec(line) ?? [];
    if (link !== undefined) return link;
  }
  throw new Error("Assay exited before it printed a setup link.");
}

if (hasBrowser) await main();
else console.log("Chromium is not installed (Debian: chromium-headless-shell), so nothing was tested.");
