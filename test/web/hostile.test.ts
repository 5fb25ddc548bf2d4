// A sender's text in every place of the list and of the report where it is shown, and a sender's page in the
// preview. web-world.ts watches that nothing runs, opens, loads, or redirects in our pages.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fewOf } from "../lanes.ts";
import { type AttackRange, openAttackRange } from "./attack-range.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";
import { xssVectors } from "./xss-vectors-table.ts";

const inHeader = (text: string) => `=?utf-8?b?${Buffer.from(text).toString("base64")}?=`;
const perReport = 20;
const chosen = fewOf(xssVectors);
const share = chosen.length / xssVectors.length;

/** The first names the sender and the subject; all are headers, links and files of it. */
function letterWith(vectors: readonly string[]): Uint8Array {
  const [first = ""] = vectors;
  const lines = [
    `From: ${inHeader(first)} <ann@sender.example>`,
    "To: anyone@seed.example",
    `Subject: ${inHeader(first)}`,
    ...vectors.map((vector, index) => `X-Mark-${index}: ${inHeader(vector)}`),
    "MIME-Version: 1.0",
    "Content-Type: multipart/mixed; boundary=outer",
    "",
    "--outer",
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(vectors.map(toHtml).join("\n")).toString("base64").replace(/.{76}/g, "$&\r\n"),
    ...vectors.flatMap((vector) => [
      "--outer",
      "Content-Type: text/plain",
      `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(vector)}`,
      "",
      "Hi.",
    ]),
    "--outer--",
    "",
  ];
  return Buffer.from(lines.join("\r\n"));
}

function toHtml(vector: string): string {
  return `<p>${vector}</p><a href="https://sender.example/?${vector.replace(/["<>\s]/g, "")}">${vector}</a>`;
}

/** As a reader sees it: no white space and no control character makes a difference. */
const visible = (text: string) => text.replace(/[\s\p{C}\ufffd]+/gu, "");

