import { afterAll, beforeAll, expect, test } from "vitest";
import { listZone, signLetter, startListServer, toLetter } from "../http/unsubscribe-world.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const shots = process.env.SHOTS;
let world: WebWorld;
beforeAll(async () => {
  if (!hasBrowser) return;
  world = await openWebWorld({ privateTargets: { all: false, networks: ["127.0.0.0/8"] } });
  world.internet.zone = listZone;
});
afterAll(() => world?.closeAll());

async function arrive(workspaceId: string, letter: Parameters<typeof toLetter>[0]): Promise<string> {
  const id = await world.receive(workspaceId, null, signLetter(toLetter(letter)));
  await world.analyzeAll();
  return id;
}

test.runIf(hasBrowser)(
  "a report warns before unsubscribing, unsubscribes on a click, and shows the result",
  async () => {
    const list = await startListServer((_, response) => response.end("ok"));
    const reader = await addReader(world);
    const unsubscribe = `<https://unsub.example:${list.port}/u?id=0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz>`;
    const id = await arrive(reader.workspaceId, { unsubscribe });
    const page = await world.openPage(reader.cookie);
    await page.goto(`${world.base}/tests/${id}#unsubscribe`);
    const section = page.locator("#unsubscribe");
    await section.getByRole("button", { name: "Unsubscribe…" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.innerText()).toContain("This really unsubscribes anyone@seed.example");
    await expectUsableByEveryone(page);
    if (shots) await page.screenshot({ path: `${shots}/unsub-dialog.png` });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(list.connections()).toBe(0);
    await section.getByRole("button", { name: "Unsubscribe…" }).click();
    await dialog.getByRole("button", { name: "Unsubscribe" }).click();
    await soon(() => section.innerText()).toContain("Request accepted");
    expect(list.heard).toHaveLength(1);
    expect(await section.innerText()).toContain("No mail from this list since you unsubscribed");
    await expectUsableByEveryone(page);
    world.clock.nowMs += 3 * 86_400_000;
    const late = await arrive(reader.workspaceId, { unsubscribe, number: 2 });
    await page.goto(`${world.base}/tests/${late}`);
    await soon(() => page.locator("main").innerText()).toContain("You still receive this list: unsubscribed on");
    await page.goto(`${world.base}/tests/${id}`);
    await soon(() => page.locator("main").innerText()).toContain("You still receive this list. One message");
    await expectUsableByEveryone(page);
    if (!shots) return;
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [1440, 390]) {
        const other = await world.openPage(reader.cookie, { width, colorScheme });
        await other.goto(`${world.base}/tests/${id}#unsubscribe`);
        await soon(() => other.locator("main").innerText()).toContain("You still receive this list. One");
        await other.locator("#unsubscribe").screenshot({ path: `${shots}/unsub-${width}-${colorScheme}.png` });
        await other.screenshot({ path: `${shots}/unsub-top-${width}-${colorScheme}.png` });
      }
  },
);

test.runIf(hasBrowser)("a report opens the chosen unsubscribe link on a click, and says what it showed", async () => {
  const list = await startListServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(request.url === "/u" ? "<form><button>Unsubscribe</button></form>" : "You have been unsubscribed.");
  });
  const reader = await addReader(world);
  const at = (path: string) => `https://unsub.example:${list.port}/${path}`;
  const body = `<p><a href="${at("body")}">Unsubscribe</a></p>`;
  const id = await arrive(reader.workspaceId, { unsubscribe: `<${at("u")}>`, body, number: 4 });
  const page = await world.openPage(reader.cookie);
  await page.goto(`${world.base}/tests/${id}#unsubscribe`);
  const section = page.locator("#unsubscribe");
  const dialog = page.getByRole("dialog");
  await section.getByRole("button", { name: "Open as a scanner…" }).click();
  expect(await dialog.innerText()).toContain("If the link is wrong, this unsubscribes anyone@seed.example");
  expect(await dialog.innerText()).toContain("Open only links of your own mail");
  await expectUsableByEveryone(page);
  expect(list.connections()).toBe(0);
  await dialog.getByRole("button", { name: "Open link" }).click();
  await soon(() => section.innerText()).toContain("Opening the link only showed a page");
  await section.getByRole("button", { name: "Open as a scanner…" }).click();
  await dialog.getByText("Link in the message").click();
  await dialog.getByRole("button", { name: "Open link" }).click();
  await soon(() => section.innerText()).toContain("Opening the link seems to unsubscribe");
  expect(await section.innerText()).toContain("The page shows: “You have been unsubscribed.”");
  expect(list.heard.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /u", "GET /body"]);
  await expectUsableByEveryone(page);
  if (shots) await section.screenshot({ path: `${shots}/unsub-visits.png` });
});

test.runIf(hasBrowser)("a report says why unsubscribing is not possible", async () => {
  const reader = await addReader(world);
  const id = await arrive(reader.workspaceId, { unsubscribe: "<mailto:u@news.example>", post: null, number: 3 });
  const page = await world.openPage(reader.cookie);
  await page.goto(`${world.base}/tests/${id}#unsubscribe`);
  const section = page.locator("#unsubscribe");
  await soon(() => section.innerText()).toContain("List-Unsubscribe has no https URL");
  expect(await section.innerText()).toContain("ASSAY_SEND_SMTP_URL");
  expect(await section.getByRole("button", { name: "Unsubscribe…" }).count()).toBe(0);
});
