// What the coach recommends from reports and stored mail, and that the preview of its record agrees.

import { describe, expect, test } from "vitest";
import type { ReportedSource } from "../../../src/analyzer/mail/reports/mail-class.ts";
import { insertProblem } from "../../../src/features/feedback/rows/problems.ts";
import { noDetail } from "../../../src/features/feedback/rules/problem.ts";
import { insertSeedInbox } from "../../../src/features/intake/rows/seed-inboxes.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { startHttpWorld } from "../../http/http-world.ts";

const dayMs = 86_400_000;
const zone = {
  "sender.example": { TXT: ["v=spf1 ip4:198.51.100.9 -all"], MX: [{ preference: 1, exchange: "mx.example" }] },
  "_dmarc.sender.example": { TXT: ["v=DMARC1; p=none; pct=50; rua=mailto:r@seed.example"] },
};
const letter = (subject: string) =>
  Buffer.from(
    `From: Ann <ann@sender.example>\r\nTo: bob@seed.example\r\nDate: Sat, 21 Nov 2026 06:00:00 +0000\r\n` +
      `Message-ID: <${subject.replaceAll(" ", "")}@sender.example>\r\nSubject: ${subject}\r\n\r\nHi Bob, see you at noon.\r\n`,
  );

const plain = { disposition: "none", headerFrom: "sender.example", reasons: [] } as const;
const ownServer: ReportedSource = {
  ...plain,
  sourceIp: "198.51.100.9",
  messages: 60,
  dkimAligned: false,
  spfAligned: true,
  dkim: [],
  spf: [{ domain: "sender.example", scope: "mfrom", result: "pass" }],
};
/** A service without DKIM for the domain. */
const service: ReportedSource = {
  ...plain,
  sourceIp: "203.0.113.7",
  messages: 10,
  dkimAligned: false,
  spfAligned: false,
  dkim: [],
  spf: [{ domain: "u1.sendgrid.net", scope: "mfrom", result: "pass" }],
};
const forwarded: ReportedSource = {
  ...service,
  sourceIp: "192.0.2.200",
  messages: 2,
  spf: [{ domain: "university.example", scope: "mfrom", result: "pass" }],
  reasons: [{ type: "forwarded", comment: null }],
};

type Reporting = {
  readonly reporter: string;
  readonly isGenuine?: boolean;
  /** It arrives now, whatever day it is about. */
  readonly isLate?: boolean;
  readonly sources: readonly ReportedSource[];
};

async function worldWithMail() {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const ask = (method: string, path: string, body?: unknown) => world.ask(method, path, { token, workspace, body });
  world.internet.zone = zone;
  const row = {
    id: "reports",
    local_part: "r",
    domain: "seed.example",
    active: 0 as const,
    label: null,
    created_at: 0,
  };
  await world.store.write((db) => insertSeedInbox(inWorkspace(db, workspace), row));
  const { id } = (await ask("POST", "/api/domains", { domain: "sender.example" })).json;
  let number = 0;
  /** It arrives on the day after, unless it is late. */
  const report = async (day: number, { reporter, isGenuine = true, isLate = false, sources }: Reporting) => {
    const { nowMs } = world.clock;
    const beginsAt = nowMs - (nowMs % dayMs) - day * dayMs;
    if (!isLate) world.clock.nowMs = Math.min(nowMs, beginsAt + dayMs);
    await world.receiveNoTest(workspace, {
      recognised: {
        kind: "report",
        report: {
          type: "dmarc",
          organization: reporter,
          reportId: `${reporter}-${number++}`,
          domain: "sender.example",
          beginsAt,
          endsAt: beginsAt + dayMs - 1_000,
          total: null,
          failed: null,
          problem: null,
          policy: null,
          sources,
          tlsPolicies: [],
        },
      },
      sender: { domain: reporter, authenticated: isGenuine },
    });
    world.clock.nowMs = nowMs;
  };
  const coach = async () => (await ask("GET", `/api/domains/${id}/policy-coach`)).json;
  return { ...world, ask, workspace, id, report, coach };
}

