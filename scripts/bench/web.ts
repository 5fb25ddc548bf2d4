// Measures what opening the web app costs: bytes, requests and time to a responsive page, on this CPU and on one a
// quarter as fast. Also reads a list through fifty pages, or to its end, during which memory must not grow from the tenth
// to the last.
// Usage: npm run script -- scripts/bench/web.ts [--tests 1000000 --pages 50 --record]

import { parseArgs } from "node:util";
import type { Browser, CDPSession, Page } from "playwright-core";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { hasBrowser, openBrowser, setUp, someone } from "../browser.ts";
import { atMost, format, print, printMachine, ratioAtMost, toFigure } from "./bench.ts";
import { type Figures, record } from "./figures.ts";
import { keptTests } from "./kept-tests.ts";

const mostKilobytes = 150;
const mostRequests = 6;
const mostSeconds = 1;
const mostGrowth = 1.2;
const rounds = 5;
const slowdown = 4;

const { values } = parseArgs({
  options: {
    tests: { type: "string", default: "1000000" },
    pages: { type: "string", default: "50" },
    record: { type: "boolean", default: false },
  },
});

async function main(): Promise<void> {
  const { dataDir } = await keptTests(Number(values.tests));
  const server = await startAssay({ dataDir, environment: { ASSAY_LOG_LEVEL: "info", ASSAY_RETENTION_DAYS: "0" } });
  const browser = await openBrowser();
  try {
    printMachine();
    const state = await logIn(browser, server);
    const figures: Record<string, Figures[string]> = {};
    for (const path of ["/login", "/start", "/", "/tests"])
      figures[`\`${path}\``] = await measureFirst(browser, server, path, state);
    record("web", figures);
    await scroll(browser, server, state);
  } finally {
    await browser.close();
    await server.end("SIGTERM");
  }
}

type State = Awaited<ReturnType<Awaited<ReturnType<Browser["newContext"]>>["storageState"]>>;

/** The first run creates the account. Later runs find it in the stored database. */
async function logIn(browser: Browser, server: AssayProcess): Promise<State> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const link = server.log
    .map((entry) => JSON.stringify(entry))
    .join(" ")
    .match(/https?:[^\s"\\]+\/setup#[^\s"\\]+/)?.[0];
  if (link !== undefined) await setUp(page, link);
  else {
    await page.goto(`${server.http}/login`);
    await page.getByLabel("Email address").fill(someone.email);
    await page.getByLabel("Password").fill(someone.password);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL((url) => url.pathname !== "/login");
  }
  const state = await context.storageState();
  await context.close();
  return state;
}

type Visit = { readonly seconds: number; readonly kilobytes: number; readonly requests: number };

async function measureFirst(browser: Browser, server: AssayProcess, path: string, state: State) {
  print(`\n${path}, with an empty cache`);
  const slow: Visit[] = [];
  const quick: Visit[] = [];
  for (let round = 0; round < rounds; round++) {
    quick.push(await visit(browser, server, path, state, 1));
    slow.push(await visit(browser, server, path, state, slowdown));
  }
  const [first] = slow;
  print(`${first?.requests} requests, all of this origin`);
  atMost({ name: "requests", median: first?.requests ?? Number.NaN, runs: [] }, mostRequests, "");
  atMost({ name: "transferred", median: first?.kilobytes ?? Number.NaN, runs: [] }, mostKilobytes, "KB");
  const seconds = (visits: readonly Visit[]) => visits.map((one) => one.seconds);
  const throttled = toFigure(`interactive, ${slowdown} times slower`, "s", seconds(slow));
  ratioAtMost("slowed to full speed", throttled, toFigure("interactive, at full speed", "s", seconds(quick)));
  atMost(throttled, mostSeconds, "s");
  return { Requests: [first?.requests ?? 0, ""], Transferred: [first?.kilobytes ?? 0, "KB"] } as const;
}

async function visit(
  browser: Browser,
  { http }: AssayProcess,
  path: string,
  storageState: State,
  rate: number,
): Promise<Visit> {
  const context = await browser.newContext(path === "/login" ? {} : { storageState });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let [bytes, requests] = [0, 0];
  await session.send("Network.enable");
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  context.on("request", (request) => {
    if (!request.url().startsWith(http) && !request.url().startsWith("data:"))
      throw new Error(`The page asked ${request.url()}.`);
    // The event stream stays open and its later traffic doesn't count.
    if (!request.url().includes("/api/events")) requests += 1;
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  const began = performance.now();
  await page.goto(http + path, { waitUntil: "commit" });
  await untilItAnswers(page);
  const seconds = (performance.now() - began) / 1_000;
  await context.close();
  return { seconds, kilobytes: bytes / 1_000, requests };
}

/** Its content is there, nothing is loading, and a task of ours runs at once. */
async function untilItAnswers(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
}

type Weight = { readonly megabytes: number; readonly nodes: number };

async function scroll(browser: Browser, { http }: AssayProcess, storageState: State): Promise<void> {
  const pages = Number(values.pages);
  const page = await (await browser.newContext({ storageState })).newPage();
  const session = await page.context().newCDPSession(page);
  await page.goto(`${http}/tests`);
  await firstRow(page);
  // The tests belong to several workspaces, and this is the list of one.
  const count = await page.locator(".page-h p").first().innerText();
  print(`\nUp to ${pages} pages of a list, one after the other (${count.split(" · ")[0]})`);
  const took: number[] = [];
  let tenth: Weight | null = null;
  for (let turn = 1; turn <= pages; turn++) {
    const newest = await firstRow(page);
    const older = page.getByRole("link", { name: "Older" });
    if ((await older.count()) === 0) break;
    const began = performance.now();
    await older.click();
    await page.waitForFunction((known) => document.querySelector("a.subject")?.getAttribute("href") !== known, newest);
    took.push(performance.now() - began);
    if (turn === 10) tenth = await weigh(session);
  }
  if (tenth === null) return print(`The list has only ${took.length + 1} pages, too few to measure memory.`);
  print(`${took.length + 1} pages read`);
  const last = await weigh(session);
  toFigure("from the click to the next page", "ms", took.slice(-rounds));
  const name = (weight: Weight) => `${format(weight.megabytes)} MB, ${format(weight.nodes)} nodes`;
  print(`memory of the page at the tenth page ${name(tenth)}, at the last ${name(last)}`);
  const figureOf = (words: string, median: number) => ({ name: words, median, runs: [] });
  ratioAtMost("memory, last to tenth", figureOf("", last.megabytes), figureOf("", tenth.megabytes), mostGrowth);
  ratioAtMost("nodes, last to tenth", figureOf("", last.nodes), figureOf("", tenth.nodes), mostGrowth);
}

async function firstRow(page: Page): Promise<string | null> {
  return await page.locator("a.subject").first().getAttribute("href");
}

/** Memory after everything possible was released. */
async function weigh(session: CDPSession): Promise<Weight> {
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes } = await session.send("Memory.getDOMCounters");
  return { megabytes: usedSize / 2 ** 20, nodes };
}

if (hasBrowser) await main();
else print("Chromium is not installed (Debian: chromium-headless-shell), so nothing was measured.");
