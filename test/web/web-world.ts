// The web app as its users have it: built, served by the true server, in Debian's Chromium. Where that browser is not
// installed the tests that need it are skipped, and say so.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { hasBrowser, openBrowser } from "../../scripts/browser.ts";
import { type HttpWorld, type HttpWorldOptions, openHttpWorld } from "../http/http-world.ts";
import { testWebApp } from "../program.ts";

export { hasBrowser };

if (!hasBrowser && process.env.CI === "true")
  throw new Error("CI runs the tests of the web app: install Debian's chromium-headless-shell.");
if (!hasBrowser)
  console.warn(
    "SKIPPED: the tests of the web app, because there is no Chromium (Debian: apt install chromium-headless-shell).",
  );

/** What a page comes to show; on a busy machine it takes its time. */
export function soon<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: 40_000, interval: 20 });
}

let built: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

/** Read once for each worker. */
export function builtWeb(): Promise<ReadonlyMap<string, Uint8Array>> {
  built ??= readWeb();
  return built;
}

async function readWeb(): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = await testWebApp();
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

export type Look = {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** Else animations are off, as for people who asked for less motion. */
  readonly hasMotion?: boolean;
  /** Another host that the browser itself is sent to. */
  readonly alsoAt?: string;
  /** A test's own certificate is signed by no authority. */
  readonly takesAnyCertificate?: boolean;
};

export type WebWorld = HttpWorld & {
  readonly browser: Browser;
  /** A fresh browser; whatever goes wrong in a page of it fails the test that opened it. */
  readonly openPage: (cookie: string | null, look?: Look) => Promise<Page>;
  readonly closeAll: () => Promise<void>;
};

let shared: Promise<Browser> | undefined;

/** One of a worker for all its files, which ends with the worker; pages never share cookies, each has a context of its own. */
export async function sharedBrowser(): Promise<Browser> {
  shared ??= openBrowser();
  const browser = await shared;
  if (browser.isConnected()) return browser;
  shared = openBrowser();
  return await shared;
}

export async function openWebWorld(options: HttpWorldOptions = {}): Promise<WebWorld> {
  const world = await openHttpWorld({ ...options, webFiles: await builtWeb() });
  const browser = await sharedBrowser();
  return {
    ...world,
    browser,
    openPage: async (cookie, look = {}) => {
      const context = await browser.newContext({
        viewport: { width: look.width ?? 1440, height: look.height ?? 900 },
        colorScheme: look.colorScheme ?? "light",
        locale: "en-GB",
        ignoreHTTPSErrors: look.takesAnyCertificate ?? false,
        reducedMotion: look.hasMotion ? "no-preference" : "reduce",
      });
      onTestFinished(() => context.close());
      if (cookie !== null) await context.addCookies([toCookie(cookie, world.base)]);
      const page = await context.newPage();
      expectNoTrouble(page, context, [world.base, ...(look.alsoAt === undefined ? [] : [look.alsoAt])]);
      return page;
    },
    closeAll: world.close,
  };
}

function toCookie(cookie: string, url: string): { name: string; value: string; url: string } {
  const [name = "", value = ""] = cookie.split("=");
  return { name, value, url };
}

/** No script fails, no policy is broken, nothing is asked of another host, nothing opens. */
function expectNoTrouble(page: Page, context: BrowserContext, hosts: readonly string[]): void {
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("dialog", (dialog) => {
    troubles.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    // A frame without rights that was kept from opening a window did what it is for.
    const isExpected = /status of (40[0-9]|429|502)|^Blocked opening /.test(message.text());
    if (message.type() === "error" && !isExpected) troubles.push(message.text());
  });
  context.on("request", (request) => {
    if (![...hosts, "data:"].some((known) => request.url().startsWith(known)))
      troubles.push(`asked for ${request.url()}`);
  });
  context.on("page", (opened) => {
    if (opened !== page) troubles.push(`opened ${opened.url()}`);
  });
  onTestFinished(() => expect(troubles).toEqual([]));
}

/** A workspace with somebody logged in. */
export async function addReader(world: HttpWorld, name = "Ann Marlow") {
  const workspace = await world.createWorkspace("Letters");
  const person = await world.addPerson(workspace.id, "owner", name);
  return { workspaceId: workspace.id, seedAddress: workspace.seed_address ?? "", ...person };
}