test("the policy coach does not count a reporter whose reports for many days arrive at once, because anyone can send those", async () => {
  const { report, coach } = await worldWithMail();
  for (let day = 1; day <= 25; day++) {
    await report(day, { reporter: "attacker.example", isLate: true, sources: [ownServer] });
    await report(day, { reporter: "google.com", sources: [ownServer] });
  }
  expect(await coach()).toMatchObject({ authenticatedReports: 50, reporters: 1, messages: 1_500 });
});

test("the policy coach shows per source what would be lost, what to fix, and that a stricter policy isn't safe yet", async () => {
  const { report, coach } = await worldWithMail();
  for (let day = 1; day <= 25; day++)
    for (const reporter of ["google.com", "microsoft.com"])
      await report(day, { reporter, sources: [ownServer, service, forwarded] });
  const json = await coach();
  expect(json).toMatchObject({
    domain: "sender.example",
    reports: 50,
    authenticatedReports: 50,
    reportDays: 25,
    reporters: 2,
    messages: 3_600,
    passed: 3_000,
    isSafe: false,
    lost: { messages: 600, known: 0, forwarded: 100, unknown: 500 },
    policy: { p: "none", sp: "none", testing: false },
    next: { record: { name: "_dmarc.sender.example" }, p: "quarantine", testing: true },
  });
  expect(json.next.record.value).toBe("v=DMARC1; p=quarantine; rua=mailto:r@seed.example; t=y");
  const [own, sendgrid, university] = json.sources;
  expect(own).toMatchObject({ name: "198.51.100.0/24", state: "authenticated", passed: 3_000, failed: 0, fixes: [] });
  expect(sendgrid).toMatchObject({ name: "SendGrid", state: "unknown", messages: 500, failed: 500, forwarded: 0 });
  expect(sendgrid.fixes.map(({ what }: { what: string }) => what)).toEqual(["find-out", "dkim", "return-path"]);
  expect(university).toMatchObject({ state: "forwarding", forwardedFailed: 100, failed: 0 });
  const met = Object.fromEntries(json.criteria.map((one: { id: string; met: boolean }) => [one.id, one.met]));
  expect(met).toEqual({
    days: true,
    reporters: true,
    messages: true,
    aligned: true,
    "unknown-sources": false,
    "open-problems": true,
  });
});

test("a stricter policy is safe once every source passes, and the coach says if there is too little data", async () => {
  const { report, coach } = await worldWithMail();
  const empty = await coach();
  expect(empty).toMatchObject({ messages: 0, isSafe: false, sources: [], lost: { messages: 0 } });
  expect(empty.criteria.find(({ id }: { id: string }) => id === "aligned")).toMatchObject({ met: null });
  for (let day = 1; day <= 25; day++)
    for (const reporter of ["google.com", "microsoft.com"]) await report(day, { reporter, sources: [ownServer] });
  expect(await coach()).toMatchObject({ isSafe: true, lost: { messages: 0 } });
});

test("the policy coach counts an open problem that was muted", async () => {
  const { report, coach, store, ask, id, workspace, clock } = await worldWithMail();
  for (let day = 1; day <= 25; day++)
    for (const reporter of ["google.com", "microsoft.com"]) await report(day, { reporter, sources: [ownServer] });
  const evidence = { days: { from: 0, to: 0 }, count: 9, total: 20, usual: null, reporters: [] };
  const problem = "fbp_01jd000000000000000000000a";
  await store.write((db) =>
    insertProblem(inWorkspace(db, workspace), {
      id: problem,
      domain_id: id,
      kind: "broken-selector",
      subject: "s1 sender.example",
      level: 0,
      opened_at: clock.nowMs,
      updated_at: clock.nowMs,
      reports: "[]",
      resolved_at: null,
      resolution: null,
      acknowledged_at: null,
      evidence: JSON.stringify({ ...evidence, detail: { ...noDetail, selector: "s1" } }),
    }),
  );
  const isSafe = async () => (await coach()).isSafe;
  expect(await isSafe()).toBe(false);
  expect((await ask("POST", `/api/feedback-problems/${problem}/acknowledge`)).status).toBe(200);
  expect(await isSafe()).toBe(false);
});

