// The public page as a visitor has it, on a phone and with scripts turned off, and as another site shows it.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { openPublic } from "../features/public-tests/public-world.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { hasBrowser, sharedBrowser, soon } from "./web-world.ts";

const letter = [
  "From: News <news@shop.example>",
  "Subject: Spring sale",
  "MIME-Version: 1.0",
  "Content-Type: text/html; charset=utf-8",
  "",
  '<html lang="en"><body><h1>Spring sale</h1><img src="https://pixel.example/1.gif"><a href="https://shop.example/">Shop</a></body></html>',
  "",
].join("\r\n");

describe.skipIf(!hasBrowser)("the public page", () => {
  async function openPage(base: string, look: { readonly width: number; readonly hasScripts: boolean }) {
    const browser = await sharedBrowser();
    const context = await browser.newContext({
      viewport: { width: look.width, height: 844 },
      javaScriptEnabled: look.hasScripts,
      reducedMotion: "reduce",
    });
    onTestFinished(() => context.close());
    const hosts = new Set<string>();
    context.on("request", (request) => hosts.add(new URL(request.url()).origin));
    const page = await context.newPage();
    await page.goto(`${base}/test`);
    return { page, context, hosts };
  }

  const addressOn = async (page: Page) => (await page.locator("#address").textContent()) ?? "";
  const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

  test.each([
    { width: 390, hasScripts: true },
    { width: 320, hasScripts: true },
    { width: 390, hasScripts: false },
  ])("a visitor goes from the page to the report and deletes it: %j", async (look) => {
    const { base, send, analyzeAll } = await openPublic();
    const { page, context, hosts } = await openPage(base, look);
    await page.getByRole("button", { name: "Get a test address" }).click();
    const address = await addressOn(page);
    expect(await page.getByRole("link", { name: "Open your email client" }).getAttribute("href")).toContain(address);
    expect(await send(address, undefined, letter)).toBe("kept");
    await soon(() => page.getByText("Your message arrived").isVisible()).toBe(true);
    await analyzeAll();
    await soon(() => page.getByText("Delete this report").isVisible()).toBe(true);
    expect(await page.getByText("Spring sale").first().isVisible()).toBe(true);
    if (look.hasScripts) expect(await widthOf(page)).toBe(look.width);
    await page.getByRole("button", { name: "Delete this report" }).click();
    await soon(() => page.getByText("Your message and its report are deleted.").isVisible()).toBe(true);
    expect(await context.cookies()).toEqual([]);
    expect([...hosts]).toEqual([base]);
  });

  test("the public page, its waiting, and its report are usable by everyone", async () => {
    const { base, send, analyzeAll } = await openPublic();
    const { page } = await openPage(base, { width: 390, hasScripts: true });
    await expectUsableByEveryone(page);
    await page.getByRole("button", { name: "Get a test address" }).click();
    const address = await addressOn(page);
    await expectUsableByEveryone(page);
    await send(address, undefined, letter);
    await analyzeAll();
    await soon(() => page.getByText("Delete this report").isVisible()).toBe(true);
    await expectUsableByEveryone(page);
  });

  test("while the page is busy, the browser proves its work without the visitor", async () => {
    const { base, open } = await openPublic();
    for (let count = 0; count <= 60; count++) await open();
    const { page } = await openPage(base, { width: 390, hasScripts: true });
    await page.getByRole("button", { name: "Get a test address" }).click();
    await soon(() => page.locator("#address").isVisible()).toBe(true);
  });

  test("another site with a strict policy shows the page in a frame, and keeps its names", async () => {
    const { base, send, analyzeAll } = await openPublic();
    const site = createServer((request, response) => {
      response.setHeader("content-type", "text/html");
      response.setHeader("content-security-policy", `default-src 'self' ${base}`);
      response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>
${request.url === "/plain" ? "" : `<script src="${base}/test/files/widget.js" async></script>`}
<a href="${base}/test"><img src="${base}/test/files/button.svg" width="172" height="40" alt="Test your email"></a></html>`);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void site.close());
    const context = await (await sharedBrowser()).newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    const here = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    await page.goto(here);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("button", { name: "Get a test address" }).click();
    const address = (await frame.locator("#address").textContent()) ?? "";
    await send(address, undefined, letter);
    await analyzeAll();
    await soon(() => frame.getByText("Delete this report").isVisible()).toBe(true);
    await soon(() => frame.frameLocator("iframe").getByText("Shop").isVisible()).toBe(true);
    const picture = page.getByRole("img", { name: "Test your email" });
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(172);
    // Frames are numbered in the window.
    const listNames = () => page.evaluate(() => Object.keys(window).filter((name) => !/^\d+$/.test(name)));
    const names = await listNames();
    await page.goto(`${here}plain`);
    expect(names).toEqual(await listNames());
    expect(problems.filter((text) => !text.includes("favicon"))).toEqual([]);
  });
});
