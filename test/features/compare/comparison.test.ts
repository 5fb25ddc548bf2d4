import { describe, expect, test } from "vitest";
import type { JobThread } from "../../../src/features/tests/analysis/job-thread.ts";
import { encodeReport } from "../../../src/features/tests/rows/reports.ts";
import { startHttpWorld } from "../../http/http-world.ts";

const allowed = { "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] } };
const forbidden = { "sender.example": { TXT: ["v=spf1 -all"] } };
const letter = (subject: string, body: string) =>
  Buffer.from(`From: ann@sender.example\r\nSubject: ${subject}\r\n\r\n${body}\r\n`);

async function worldWithTests(options: Parameters<typeof startHttpWorld>[0] = {}) {
  const world = await startHttpWorld(options);
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  world.internet.zone = allowed;
  const first = await world.receive(workspace, null, letter("One", "Hi."));
  world.clock.nowMs += 1_000;
  const second = await world.receive(workspace, null, letter("Two", "Hello."));
  const ask = async (path: string, method = "GET", as = { token, workspace }) => {
    world.clock.nowMs += 1_000;
    return await world.ask(method, `/api/tests/${path}`, as);
  };
  return { ...world, workspace, first, second, ask };
}

describe("GET /api/tests/:id/compare/:other", () => {
  test("GET /api/tests/:id/compare/:other compares a test with its own past: DNS answers then and now", async () => {
    const { ask, analyzeAll, internet, first } = await worldWithTests();
    await analyzeAll();
    internet.zone = forbidden;
    await ask(`${first}/reanalyze`, "POST");
    const [now, then] = (await ask(`${first}/reports`)).json.items;
    const { status, json } = await ask(`${first}/compare/${first}?report=${then.analyzed_at}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      before: { test_id: first, analyzed_at: then.analyzed_at },
      after: { test_id: first, analyzed_at: now.analyzed_at },
      causes: ["dns"],
      mail: [],
      infrastructure: [],
    });
    expect(json.dns).toEqual([
      {
        name: "sender.example",
        type: "TXT",
        before: { status: "answered", records: ["v=spf1 ip4:192.0.2.1 -all"], records_left_out: 0 },
        after: { status: "answered", records: ["v=spf1 -all"], records_left_out: 0 },
        says: "The TXT record for sender.example changed from “v=spf1 ip4:192.0.2.1 -all” to “v=spf1 -all”.",
      },
    ]);
    expect(json.says).toContain("SPF changed from pass to fail.");
    expect(json.findings.added.length).toBeGreaterThan(0);
    expect(json.scores[0]).toMatchObject({ of: "composite", before: then.composite, after: now.composite });
  });

  test("GET /api/tests/:id/compare/:other compares two tests by their messages, with the other test as the earlier one", async () => {
    const { ask, analyzeAll, first, second } = await worldWithTests();
    await analyzeAll();
    const { json } = await ask(`${second}/compare/${first}`);
    expect(json.causes).toEqual(["mail"]);
    expect(json.mail.map(({ says }: { says: string }) => says)).toEqual([
      "The subject changed from “One” to “Two”.",
      "The body changed.",
    ]);
    expect((await ask(`${first}/compare/${first}`)).json.says).toEqual(["No relevant changes."]);
  });

  test("GET /api/tests/:id/compare/:other rejects what cannot be compared, with the reason", async () => {
    const { ask, analyzeAll, store, first, second } = await worldWithTests();
    expect(await ask(`${second}/compare/${first}`)).toMatchObject({ status: 409 });
    await analyzeAll();
    const noSuch = await ask(`${second}/compare/${first}?report=2026-01-01T00:00:00Z`);
    expect(noSuch).toMatchObject({ status: 404, json: { message: "The other test has no report from that time." } });
    expect(await ask(`${second}/compare/${first}?report=yesterday`)).toMatchObject({
      status: 400,
      json: { field: "report" },
    });
    const report = encodeReport(JSON.stringify({ subject: "of an earlier program" }));
    await store.write((db) => db.updateTable("reports").set({ report }).where("test_id", "=", first).execute());
    expect(await ask(`${second}/compare/${first}`)).toMatchObject({ status: 409 });
    expect((await ask(`${first}/reports`)).json.items).toEqual([]);
  });

  test("GET /api/tests/:id/compare/:other returns not_found for another workspace's test on either side", async () => {
    const { ask, analyzeAll, createWorkspace, issueToken, receive, first } = await worldWithTests();
    const { id: workspace } = await createWorkspace("Theirs");
    const { token } = await issueToken(workspace);
    const theirs = await receive(workspace, null, letter("Three", "Hey."));
    await analyzeAll();
    const nowhere = `tst_${"0".repeat(26)}`;
    const answers = await Promise.all(
      [`${first}/compare/${theirs}`, `${theirs}/compare/${first}`, `${first}/compare/${nowhere}`].map((path) =>
        ask(path),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await ask(`${theirs}/compare/${theirs}`, "GET", { token, workspace })).status).toBe(200);
  });
});

describe("GET /api/tests/:id/reports", () => {
  test("GET /api/tests/:id/reports lists for each report what changed since the previous one", async () => {
    const { ask, analyzeAll, internet, first } = await worldWithTests();
    await analyzeAll();
    await ask(`${first}/reanalyze?dns=recorded`, "POST");
    internet.zone = forbidden;
    await ask(`${first}/reanalyze`, "POST");
    await ask(`${first}/reanalyze?kind=bulk`, "POST");
    const { items } = (await ask(`${first}/reports`)).json;
    expect(items.map(({ changed }: { changed: { causes: string[] } | null }) => changed?.causes)).toEqual([
      ["circumstances"],
      ["dns"],
      [],
      undefined,
    ]);
    expect(items[1].changed.says).toContain("SPF changed from pass to fail.");
    expect(items[2].changed.says).toEqual(["No relevant changes."]);
  });
});

describe("GET /api/tests/:id/compare/:other/causes", () => {
  const complete = Buffer.from(
    "From: ann@sender.example\r\nTo: bob@seed.example\r\nSubject: One\r\nMessage-ID: <1@sender.example>\r\n" +
      "Date: Sat, 21 Nov 2026 06:00:00 +0000\r\n\r\nHi.\r\n",
  );
  const others = {
    "_dmarc.sender.example": { TXT: ["v=DMARC1; p=none"] },
    "1.2.0.192.in-addr.arpa": { PTR: ["mail.sender.example"] },
    "mail.sender.example": { A: ["192.0.2.1"] },
  };
  const shouting = letter("WIN A FREE PRIZE NOW!!!", "CLICK HERE http://192.0.2.9/win NOW!!! 100% FREE!!!");

  test("GET /api/tests/:id/compare/:other/causes attributes all points to DNS between two reports of one message", async () => {
    const { ask, analyzeAll, receive, workspace, internet } = await worldWithTests();
    internet.zone = { ...allowed, ...others };
    const first = await receive(workspace, null, complete);
    await analyzeAll();
    internet.zone = { ...forbidden, ...others };
    await ask(`${first}/reanalyze`, "POST");
    const [now, then] = (await ask(`${first}/reports`)).json.items;
    const { status, json } = await ask(`${first}/compare/${first}/causes?report=${then.analyzed_at}`);
    expect(status).toBe(200);
    const [before, after] = [Math.round(then.composite), Math.round(now.composite)];
    expect(before).toBeGreaterThan(after);
    expect(json).toEqual({ before, after, causes: [{ cause: "dns", points: after - before }] });
  });

  test("GET /api/tests/:id/compare/:other/causes splits a change between message and DNS, and the points add up", async () => {
    const { ask, analyzeAll, receive, workspace, internet, first, clock } = await worldWithTests();
    await analyzeAll();
    internet.zone = forbidden;
    clock.nowMs += 60_000;
    const third = await receive(workspace, null, shouting);
    await analyzeAll();
    const { json } = await ask(`${third}/compare/${first}/causes`);
    const points = new Map<string, number>(
      json.causes.map(({ cause, points }: { cause: string; points: number }) => [cause, points]),
    );
    expect([...points.keys()].sort()).toEqual(["dns", "mail"]);
    expect([...points.values()].reduce((sum, share) => sum + share, 0)).toBe(json.after - json.before);
    expect([...points.values()].every((share) => share < 0)).toBe(true);
  });

  test("GET /api/tests/:id/compare/:other/causes leaves out causes without effect", async () => {
    const { ask, analyzeAll, first, second } = await worldWithTests();
    await analyzeAll();
    expect((await ask(`${second}/compare/${first}/causes`)).json.causes).toEqual([]);
  });

  test("GET /api/tests/:id/compare/:other/causes is not computed in the thread that shows messages", async () => {
    const asked: string[] = [];
    const askedThread: JobThread = {
      warmUp: async () => {},
      run: async ({ kind }) => {
        asked.push(kind);
        return { outcome: "stalled", during: "" };
      },
      close: async () => {},
    };
    const { ask, analyzeAll, first, second } = await worldWithTests({ askedThread });
    await analyzeAll();
    expect((await ask(`${second}/compare/${first}/causes`)).status).toBe(200);
    expect(asked).toEqual([]);
  });

  test("GET /api/tests/:id/compare/:other/causes rejects a test without a report", async () => {
    const { ask, first, second } = await worldWithTests();
    expect(await ask(`${second}/compare/${first}/causes`)).toMatchObject({ status: 409 });
  });
});