test("the policy coach does not recommend a policy because of one unverified reporter", async () => {
  const { report, coach } = await worldWithMail();
  const failing = { ...ownServer, spfAligned: false, spf: [] };
  const unloved = { ...service, messages: 900, spf: [] };
  for (let day = 1; day <= 25; day++) {
    await report(day, { reporter: "attacker.example", sources: [{ ...ownServer, messages: 90_000 }] });
    if (day <= 12) await report(day, { reporter: "google.com", sources: [ownServer, failing, unloved] });
  }
  const json = await coach();
  expect(json).toMatchObject({ reporters: 2, isSafe: false });
  expect(json.reporterList).toEqual([
    { domain: "attacker.example", messages: 2_250_000, passed: 2_250_000, days: 25, isTrusted: false },
    { domain: "google.com", messages: 12_240, passed: 720, days: 12, isTrusted: true },
  ]);
  const found = Object.fromEntries(
    json.criteria.map(({ id, met, says }: { id: string; met: boolean; says: string }) => [id, [met, says]]),
  );
  for (const id of ["days", "reporters", "aligned", "unknown-sources"]) {
    expect(found[id]).toEqual([false, expect.stringMatching(/^Without the reports of attacker\.example: /)]);
  }
  expect(found.reporters[1]).toContain("1 receiver reports.");
  // Two more receivers, none of which decides alone.
  for (let day = 1; day <= 25; day++)
    for (const reporter of ["yahoo.com", "receiver.example"]) await report(day, { reporter, sources: [ownServer] });
  const { criteria } = await coach();
  expect(criteria.filter(({ met }: { met: boolean }) => met).map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining(["days", "reporters"]),
  );
});

test("the owner can mark a source as spoofing, which a strict policy should block", async () => {
  const { ask, id, report, coach } = await worldWithMail();
  const spoofed = { ...service, sourceIp: "203.0.113.9", messages: 900, spf: [] };
  const noise = Array.from({ length: 60 }, (_, number) => ({
    ...spoofed,
    sourceIp: `192.0.${number}.1`,
    messages: 10,
  }));
  for (let day = 1; day <= 25; day++)
    for (const reporter of ["google.com", "microsoft.com"])
      await report(day, { reporter, sources: [ownServer, spoofed, ...noise] });
  const before = await coach();
  const unknown = (json: { criteria: { id: string }[] }) => json.criteria.find((one) => one.id === "unknown-sources");
  expect(before).toMatchObject({ isSafe: false });
  expect(unknown(before)).toMatchObject({ met: false });
  const { key, isNotMine } = before.sources[0];
  expect([key, isNotMine]).toEqual(["network:203.0.113.0/24", false]);
  const mark = (body: object) => ask("POST", `/api/domains/${id}/sources/marks`, { key, ...body });
  expect(await mark({ mark: "ignored", note: "Spam from a hoster" })).toMatchObject({
    status: 200,
    json: { key, mark: "ignored", note: "Spam from a hoster" },
  });
  const marked = await coach();
  expect(marked).toMatchObject({ isSafe: true, lost: before.lost });
  expect(marked.sources[0]).toMatchObject({
    key,
    isNotMine: true,
    state: "unknown",
    failed: 45_000,
    fixes: [{ what: "none", says: "You said that it isn’t yours. The policy is there to stop it." }],
  });
  const { senders } = (await ask("GET", `/api/domains/${id}/sources`)).json;
  expect(senders.find((one: { key: string }) => one.key === key)).toMatchObject({
    mark: "ignored",
    note: "Spam from a hoster",
    needs: "policy",
    says: "You said that it isn’t yours. p=reject asks receivers to reject what fails.",
  });
  expect(await mark({ mark: null })).toMatchObject({ json: { mark: null, note: "Spam from a hoster" } });
  expect(await coach()).toMatchObject({ isSafe: false });
  // What passes is known, whatever a member said.
  await ask("POST", `/api/domains/${id}/sources/marks`, { key: "network:198.51.100.0/24", mark: "ignored" });
  expect((await coach()).sources.find((one: { key: string }) => one.key.includes("198.51"))).toMatchObject({
    isKnown: true,
    isNotMine: false,
  });
});

