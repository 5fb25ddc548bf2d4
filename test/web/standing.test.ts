// The page of a healthy, a listed and a spoofed domain: what to do first, and who sends.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import type { ReportedSource } from "../../src/analyzer/mail/reports/mail-class.ts";
import { createFeedbackChore } from "../../src/features/feedback/work/evaluate-feedback.ts";
import { createLearnChore } from "../../src/features/own-addresses/work/learn.ts";
import { createWatchChore } from "../../src/features/own-addresses/work/watch.ts";
import { serveOrThrow } from "../../src/platform/work/serve-row.ts";
import { healthy } from "../analyzer/domain-cases/domain-world.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

vi.setConfig({ testTimeout: 120_000 });

/** A folder for screenshots. */
const shots = process.env.STANDING_SHOTS;
const dayMs = 86_400_000;

function zoneOf(domain: string, policy: string, address: string): Zone {
  const zone = JSON.parse(JSON.stringify(healthy).replaceAll("a.example", domain)) as Record<string, object>;
  const { [`_mta-sts.${domain}`]: _, [`mta-sts.${domain}`]: __, ...rest } = zone;
  return {
    ...rest,
    "seed.example": { MX: [{ preference: 1, exchange: "mx.seed.example" }] },
    "mx.seed.example": { A: ["203.0.113.99"] },
    [domain]: { ...zone[domain], TXT: [`v=spf1 mx ip4:${address} include:_spf.esp.test -all`] },
    [`${domain}._report._dmarc.seed.example`]: { TXT: ["v=DMARC1"] },
    [`_dmarc.${domain}`]: { TXT: [`v=DMARC1; p=${policy}; rua=mailto:r@seed.example`] },
  };
}

function sourceOf(domain: string, changes: Partial<ReportedSource>): ReportedSource {
  return {
    sourceIp: "198.51.100.9",
    messages: 120,
    disposition: "none",
    dkimAligned: true,
    spfAligned: true,
    headerFrom: domain,
    dkim: [{ domain, selector: "s2", result: "pass" }] as unknown as ReportedSource["dkim"],
    spf: [{ domain, scope: "mfrom", result: "pass" }],
    reasons: [],
    ...changes,
  };
}

/** Its mail through an email service, and that of strangers. */
const service = { sourceIp: "203.0.113.7", messages: 30, dkimAligned: false, spfAligned: false, dkim: [] };
const sendGrid: Partial<ReportedSource> = {
  ...service,
  spf: [{ domain: "u1.sendgrid.net", scope: "mfrom", result: "pass" }],
};
const strangers = Array.from({ length: 12 }, (_, at) => ({
  ...service,
  messages: 4 + at,
  sourceIp: `192.0.${at + 1}.50`,
  spf: [{ domain: `stranger${at}.example`, scope: "mfrom" as const, result: "fail" }],
}));

