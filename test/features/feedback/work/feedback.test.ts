// Sixty days of a domain's reports, complaints, and bounces, received and analyzed as by SMTP. Each planted problem
// raises one alert with the counts of the files. FEEDBACK_PROOF=full replays more seeds.

import { describe, expect, test } from "vitest";
import { claimedSession } from "../../../../src/analyzer/mail/session/session.ts";
import type { FeedbackProblemData } from "../../../../src/features/alerts/rules/alert-event.ts";
import { evaluateDue } from "../../../../src/features/feedback/work/evaluate-feedback.ts";
import { receiveMessage } from "../../../../src/features/intake/work/receive-message.ts";
import { serveOrThrow } from "../../../../src/platform/work/serve-row.ts";
import { type HttpWorld, openHttpWorld } from "../../../http/http-world.ts";
import { type Arrival, type Model, makeArrivals, modelDomain, type Planted, toModelZone } from "./model.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const start = Date.UTC(2026, 5, 1);
const isFull = process.env.FEEDBACK_PROOF === "full";
const seeds = isFull ? [1, 2, 3, 4] : [1];
const minute = 60_000;

type Told = { readonly at: number; readonly problem: FeedbackProblemData["problem"] };

async function replay(model: Model) {
  const world = await openHttpWorld();
  try {
    world.internet.zone = toModelZone();
    world.clock.nowMs = model.start;
    const workspace = await world.createWorkspace("Shop");
    const { token } = await world.issueToken(workspace.id);
    const asked = { token, workspace: workspace.id };
    const added = await world.ask("POST", "/api/domains", { ...asked, body: { domain: modelDomain } });
    expect(added.status).toBe(201);
    const alert = { label: "Ops", kind: "json", url: "https://hooks.example/x", events: ["feedback.problem"] };
    expect((await world.ask("POST", "/api/alerts", { ...asked, body: alert })).status).toBe(201);
    const arrivals = makeArrivals(model);
    const end = model.start + (model.days + 2) * dayMs;
    let next = 0;
    for (let hour = model.start; hour < end; hour += hourMs) {
      const batch: Arrival[] = [];
      for (let one = arrivals[next]; one !== undefined && one.at < hour; one = arrivals[++next]) batch.push(one);
      for (const one of batch) await receive(world, workspace.id, one);
      world.clock.nowMs = hour;
      // As the hourly chore, which finds nothing to do in the other hours.
      if (batch.length === 0 && hour % dayMs !== 0) continue;
      await world.analyzeAll();
      await evaluateDue(
        { ...world, config: { seedDomains: ["seed.example"] } },
        new AbortController().signal,
        serveOrThrow,
      );
    }
    const rows = await world.store.read
      .selectFrom("alert_events")
      .select(["created_at", "payload"])
      .where("type", "=", "feedback.problem")
      .orderBy("id")
      .execute();
    const told = rows.map(
      ({ created_at, payload }): Told => ({
        at: created_at,
        problem: (JSON.parse(payload) as FeedbackProblemData).problem,
      }),
    );
    const listed = await world.ask("GET", "/api/feedback-problems?state=all&limit=100", asked);
    expect(listed.json.total).toBe(new Set(told.map(({ problem }) => problem.id)).size);
    return { told, arrivals };
  } finally {
    await world.close();
  }
}

async function receive(world: HttpWorld, workspaceId: string, { at, raw, session }: Arrival) {
  world.clock.nowMs = at;
  const address = "reports@seed.example";
  const heard = {
    ...claimedSession({ ...session, rcptTo: [address] }),
    door: { kind: "smtp" },
    clientPort: 25_000,
    protocol: "ESMTP",
    dataStartedAt: at,
    dataEndedAt: at + 1,
  } as const;
  const recipients = [{ workspaceId, seedInboxId: null, label: null, address }];
  await receiveMessage({ raw, session: heard, recipients }, world.intake, world.system);
}

const planted: Planted = isFull
  ? {
      newSource: { from: 24, to: 30, passes: false },
      brokenSelector: { from: 34, to: 38 },
      tlsFailure: { from: 43, to: 45 },
      complaints: { day: 50, count: 40 },
      bounces: { day: 55, count: 30 },
    }
  : {
      newSource: { from: 15, to: 17, passes: true },
      brokenSelector: { from: 19, to: 20 },
      tlsFailure: { from: 20, to: 21 },
      complaints: { day: 22, count: 40 },
      bounces: { day: 23, count: 30 },
    };
const days = isFull ? 60 : 25;

// Counts of the files alone, read without the product's parsers.

type FileRow = { readonly day: number; readonly reporter: string; readonly text: string };

function rowsOf({ day, reporter, text }: Arrival): FileRow[] {
  return text
    .split("<record>")
    .slice(1)
    .map((record) => ({ day, reporter, text: record }));
}