const twoReporters = ["google.com", "microsoft.com"];
const daysOf = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("the policy coach's sentence", () => {
  async function tell(sources: readonly ReportedSource[], { days = 25, isGenuine = true } = {}) {
    const { report, coach } = await worldWithMail();
    for (const day of daysOf(days))
      for (const reporter of twoReporters) await report(day, { reporter, isGenuine, sources });
    const { says, criteria } = await coach();
    return {
      says,
      criteria: new Map<string, string>(criteria.map((one: { id: string; says: string }) => [one.id, one.says])),
    };
  }

  test("says that the next step is safe when all own mail passes", async () => {
    expect((await tell([ownServer])).says).toBe(
      "p=quarantine (in test mode) is safe to publish next. No reported message fails DMARC.",
    );
  });

  test("names the service that isn't aligned, and what is safe afterwards", async () => {
    const { says } = await tell([
      ownServer,
      { ...service, dkim: [{ domain: "sendgrid.net", selector: "s1", result: "pass" }] },
    ]);
    expect(says).toBe(
      "SendGrid sends 14% of the mail from sender.example and signs with its own domain, and hardly any of it passes DMARC. If it sends for you, turn on domain authentication there. If not, mark it as not yours; then p=quarantine (in test mode) is safe.",
    );
  });

  test("speaks of a service as yours when some of its mail passes", async () => {
    const passing = { ...service, sourceIp: "203.0.113.8", messages: 6, dkimAligned: true };
    const { says } = await tell([ownServer, service, passing]);
    expect(says).toBe(
      "SendGrid sends 21% of your mail, and 500 of its messages fail DMARC: turn on domain authentication there; then p=quarantine (in test mode) is safe.",
    );
  });

  test("counts a forwarder among what looks forwarded", async () => {
    expect((await tell([ownServer, forwarded])).says).toBe(
      "p=quarantine (in test mode) is safe to publish next. It affects 100 messages of the last 30 days, which look forwarded.",
    );
  });

  test("asks whether a network that never passes is yours", async () => {
    const spoofed = { ...service, sourceIp: "192.0.2.66", messages: 40, spf: [] };
    expect((await tell([ownServer, spoofed])).says).toBe(
      "192.0.2.0/24 sends 40% of the mail from sender.example, and hardly any of it passes DMARC. If you don’t know it, mark it as not yours; then p=quarantine (in test mode) is safe. If it is yours, sign its mail with DKIM for sender.example.",
    );
  });

  test("says that reports arrived when none is authenticated", async () => {
    const { says, criteria } = await tell([ownServer], { days: 2, isGenuine: false });
    expect(says).toMatch(/^4 reports arrived, none authenticated, so they don’t count/);
    expect(criteria.get("reporters")).toBe(
      "4 reports arrived, none authenticated, so no receiver counts. At least 2 are needed.",
    );
  });

  test("says why no report has arrived", async () => {
    const { says, criteria } = await tell([], { days: 0 });
    expect(says).toBe("No report has arrived in 30 days. Receivers send one a day once they get mail from the domain.");
    expect(criteria.get("reporters")).toBe("No report has arrived. At least 2 are needed.");
  });
});

test("the policy coach ignores forged reports and counts duplicates once", async () => {
  const { report, coach } = await worldWithMail();
  for (let day = 1; day <= 5; day++) {
    await report(day, { reporter: "google.com", sources: [ownServer] });
    await report(day, { reporter: "google.com", isGenuine: false, sources: [{ ...service, messages: 9_000 }] });
  }
  // Authenticated, but about too few days to count yet.
  await report(1, { reporter: "attacker.example", sources: [{ ...service, messages: 9_000 }] });
  expect(await coach()).toMatchObject({ reports: 11, authenticatedReports: 6, reporters: 1, messages: 300 });
});

test("the policy coach predicts for stored mail what the preview of the same record shows", async () => {
  const { receive, analyzeAll, ask, id, coach, clock, workspace } = await worldWithMail();
  const heard = { clientAddress: "198.51.100.9", mailFrom: "ann@sender.example" };
  for (let number = 0; number < 9; number++) await receive(workspace, null, letter(`Good ${number}`), heard);
  for (let number = 0; number < 3; number++) await receive(workspace, null, letter(`Bad ${number}`));
  while ((await ask("GET", "/api/tests?status=received")).json.items.length > 0) {
    clock.nowMs += 1_000;
    await analyzeAll();
  }
  const { stored, next } = await coach();
  expect(stored).toMatchObject({ seen: 12, passed: 9, failed: 3, unknown: 0, action: "quarantine" });
  expect(stored.record).toBe("v=DMARC1; p=quarantine; rua=mailto:r@seed.example");
  const preview = async (value: string) => {
    const records = [{ name: next.record.name, type: "TXT", values: [value] }];
    const { messages } = (await ask("POST", `/api/domains/${id}/what-if`, { records })).json;
    const actions = messages.changes.map(({ after }: { after: { dmarcAction: string } }) => after.dmarcAction);
    return { seen: messages.seen, quarantined: actions.filter((action: string) => action === "quarantine").length };
  };
  expect(await preview(stored.record)).toEqual({ seen: stored.seen, quarantined: stored.failed });
  // With t=y, the policy isn't in force yet.
  expect(await preview(next.record.value)).toEqual({ seen: stored.seen, quarantined: 0 });
});

