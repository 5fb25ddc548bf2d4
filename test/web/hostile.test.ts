// A stranger's text in every place of the list and of the report where it is shown. That nothing runs, opens, loads or
// leads away is watched for each page (web-world.ts).

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";
import { xssVectors } from "./xss-vectors-table.ts";

const inHeader = (text: string) => `=?utf-8?b?${Buffer.from(text).toString("base64")}?=`;

function letterWith(vector: string): Uint8Array {
  return Buffer.from(
    [
      `From: ${inHeader(vector)} <ann@sender.example>`,
      "To: anyone@seed.example",
      `Subject: ${inHeader(vector)}`,
      `X-Mailer: ${inHeader(vector)}`,
      "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=outer",
      "",
      "--outer",
      "Content-Type: text/html; charset=utf-8",
      "",
      `<p>${vector}</p><a href="https://sender.example/?${vector.replace(/["<>\s]/g, "")}">${vector}</a>`,
      "--outer",
      "Content-Type: text/plain",
      `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(vector)}`,
      "",
      "Hi.",
      "--outer--",
      "",
    ].join("\r\n"),
  );
}

describe.skipIf(!hasBrowser)("hostile mail", () => {
  let world: WebWorld;
  let cookie: string;
  const ids: string[] = [];

  beforeAll(async () => {
    world = await openWebWorld();
    const reader = await addReader(world);
    cookie = reader.cookie;
    for (const vector of xssVectors) {
      world.clock.nowMs += 1_000;
      ids.push(await world.receive(reader.workspaceId, null, letterWith(vector)));
    }
    await world.analyzeAll();
  });
  afterAll(() => world.closeAll());

  test("stands in the list as the text that it is", async () => {
    const page = await world.openPage(cookie);
    await page.goto(`${world.base}/tests`);
    const subjects = page.locator("a.subject");
    await soon(() => subjects.count()).toBe(xssVectors.length);
    const shown = (await subjects.allInnerTexts()).toReversed();
    expect(shown).toEqual(xssVectors);
  });

  test("does nothing in a report, from its verdict to its preview", { timeout: 200_000 }, async () => {
    const page = await world.openPage(cookie);
    for (const [index, id] of ids.entries()) {
      await page.goto(`${world.base}/tests/${id}`);
      await soon(() => page.locator("iframe").count()).toBe(1);
      expect(await page.locator(".who strong").innerText()).toBe(xssVectors[index]);
      await soon(() => page.frames().every((frame) => frame.url().startsWith(world.base))).toBe(true);
    }
  });
});