describe.skipIf(!hasBrowser)("a domain's standing", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  async function openDomain(domain: string, { zone, sources }: { zone: Zone; sources: Partial<ReportedSource>[] }) {
    const reader = await addReader(world);
    world.internet.zone = { ...world.internet.zone, ...zone };
    const ask = (method: string, asked: string, body?: unknown) =>
      world.ask(method, asked, { cookie: reader.cookie, workspace: reader.workspaceId, body });
    const { id } = (await ask("POST", "/api/domains", { domain })).json;
    const { nowMs } = world.clock;
    for (let day = 20; day >= 1; day--)
      for (const reporter of ["google.com", "yahoo.com", "microsoft.com"]) {
        const beginsAt = nowMs - (nowMs % dayMs) - day * dayMs;
        world.clock.nowMs = beginsAt + dayMs;
        await world.receiveNoTest(reader.workspaceId, {
          recognised: {
            kind: "report",
            report: {
              type: "dmarc",
              organization: reporter,
              reportId: `${domain}-${reporter}-${day}`,
              domain,
              beginsAt,
              endsAt: beginsAt + dayMs - 1_000,
              total: null,
              failed: null,
              problem: null,
              policy: null,
              sources: sources.map((source) => sourceOf(domain, source)),
              tlsPolicies: [],
            },
          },
          sender: { domain: reporter, authenticated: true },
        });
      }
    world.clock.nowMs = nowMs;
    const { signal } = new AbortController();
    for (const chore of [createLearnChore(world), createWatchChore(world), createFeedbackChore(world)])
      await chore.run(signal, serveOrThrow);
    const page = await world.openPage(reader.cookie);
    await page.clock.setFixedTime(world.clock.nowMs);
    await page.goto(`${world.base}/domains/${id}`);
    const standing = page.getByRole("region", { name: "Standing" });
    await soon(() => standing.getByRole("heading", { level: 2 }).count()).toBe(1);
    return { ...reader, ask, id, page, standing, says: standing.getByRole("heading", { level: 2 }) };
  }

  async function shoot({ page }: Awaited<ReturnType<typeof openDomain>>, name: string) {
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: width === 1440 ? 900 : 844 });
      await page.waitForTimeout(200);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      if (!shots) continue;
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.screenshot({ path: `${shots}/${name}-${width}.png` });
      await page.screenshot({ path: `${shots}/${name}-${width}-whole.png`, fullPage: true });
      await page.locator("#senders").screenshot({ path: `${shots}/${name}-${width}-senders.png` });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  test("a healthy domain has nothing to fix, and what isn't known is named", async () => {
    const opened = await openDomain("well.example", {
      zone: zoneOf("well.example", "reject", "198.51.100.9"),
      sources: [{}],
    });
    await soon(() => opened.says.innerText()).toMatch(/^(All good|No issues found)/);
    await expectUsableByEveryone(opened.page);
    await shoot(opened, "healthy");
  });

  test("a listed address comes first, with the way to its listings", async () => {
    const dnsbls = ["zen.spamhaus.org"].map((zone) => ({ zone, asked: zone }));
    Object.assign(world.config, { dnsbls });
    const zone = {
      ...zoneOf("listed.example", "reject", "198.51.100.7"),
      "2.0.0.127.zen.spamhaus.org": { A: ["127.0.0.2"] },
      "7.100.51.198.zen.spamhaus.org": { A: ["127.0.0.2"], TXT: ["https://check.spamhaus.org/?q=198.51.100.7"] },
    };
    const opened = await openDomain("listed.example", { zone, sources: [{ sourceIp: "198.51.100.7" }] });
    await soon(() => opened.says.innerText()).toMatch(/^198\.51\.100\.7 is on Spamhaus/);
    await expectUsableByEveryone(opened.page);
    await shoot(opened, "listed");
    await opened.standing.getByRole("link", { name: "Show the listings" }).click();
    await opened.page.waitForURL("**/addresses/own_*");
    Object.assign(world.config, { dnsbls: [] });
  });

  test("a spoofed domain says from how many senders, and each can be opened and marked", async () => {
    const opened = await openDomain("spoofed.example", {
      zone: zoneOf("spoofed.example", "none", "198.51.100.9"),
      sources: [{ messages: 500 }, ...strangers],
    });
    const { page, says } = opened;
    await soon(() => says.innerText()).toMatch(/^Mail in your name that fails DMARC .* comes from 12 senders\./);
    await shoot(opened, "spoofed");
    const senders = page.locator("#senders");
    const own = senders.getByRole("row").filter({ hasText: "198.51.100.9" });
    await own.getByText("1 address").press("Enter");
    await own.getByRole("button", { name: "198.51.100.9" }).press("Enter");
    await soon(() => own.innerText()).toContain("google.com");
    await expectUsableByEveryone(page);
    await senders.getByRole("button", { name: "Show all 13 senders" }).press("Enter");
    const notOurs = senders.getByRole("button", { name: /^Not ours/ });
    await notOurs.nth(1).press("Enter");
    await soon(() => senders.innerText()).toContain("You said that it isn’t yours.");
    expect(await notOurs.nth(1).getAttribute("aria-pressed")).toBe("true");
  });

  test("a sender that a member calls ours is what to do first, until it is taken back", async () => {
    const opened = await openDomain("unset.example", {
      zone: zoneOf("unset.example", "none", "198.51.100.9"),
      sources: [{}, sendGrid],
    });
    const ours = opened.page.locator("#senders").getByRole("button", { name: /^Ours ?: SendGrid$/ });
    await ours.click();
    await soon(() => opened.says.innerText()).toContain("SendGrid: All of 1,800 messages fail DMARC.");
    await shoot(opened, "unset");
    await ours.click();
    await soon(() => opened.says.innerText()).toContain("Mail in your name that fails DMARC");
  });
});
