import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import { parsePlans } from "../../src/features/people/rules/plans.ts";
import { inWorkspace } from "../../src/platform/database/scope.ts";
import { healthy } from "../analyzer/domain-cases/domain-world.ts";
import { toReportMail } from "../analyzer/mail/reports/report-mail.ts";
import { dmarcSamples, tlsSample } from "../analyzer/mail/reports/samples.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, openWebWorld, soon, type WebWorld } from "./web-world.ts";

// A long page, held against axe-core in four looks, takes its time on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

const loosened: Zone = {
  ...healthy,
  "a.example": { ...(healthy["a.example"] as object), TXT: ["v=spf1 mx include:_spf.esp.test ~all"] },
  "_dmarc.a.example": { TXT: ["v=DMARC1; p=none"] },
};

const letter = Buffer.from(
  "From: Ann <ann@a.example>\r\nTo: bob@seed.example\r\nDate: Sat, 21 Nov 2026 06:00:00 +0000\r\n" +
    "Message-ID: <1@a.example>\r\nSubject: Lunch <b>today</b>\r\n\r\nHi Bob, see you at noon.\r\n",
);

function useWorld(options: Parameters<typeof openWebWorld>[0] = {}) {
  const held: { world?: WebWorld } = {};
  beforeAll(async () => {
    held.world = await openWebWorld(options);
  });
  afterAll(() => held.world?.closeAll());
  return () => held.world as WebWorld;
}

async function openDomains(world: WebWorld, path = "/domains") {
  const reader = await addReader(world);
  const page = await world.openPage(reader.cookie);
  await page.clock.setFixedTime(world.clock.nowMs);
  await page.goto(world.base + path);
  const ask = (method: string, asked: string, body?: unknown) =>
    world.ask(method, asked, { cookie: reader.cookie, workspace: reader.workspaceId, body });
  return { ...reader, page, ask };
}

/** As the hourly sweep would, twice, since a change is confirmed by a second look. */
async function sweepTwice(world: WebWorld, page: Page) {
  for (let look = 0; look < 2; look++) {
    world.clock.nowMs += 3_600_000;
    await world.domainWatcher.sweep();
  }
  await page.clock.setFixedTime(world.clock.nowMs);
}

/** As the monitor keeps them. */
async function addChanges(world: WebWorld, workspaceId: string, domainId: string, count: number) {
  const side = (verdict: string, record: string) => ({ verdict, record });
  const change = {
    mechanism: "dmarc",
    kind: "policy_loosened",
    direction: "worse",
    says: "It is looser.",
    before: side("pass", "v=DMARC1; p=reject"),
    after: side("warn", "v=DMARC1; p=none"),
  };
  for (let at = 0; at < count; at++)
    await world.store.write((db) =>
      inWorkspace(db, workspaceId)
        .insertInto("domain_changes", {
          id: `chg_${String(at).padStart(26, "0")}`,
          domain_id: domainId,
          at,
          kind: "drift",
          changes: JSON.stringify([change]),
        })
        .execute(),
    );
}

async function watch(page: Page, domain: string, selector = "") {
  await page.getByLabel("Domain", { exact: true }).fill(domain);
  await page.getByLabel("DKIM selector (optional)").fill(selector);
  await page.getByRole("button", { name: "Add domain" }).click();
}

const cardOf = (page: Page, name: string) =>
  page.getByRole("region", { name: "Status" }).locator(".card", { has: page.getByRole("heading", { name }) });