describe.skipIf(!hasBrowser)("hostile mail", () => {
  let world: WebWorld;
  let reader: Awaited<ReturnType<typeof addReader>>;
  let range: AttackRange;
  const single: string[] = [];
  const packed: string[] = [];

  beforeAll(async () => {
    world = await openWebWorld();
    range = await openAttackRange(world.browser);
    reader = await addReader(world);
    const receive = (vectors: readonly string[]) => {
      world.clock.nowMs += 1_000;
      return world.receive(reader.workspaceId, null, letterWith(vectors));
    };
    for (let first = 0; first < chosen.length; first += perReport)
      packed.push(await receive(chosen.slice(first, first + perReport)));
    for (const vector of chosen) single.push(await receive([vector]));
    await world.analyzeAll();
  });
  afterAll(async () => {
    await range.close();
    await world.closeAll();
  });

  test("hostile mail from more than two hundred public vectors mostly runs without protection", async () => {
    expect(xssVectors.length).toBeGreaterThan(200);
    const live = await range.findLive(
      chosen.map((html) => ({ html, policy: null })),
      // One that leads the page away ends the others of it.
      4,
    );
    expect(live.length).toBeGreaterThan(80 * share);
  });

  test("hostile mail is blocked by the preview's policy alone, without cleaning", async () => {
    for (const [pins, sandbox] of [
      ["0", "sandbox;"],
      ["1", "sandbox allow-same-origin;"],
    ] as const) {
      const { policy } = await previewOf(single[0] ?? "", pins);
      expect(policy).toContain(sandbox);
      const live = await range.findLive(
        chosen.map((html) => ({ html, policy })),
        100,
      );
      expect(live.map((number) => chosen[number])).toEqual([]);
    }
  });

  test("hostile mail is harmless after cleaning, even without a policy", async () => {
    const pieces = [];
    for (const id of single) pieces.push({ html: (await previewOf(id, "1")).html, policy: null });
    expect(pieces.filter(({ html }) => html.includes(" data-pin=")).length).toBeGreaterThan(100 * share);
    expect(await range.findLive(pieces, 100)).toEqual([]);
  });

  test("hostile mail is shown in the list as plain text", async () => {
    const page = await world.openPage(reader.cookie);
    await page.goto(`${world.base}/tests`);
    const shown: string[] = [];
    for (let isMore = true; isMore; ) {
      const subjects = page.locator("a.subject");
      await soon(() => subjects.count()).toBeGreaterThan(0);
      shown.push(...(await subjects.allInnerTexts()));
      const older = page.getByRole("link", { name: "Older" });
      isMore = (await older.count()) > 0;
      const newest = await subjects.first().getAttribute("href");
      if (isMore) await older.click();
      if (isMore) await soon(() => subjects.first().getAttribute("href")).not.toBe(newest);
    }
    const expected = chosen.toReversed().map(visible);
    const seen = shown.slice(0, expected.length).map(visible);
    expect(seen.flatMap((text, index) => (text === expected[index] ? [] : [[text, expected[index]]]))).toEqual([]);
  });

  test("hostile mail does nothing in a report, from its headline to its preview", { timeout: 200_000 }, async () => {
    const page = await world.openPage(reader.cookie);
    for (const id of packed) {
      await page.goto(`${world.base}/tests/${id}`);
      const frame = page.locator("iframe");
      await soon(() => frame.count()).toBe(1);
      expect(await frame.getAttribute("sandbox")).toBe("allow-same-origin");
      await soon(() => page.frames().every((one) => one.url().startsWith(world.base))).toBe(true);
      for (const name of ["Prove", "See"]) await page.getByRole("tab", { name }).click();
      for (const tab of await page.locator("#content [role=tab]").all()) await tab.click();
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("main details")) details.setAttribute("open", "");
      });
      // What can be clicked in it opens nothing.
      const links = page.frameLocator("iframe").locator("a", { hasText: /\S/ });
      if ((await links.count()) > 0) await links.first().click();
      expect(new URL(page.url()).pathname).toBe(`/tests/${id}`);
    }
  });

  test("hostile mail does nothing in a frame of our origin, where our page reads the pins", async () => {
    const page = await world.openPage(reader.cookie);
    await page.goto(`${world.base}/tests`);
    for (const id of packed) {
      const pins = await page.evaluate(async (src) => {
        const frame = document.createElement("iframe");
        frame.src = src;
        await new Promise((resolve) => {
          frame.addEventListener("load", resolve);
          document.body.replaceChildren(frame);
        });
        return frame.contentDocument?.querySelectorAll("[data-pin]").length;
      }, `/preview/${id}?pins=1&workspace=${reader.workspaceId}`);
      expect(pins).toBeGreaterThan(0);
      const links = page.frameLocator("iframe").locator("a", { hasText: /\S/ });
      for (const link of (await links.all()).slice(0, 3)) await link.click({ force: true });
      expect(page.frames().map((one) => new URL(one.url()).pathname)).toEqual(["/tests", `/preview/${id}`]);
    }
  });

  test("hostile mail does nothing in a saved report, which holds the message", { timeout: 200_000 }, async () => {
    const { token } = await world.issueToken(reader.workspaceId);
    const headers = { authorization: `Bearer ${token}`, "x-workspace-id": reader.workspaceId };
    const pieces = [];
    for (const id of single) {
      const html = await (await fetch(`${world.base}/api/tests/${id}/report.html`, { headers })).text();
      expect(html).toMatch(/<iframe sandbox(?:="")? [^<>]*srcdoc="/);
      pieces.push({ html, policy: null });
    }
    expect(await range.findLive(pieces, 100)).toEqual([]);
  });

  test("hostile mail is blocked by the frame and the policy of a saved report, each without cleaning", async () => {
    const headers = { cookie: reader.cookie, "x-workspace-id": reader.workspaceId };
    const file = await (await fetch(`${world.base}/api/tests/${packed[0]}/report.html`, { headers })).text();
    const [policy = ""] = /<meta http-equiv="content-security-policy"[^>]*>/.exec(file) ?? [];
    expect(policy).toContain("default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'");
    const escaped = (html: string) => html.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const findLive = (before: string, rights: string) =>
      range.findLive(
        chosen.map((html) => ({
          html: `${before}<iframe ${rights} srcdoc="${escaped(html)}"></iframe>`,
          policy: null,
        })),
        20,
      );
    expect((await findLive("", "")).length).toBeGreaterThan(80 * share);
    expect(await findLive(policy, "")).toEqual([]);
    expect(await findLive(policy, 'sandbox=""')).toEqual([]);
  });

  async function previewOf(id: string, pins: "0" | "1") {
    const answer = await fetch(`${world.base}/preview/${id}?pins=${pins}&workspace=${reader.workspaceId}`, {
      headers: { cookie: reader.cookie },
    });
    expect(answer.status).toBe(200);
    return { html: await answer.text(), policy: answer.headers.get("content-security-policy") };
  }
});
