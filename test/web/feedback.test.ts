import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReportedSource } from "../../src/analyzer/mail/reports/mail-class.ts";
import { evaluateDue } from "../../src/features/feedback/work/evaluate-feedback.ts";
import { serveOrThrow } from "../../src/platform/work/serve-row.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const dayMs = 86_400_000;
const zone = {
  "sender.example": { TXT: ["v=spf1 ip4:198.51.100.9 -all"], MX: [{ preference: 1, exchange: "mx.example" }] },
  "_dmarc.sender.example": { TXT: ["v=DMARC1; p=none; rua=mailto:r@seed.example"] },
};

let world: WebWorld;
beforeAll(async () => {
  world = await openWebWorld();
});
afterAll(() => world.closeAll());

const ownServer: ReportedSource = {
  disposition: "none",
  headerFrom: "sender.example",
  reasons: [],
  dkim: [],
  sourceIp: "198.51.100.9",
  messages: 60,
  dkimAligned: false,
  spfAligned: true,
  spf: [{ domain: "sender.example", scope: "mfrom", result: "pass" }],
};
const service: ReportedSource = {
  ...ownServer,
  sourceIp: "203.0.113.7",
  messages: 25,
  spfAligned: false,
  spf: [{ domain: "u1.sendgrid.net", scope: "mfrom", result: "pass" }],
};

/** They arrive on the day after. */
async function report(workspaceId: string, day: number, sources: readonly ReportedSource[]): Promise<void> {
  const { nowMs } = world.clock;
  world.clock.nowMs = Math.min(nowMs, day + dayMs);
  for (const reporter of ["google.com", "microsoft.com"])
    await world.receiveNoTest(workspaceId, {
      recognised: {
        kind: "report",
        report: {
          type: "dmarc",
          organization: reporter,
          reportId: `${reporter}-${day}`,
          domain: "sender.example",
          beginsAt: day,
          endsAt: day + dayMs - 1_000,
          total: null,
          failed: null,
          problem: null,
          policy: null,
          sources,
          tlsPolicies: [],
        },
      },
      sender: { domain: reporter, authenticated: true },
    });
  world.clock.nowMs = nowMs;
}

async function evaluate(): Promise<void> {
  await evaluateDue(
    { ...world, config: { seedDomains: ["seed.example"] } },
    new AbortController().signal,
    serveOrThrow,
  );
}

test("a new sender is on Home and the domain's page until a member marks it as known", async () => {
  const reader = await addReader(world);
  world.internet.zone = zone;
  const asked = { cookie: reader.cookie, workspace: reader.workspaceId };
  const page = await world.openPage(reader.cookie, { width: 1440, height: 900 });
  await page.goto(`${world.base}/domains`);
  await page.evaluate(async (workspace) => {
    const headers = { "content-type": "application/json", "x-workspace-id": workspace };
    const body = JSON.stringify({ domain: "sender.example" });
    await fetch("/api/domains", { method: "POST", headers, body });
  }, asked.workspace);
  const today = Math.floor(world.clock.nowMs / dayMs) * dayMs;
  for (let day = 24; day >= 4; day--) await report(reader.workspaceId, today - day * dayMs, [ownServer]);
  await report(reader.workspaceId, today - dayMs, [ownServer, service]);
  world.clock.nowMs += 1_000;
  await evaluate();

  await page.goto(`${world.base}/`);
  await page.getByRole("link", { name: "sender.example: New sender fails DMARC: SendGrid (email service)" }).click();
  const section = page.getByRole("region", { name: "1 problem in reports" });
  await soon(() => section.innerText()).toMatch(
    /50 messages from 203\.0\.113\.7[\s\S]*None pass DMARC[\s\S]*google\.com \(25\), microsoft\.com \(25\)/,
  );
  await expectUsableByEveryone(page);

  await section.getByRole("link", { name: "DMARC policy coach" }).click();
  const main = page.locator("main");
  await soon(() => main.innerText()).toMatch(
    /Not yet ready for p=quarantine[\s\S]*Who reports[\s\S]*google\.com\s+1,320 of 1,345 messages pass, about 22 days[\s\S]*SendGrid[\s\S]*Yours\?/,
  );
  await page.getByRole("button", { name: /^Not ours\W+SendGrid/ }).click();
  await soon(() => main.innerText()).toMatch(/Ready for p=quarantine[\s\S]*SendGrid\s+Not yours/);
  await expectUsableByEveryone(page);
  for (const width of process.env.SHOTS ? [1440, 390] : []) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${process.env.SHOTS}/policy-${width}.png`, fullPage: true });
  }
  await page.getByRole("button", { name: /^Undo\W+SendGrid/ }).click();
  await soon(() => main.innerText()).toMatch(/SendGrid\s+Yours\?/);
  world.clock.nowMs += 1_000;
  await evaluate();

  await page.goBack();
  await soon(() => page.getByRole("button", { name: /^Not ours\W+New sender/ }).count()).toBe(1);
  for (const width of process.env.SHOTS ? [390, 1440] : []) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${process.env.SHOTS}/domain-${width}.png`, fullPage: true });
  }
  await page.getByRole("button", { name: /This sender is ours/ }).click();
  await soon(() => main.innerText()).toMatch(/No open problems in reports[\s\S]*1 past problem/);
  await page.goto(`${world.base}/`);
  await soon(() => page.locator("h1").innerText()).toBe("Send an email to this address");
  expect(await page.getByText("New sender fails DMARC").count()).toBe(0);
});