test("the policy coach recommends one DMARC record that only asks for reports if there are several", async () => {
  const { coach, ask, internet } = await worldWithMail();
  const txt = ["v=DMARC1; p=none; rua=mailto:r@seed.example", "v=DMARC1; p=reject; sp=reject"];
  internet.zone = {
    ...zone,
    "several.example": zone["sender.example"],
    "_dmarc.several.example": { TXT: txt },
    "org.example": zone["sender.example"],
    "_dmarc.org.example": { TXT: ["v=DMARC1; p=none; sp=quarantine; rua=mailto:r@elsewhere.example"] },
    "news.org.example": zone["sender.example"],
  };
  const coachOf = async (domain: string) => {
    const { id } = (await ask("POST", "/api/domains", { domain })).json;
    return (await ask("GET", `/api/domains/${id}/policy-coach`)).json;
  };
  const several = await coachOf("several.example");
  expect(several).toMatchObject({ policy: null, next: null, ignoredRecords: txt, reportsArriveHere: null });
  expect(several.present.value).toMatch(/^v=DMARC1; p=none; rua=mailto:/);
  expect(several.present.value).not.toContain("reject");
  expect(await coachOf("news.org.example")).toMatchObject({
    recordAt: "org.example",
    inheritedPolicy: "quarantine",
    present: null,
    ignoredRecords: [],
  });
  expect(await coachOf("org.example")).toMatchObject({
    reportsTo: ["mailto:r@elsewhere.example"],
    reportsArriveHere: false,
    isSafe: false,
    npReject: false,
    criteria: expect.arrayContaining([
      expect.objectContaining({ id: "open-problems", met: null }),
      expect.objectContaining({ id: "unknown-sources", met: null }),
    ]),
  });
  expect(await coach()).toMatchObject({ reportsArriveHere: true, inheritedPolicy: null });
});

test("reports don't arrive at an address of a seed domain that this server refuses", async () => {
  const { ask, internet } = await worldWithMail();
  internet.zone = {
    ...zone,
    "typo.example": zone["sender.example"],
    "_dmarc.typo.example": { TXT: ["v=DMARC1; p=none; rua=mailto:rr@seed.example"] },
  };
  const { id } = (await ask("POST", "/api/domains", { domain: "typo.example" })).json;
  const { reportsArriveHere, says } = (await ask("GET", `/api/domains/${id}/policy-coach`)).json;
  expect(reportsArriveHere).toBe(false);
  expect(says).toContain("asks for reports at no seed address of this workspace");
});

test("subdomains with a milder policy are the next step once p=reject is in force", async () => {
  const { internet, report, ask } = await worldWithMail();
  internet.zone = {
    ...zone,
    "_dmarc.sender.example": { TXT: ["v=DMARC1; p=reject; sp=none; rua=mailto:r@seed.example"] },
  };
  const { items } = (await ask("GET", "/api/domains")).json;
  await ask("POST", `/api/domains/${items[0].id}/recheck`);
  for (let day = 1; day < 29; day++)
    for (const reporter of ["google.com", "yahoo.com", "fastmail.com"])
      await report(day, { reporter, sources: [ownServer] });
  const { says, next, isSafe } = (await ask("GET", `/api/domains/${items[0].id}/policy-coach`)).json;
  expect([isSafe, says]).toEqual([true, "sp=quarantine is safe to publish next. No reported message fails DMARC."]);
  expect(next.record.value).toBe("v=DMARC1; p=reject; sp=quarantine; rua=mailto:r@seed.example");
});