describe.skipIf(!hasBrowser)("the domains page", () => {
  const worldOf = useWorld();

  test("the domains page adds a domain from the empty list, checks it immediately, and shows an invalid name at its field", async () => {
    const world = worldOf();
    world.internet.zone = healthy;
    const { page } = await openDomains(world);
    await soon(() => page.getByRole("heading", { name: "No domains yet" }).count()).toBe(1);
    await expectUsableByEveryone(page);
    await watch(page, "com");
    await soon(() => page.getByRole("alert").innerText()).toContain("com cannot be registered as a domain");
    expect(await page.getByLabel("Domain", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await watch(page, "https://www.A.example/about");
    await soon(() => page.getByRole("alert").innerText()).toContain("its mail usually comes from a.example");
    await expectUsableByEveryone(page);
    await page.getByRole("button", { name: "Add a.example" }).click();
    await page.waitForURL("**/domains/dom_*");
    await soon(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("a.example");
    await soon(() => page.title()).toBe("a.example · Assay");
    expect(await cardOf(page, "SPF").innerText()).toMatch(/Pass.*v=spf1 mx include:_spf.esp.test -all/s);
    expect(await cardOf(page, "DKIM").innerText()).toMatch(/s2\s+rsa, 2048 bits, common selector/);
    expect(await cardOf(page, "BIMI").innerText()).toContain("Missing");
    await soon(() => page.locator("#changes").innerText()).toContain("No changes since then.");
    await soon(() => page.locator("#records").innerText()).toContain("Verify your domain");
    await page.getByText(/^\d+ records? OK$/).click();
    await soon(() => page.locator("#records").getByText("Found in DNS").first().isVisible()).toBe(true);
    await soon(() => page.locator("#senders").innerText()).toContain("No DMARC reports in the last 30 days");
    expect(await page.locator("#senders").innerText()).toMatch(/to your rua tag, after a comma:\s+mailto:/);
    await expectUsableByEveryone(page);
  });

  test("the domains page shows each record once next to its fix, with a preview of the effect", async () => {
    const world = worldOf();
    world.internet.zone = { ...healthy, "parked.example": { A: ["192.0.2.1"] } };
    const { page, ask } = await openDomains(world);
    const { id } = (await ask("POST", "/api/domains", { domain: "parked.example" })).json;
    await page.goto(`${world.base}/domains/${id}`);
    await soon(() => page.locator("#records").innerText()).toContain("2 records are in the fixes above.");
    for (const value of ["v=spf1 -all", "v=DMARC1; p=reject"]) {
      expect(await page.locator("#fix").innerText()).toContain(value);
      expect(await page.locator("#records .rec").allInnerTexts()).not.toContain(value);
    }
    await page.locator("#fix").getByRole("button", { name: "Preview these records" }).click();
    const values = page.locator("#what-if").getByLabel("Value");
    await soon(() => values.count()).toBe(2);
    expect(await values.first().inputValue()).toBe("v=spf1 -all");
  });

  test("the domains page says that a domain can't be checked, in the list too, until it is checked again", async () => {
    const world = worldOf();
    world.internet.zone = healthy;
    const { page, ask, workspaceId } = await openDomains(world);
    const { id } = (await ask("POST", "/api/domains", { domain: "a.example" })).json;
    const poison = `create trigger poison before update on domains when old.workspace_id = '${workspaceId}'
      and new.checked_at is not old.checked_at begin select raise(abort, 'poisoned'); end`;
    await world.store.write((db) => sql.raw(poison).execute(db));
    await sweepTwice(world, page);
    await sweepTwice(world, page);
    await page.goto(`${world.base}/domains/${id}`);
    const says = "Can't be checked: There was an internal error. See the server's log.";
    await soon(() => page.locator("#standing").innerText()).toContain(says);
    await expectUsableByEveryone(page);
    await page.goto(`${world.base}/domains`);
    await soon(() => page.locator("table.domains tbody").innerText()).toContain("Can’t be checked");
    await expectUsableByEveryone(page);
    await world.store.write((db) => sql.raw("drop trigger poison").execute(db));
    await sweepTwice(world, page);
    await page.goto(`${world.base}/domains/${id}`);
    await soon(() => page.locator("#standing h2").count()).toBe(1);
    expect(await page.locator("#standing").innerText()).not.toContain(says);
  });
});

describe.skipIf(!hasBrowser)("a domain whose records change", () => {
  const worldOf = useWorld();

  test("a domain whose records change moves to the top of the list automatically, with old and new records compared", async () => {
    const world = worldOf();
    world.internet.zone = healthy;
    const { page, ask } = await openDomains(world);
    const { id } = (await ask("POST", "/api/domains", { domain: "a.example" })).json;
    await ask("POST", "/api/domains", { domain: "bare.example" });
    await page.reload();
    const rows = page.locator("table.domains tbody tr");
    await soon(() => rows.count()).toBe(2);
    expect(await rows.first().innerText()).toContain("bare.example");
    world.internet.zone = loosened;
    await soon(() => world.events.countFollowers()).toBeGreaterThan(0);
    await sweepTwice(world, page);
    // It comes by itself.
    await soon(() => rows.filter({ hasText: "a.example" }).last().innerText()).toContain("Changed");
    expect(await page.locator(".page-h").innerText()).toContain("2 domains, 1 failing, 1 changed in the last 24 hours");
    await expectUsableByEveryone(page);

    await page.getByRole("link", { name: "a.example", exact: true }).click();
    await page.waitForURL(`**/domains/${id}`);
    const changes = page.locator("#changes");
    await soon(() => changes.innerText()).toContain("DMARC: pass to warning");
    expect(await changes.locator("del").allInnerTexts()).toContain("-all");
    expect(await changes.locator("ins").allInnerTexts()).toContain("~all");
    await soon(() => page.locator("#standing").innerText()).toContain("Changed in the last 7 days:");
    await page.locator("#fix .finding").first().waitFor();
    await expectUsableByEveryone(page);
  });

  test("a domain whose records change shows older changes on request, can be rechecked once a minute, and can be deleted", async () => {
    const world = worldOf();
    world.internet.zone = healthy;
    const { page, ask, workspaceId } = await openDomains(world);
    const { id } = (await ask("POST", "/api/domains", { domain: "a.example" })).json;
    await addChanges(world, workspaceId, id, 12);
    await page.goto(`${world.base}/domains/${id}`);
    await soon(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("a.example");
    const changes = page.locator("#changes");
    await soon(() => changes.getByRole("listitem").count()).toBe(10);
    await changes.getByRole("button", { name: "Show older changes" }).click();
    await soon(() => changes.getByRole("listitem").count()).toBe(13);
    expect(await changes.getByRole("listitem").last().innerText()).toContain("Domain added.");

    world.internet.zone = { ...loosened, "a.example": "servfail" };
    world.clock.nowMs += 60_000;
    await page.getByRole("button", { name: "Check again" }).click();
    await soon(() => page.locator(".toast").innerText()).toContain("SPF changed from pass to no response");
    expect(await changes.innerText()).toContain("Not counted as a change. No alert is sent.");
    expect(await cardOf(page, "SPF").innerText()).toContain("Last result: pass");
    await page.getByRole("link", { name: "All domains" }).click();
    const lead = page.locator(".page-h");
    await soon(() => lead.innerText()).toContain("1 domain, 1 not fully checked");
    await page.goBack();
    await page.getByRole("button", { name: "Check again" }).click();
    await soon(() => page.getByRole("alert").innerText()).toContain(
      "limited to one per minute. Try again in 60 seconds",
    );

    await page.getByLabel("DKIM selector (optional)").fill("a b");
    await page.getByRole("button", { name: "Save selector" }).click();
    await soon(() => page.locator("#settings").getByRole("alert").count()).toBe(1);
    await page.getByLabel("DKIM selector (optional)").fill("s2");
    await page.getByRole("button", { name: "Save selector" }).click();
    await soon(() => page.locator(".toast").innerText()).toContain("Assay will check selector s2");
    expect((await ask("GET", `/api/domains/${id}`)).json.dkimSelector).toBe("s2");

    await page.getByRole("button", { name: "Remove a.example" }).click();
    await expectUsableByEveryone(page);
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.waitForURL("**/domains");
    await soon(() => page.getByRole("heading", { name: "No domains yet" }).count()).toBe(1);
    await page.goto(`${world.base}/domains/${id}`);
    await soon(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("Domain not found");
  });
});

describe.skipIf(!hasBrowser)("previewed DNS records", () => {
  const worldOf = useWorld();

  test("previewed DNS records show their effect on the domain and its messages, at their own URL", async () => {
    const world = worldOf();
    world.internet.zone = loosened;
    const { page, ask, workspaceId } = await openDomains(world);
    const testId = await world.receive(workspaceId, null, letter);
    await world.analyzeAll();
    const { id } = (await ask("POST", "/api/domains", { domain: "a.example" })).json;
    await page.goto(`${world.base}/domains/${id}`);
    const whatIf = page.locator("#what-if");
    await soon(() => whatIf.getByLabel("Name").inputValue()).toBe("_dmarc.a.example");
    await soon(() => page.locator("#senders").innerText()).toMatch(/tag to the record:\s+rua=mailto:/);
    await whatIf.getByLabel("Value").fill("v=DMARC1; p=reject; rua=mailto:d@a.example");
    await whatIf.getByRole("button", { name: "Add record" }).click();
    await whatIf.getByLabel("Name").last().fill("a.example");
    await whatIf.getByLabel("Value").last().fill("v=spf1 ip4:192.0.2.1 -all");
    await whatIf.getByRole("button", { name: "Preview changes" }).click();
    await soon(() => whatIf.getByRole("heading", { level: 3 }).innerText()).toBe(
      "1 verdict would change, 1 of 1 message affected",
    );
    expect(await whatIf.getByRole("row", { name: "DMARC" }).innerText()).toMatch(/Warning\s+Pass/);
    const changed = whatIf.getByRole("link", { name: "Lunch <b>today</b>" });
    expect(await changed.getAttribute("href")).toBe(`/tests/${testId}`);
    await expectUsableByEveryone(page);
    await page.reload();
    await soon(() => whatIf.getByRole("heading", { level: 3 }).count()).toBe(1);
    expect(await whatIf.getByLabel("Value").last().inputValue()).toBe("v=spf1 ip4:192.0.2.1 -all");
    await whatIf.getByLabel("Value").last().fill("v=spf1 mx -all");
    await whatIf.getByLabel("Type").last().selectOption("A");
    await whatIf.getByRole("button", { name: "Preview changes" }).click();
    await soon(() => whatIf.getByRole("alert").innerText()).toContain("The preview failed.");
    expect(await whatIf.getByLabel("Value").last().getAttribute("aria-invalid")).toBe("true");
    await page.goBack();
    await soon(() => whatIf.getByRole("heading", { level: 3 }).count()).toBe(1);
  });
});

describe.skipIf(!hasBrowser)("received DMARC reports", () => {
  const worldOf = useWorld();

  test("received DMARC reports are shown by sender with their results, and one by one", async () => {
    const world = worldOf();
    const { page, ask, workspaceId } = await openDomains(world);
    for (const { content } of dmarcSamples.filter(({ receiver }) => !receiver.includes("UTF"))) {
      await world.receive(workspaceId, null, toReportMail(gzipSync(content)));
      await world.analyzeAll();
    }
    // Newer than the others, which are listed below it.
    world.clock.nowMs += 1_000;
    const head =
      "TLS-Report-Domain: shop.example\r\nSubject: Report Domain: shop.example Submitter: x.example Report-ID: <1>";
    await world.receive(
      workspaceId,
      null,
      toReportMail(gzipSync(JSON.stringify(tlsSample)), { type: "application/tlsrpt+gzip", head }),
    );
    await world.analyzeAll();
    const { id } = (await ask("POST", "/api/domains", { domain: "shop.example" })).json;
    await page.goto(`${world.base}/domains/${id}?days=90`);
    const senders = page.locator("#senders");
    await soon(() => senders.getByRole("heading", { level: 2 }).innerText()).toMatch(
      /^84% of mail from \d+ senders passes DMARC$/,
    );
    const amazon = senders.getByRole("row", { name: "Amazon SES" });
    await amazon.getByText("1 address").click();
    await amazon.getByRole("button", { name: "192.0.2.44" }).click();
    await soon(() => amazon.innerText()).toMatch(/DKIM domains\s+amazonses\.com, shop\.example/);
    expect(await senders.innerText()).toContain("303 of 5,639 sessions couldn’t be encrypted");
    await senders.getByText("7 days").click();
    await page.waitForURL("**?days=7");
    await expectUsableByEveryone(page);
    await page.goto(`${world.base}/feedback`);
    const sources = page.getByRole("region", { name: "Senders by domain" });
    await soon(() => sources.locator("summary").first().innerText()).toMatch(
      /^shop\.example\s+Not authenticated: 27 of 165 messages failed DMARC$/,
    );
    await soon(() => sources.innerText()).toContain("Amazon SES");
    const reports = page.getByRole("region", { name: "DMARC and TLS reports" });
    await soon(() => reports.innerText()).toMatch(/TLS from Company-X\s+for shop\.example, not authenticated/);
    await expectUsableByEveryone(page);
  });
});

describe.skipIf(!hasBrowser)("a plan that allows one domain", () => {
  const reading = parsePlans(JSON.stringify({ plans: { small: { domains: 1 } }, default: "small" }));
  if (!reading.ok) throw new Error(reading.problems.join());
  const worldOf = useWorld({ plans: reading.plans });

  test("the limit of a plan that allows one domain is named when a second domain is added", async () => {
    const { page, ask } = await openDomains(worldOf());
    await ask("POST", "/api/domains", { domain: "a.example" });
    await page.goto(`${worldOf().base}/domains?add`);
    await soon(() => page.getByRole("dialog").count()).toBe(1);
    await watch(page, "b.example");
    await soon(() => page.getByRole("alert").innerText()).toContain(
      "Couldn’t add the domain. The small plan's limit for monitored domains has been reached",
    );
    await expectUsableByEveryone(page);
    await page.keyboard.press("Escape");
    await page.waitForURL("**/domains");
  });
});