function sumFiles(arrivals: readonly Arrival[], { at, problem }: Told, isCounted: (record: string) => boolean) {
  const { from, to, reporters } = problem.evidence;
  const named = new Set(reporters.map(({ reporter }) => reporter));
  const seen = new Set<string>();
  let sum = 0;
  for (const one of arrivals) {
    const id = `${one.reporter} ${one.day}`;
    const isInside = one.day >= Date.parse(from) && one.day <= Date.parse(to);
    if (one.kind !== "dmarc" || one.at >= at || !isInside || !named.has(one.reporter) || seen.has(id)) continue;
    seen.add(id);
    for (const { text } of rowsOf(one)) if (isCounted(text)) sum += Number(/<count>(\d+)<\/count>/.exec(text)?.[1]);
  }
  return sum;
}

function sumTls(arrivals: readonly Arrival[], { at, problem }: Told) {
  const { from, to } = problem.evidence;
  const inside = arrivals.filter(
    (one) => one.kind === "tls" && one.at < at && one.day >= Date.parse(from) && one.day <= Date.parse(to),
  );
  const sum = (name: string) =>
    inside.reduce(
      (total, { text }) => total + Number(new RegExp(`"total-${name}-session-count":(\\d+)`).exec(text)?.[1]),
      0,
    );
  return { count: sum("failure"), total: sum("failure") + sum("successful") };
}

function countNotices(arrivals: readonly Arrival[], kind: Arrival["kind"], { at, problem }: Told) {
  const { from, to } = problem.evidence;
  return arrivals.filter(
    (one) => one.kind === kind && one.at < at && one.day >= Date.parse(from) && one.day <= Date.parse(to),
  ).length;
}

function one(told: readonly Told[], kind: string, state: string): Told {
  const found = told.filter(({ problem }) => problem.kind === kind && problem.state === state);
  expect(found.map(({ problem }) => problem.title)).toHaveLength(1);
  return found[0] as Told;
}

describe("a domain's feedback over sixty days", () => {
  test.for(seeds)(
    "a domain's feedback over sixty days raises one alert per planted problem, with the counts of the files: seed %i",
    { timeout: 10 * minute },
    async (seed) => {
      const { told, arrivals } = await replay({ start, days, seed, planted });
      if (isFull) console.log(told.map(toLine).join("\n"));
      const dayOf = ({ at }: Told) => Math.floor((at - start) / dayMs);

      const source = one(told, "new-source", "open");
      expect(source.problem.evidence.detail).toMatchObject({ source: "Mailgun", addresses: ["203.0.113.200"] });
      expect(source.problem.evidence.count).toBe(
        sumFiles(arrivals, source, (text) => text.includes("<source_ip>203.0.113.200<")),
      );
      expect(source.problem.evidence.detail.passed).toBe(planted.newSource?.passes ? source.problem.evidence.count : 0);
      expect(dayOf(source)).toBe((planted.newSource?.from ?? 0) + 1);

      const selector = one(told, "broken-selector", "open");
      const isSigned = (text: string) => text.includes("<selector>em1</selector>");
      const isFailed = (text: string) => /<selector>em1<\/selector><result>fail/.test(text);
      expect(selector.problem.evidence).toMatchObject({
        count: sumFiles(arrivals, selector, (text) => isSigned(text) && isFailed(text)),
        detail: { selector: "em1", dkimDomain: modelDomain },
      });
      expect(dayOf(selector)).toBe((planted.brokenSelector?.from ?? 0) + 1);
      one(told, "broken-selector", "resolved");

      const tls = one(told, "tls-failures", "open");
      expect(tls.problem.evidence).toMatchObject(sumTls(arrivals, tls));
      expect(tls.problem.evidence.detail.failures[0]).toMatchObject({
        resultType: "certificate-expired",
        mxHost: "mx1.shop.example",
      });

      const complaints = told.filter(({ problem }) => problem.kind === "complaint-rate" && problem.state === "open");
      const thresholds = complaints.map(({ problem }) => problem.evidence.detail.threshold);
      expect([[0.001, 0.003], [0.003], [0.001]]).toContainEqual(thresholds);
      for (const each of complaints)
        expect(each.problem.evidence.count).toBe(countNotices(arrivals, "complaint", each));

      const bounces = one(told, "bounce-class-jump", "open");
      expect(bounces.problem.evidence.count).toBe(countNotices(arrivals, "bounce", bounces));
      expect(bounces.problem.evidence.detail.bounceClass).toBe("user_unknown");

      const open = told.filter(({ problem }) => problem.state === "open");
      expect(open).toHaveLength(4 + complaints.length);
    },
  );

  test.runIf(isFull).for(seeds)(
    "a domain's feedback over sixty days raises no alert without a problem: seed %i",
    { timeout: 10 * minute },
    async (seed) => {
      const { told } = await replay({ start, days: 60, seed: seed + 100, planted: {} });
      expect(told.map(toLine)).toEqual([]);
    },
  );

  test.runIf(isFull)(
    "a domain's feedback over sixty days raises an alert when reports stop and when they resume",
    { timeout: 10 * minute },
    async () => {
      const { told } = await replay({ start, days: 45, seed: 7, planted: { silence: { from: 28, to: 36 } } });
      one(told, "reports-stopped", "open");
      one(told, "reports-stopped", "resolved");
      expect(told).toHaveLength(2);
    },
  );
});

function toLine({ at, problem }: Told): string {
  return `day ${((at - start) / dayMs).toFixed(1)}: ${problem.kind} ${problem.state}: ${problem.title} | ${problem.says.join(" ")}`;
}
