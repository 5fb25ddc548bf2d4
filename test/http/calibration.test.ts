import { describe, expect, test } from "vitest";
import type { Provider } from "../../src/placement/provider.ts";
import { providers } from "../../src/placement/provider.ts";
import { weightsVersion } from "../../src/placement/weights-table.ts";
import { insertObservations, type Observed } from "../store/observations.ts";
import { addMember } from "./add-member.ts";
import { worldWithCaller } from "./interface-world.ts";

const likelySpam = { folder: "spam", odds: { inbox: 0.25, promotions: 0, spam: 0.75, rejected: 0 } } as const;
const november = Date.parse("2026-11-20T12:00:00.000Z");
const october = Date.parse("2026-10-31T23:59:59.999Z");

async function open() {
  const world = await worldWithCaller();
  const { ask, store, workspace, receive } = world;
  const seeded = { workspaceId: workspace, testId: await receive(), seenAt: november };
  const testId = await receive();
  return {
    ...world,
    testId,
    see: (times: number, observed: Partial<Observed> = {}) =>
      store.write((db) => insertObservations(db, { ...seeded, ...observed }, times)),
    ofProvider: async (provider: Provider) =>
      (await ask("GET", "/api/calibration")).json.providers.find(
        (one: { provider: string }) => one.provider === provider,
      ),
    put: (provider: string, shift: unknown) => ask("PUT", `/api/calibration/${provider}`, { shift }),
  };
}

/** Far more of it was seen in spam than was foretold: 30 of 40, where 1 in 10 was. */
async function openShiftable() {
  const world = await open();
  await world.see(30, { folder: "spam" });
  await world.see(10);
  return world;
}

describe("GET /api/calibration", () => {
  test("lists every provider without a figure where nothing was seen, and says how many are lacking", async () => {
    const { ask } = await open();
    const { status, json } = await ask("GET", "/api/calibration");
    expect(status).toBe(200);
    expect(json.providers.map(({ provider }: { provider: string }) => provider)).toEqual(providers);
    expect(json.providers[0]).toEqual({
      ...{ provider: "gmail", observations: 0, needed: 20, months: [], suggested: null, shift: null },
      ...{ confusion: null, hitRate: null, brier: null, reliability: null },
      notSuggested: "Not enough data: 0 of 20 observations predicted with the current weights.",
    });
  });

  test("shows no figure of 19 observations, and one of 20", async () => {
    const { see, ofProvider } = await open();
    await see(19);
    expect(await ofProvider("gmail")).toMatchObject({ observations: 19, hitRate: null, brier: null });
    await see(1);
    expect(await ofProvider("gmail")).toMatchObject({ observations: 20, hitRate: { value: 1 } });
  });

  test("tells each month apart, in UTC and the newest first", async () => {
    const { see, ofProvider } = await open();
    await see(20, { seenAt: october });
    await see(5);
    const { observations, months } = await ofProvider("gmail");
    expect(observations).toBe(25);
    expect(months).toMatchObject([
      { month: "2026-11", observations: 5, hitRate: null },
      { month: "2026-10", observations: 20, hitRate: { value: 1 } },
    ]);
  });

  test("counts only what was predicted, separately for each provider", async () => {
    const { see, ofProvider } = await open();
    await see(20, { provider: "yahoo", predicted: likelySpam });
    await see(3, { provider: "yahoo", predicted: null });
    const yahoo = await ofProvider("yahoo");
    expect(yahoo).toMatchObject({ observations: 20, hitRate: { value: 0 } });
    expect(yahoo.confusion.spam).toEqual({ inbox: 20, promotions: 0, spam: 0 });
    expect(yahoo.brier.spam).toEqual({ value: 0.5625, baseRate: 0 });
    expect(await ofProvider("gmail")).toMatchObject({ observations: 0 });
  });

  test("suggests a shift with its effect, and sets none", async () => {
    const { ofProvider } = await openShiftable();
    const { suggested, notSuggested, shift } = await ofProvider("gmail");
    expect(suggested.shift).toBeGreaterThan(2);
    expect(suggested.observations).toBe(40);
    expect(suggested.brier.after).toBeLessThan(suggested.brier.before);
    expect([notSuggested, shift]).toEqual([null, null]);
  });

  test("suggests the same while a shift is in force that is in the newer odds already", async () => {
    const { ofProvider, put, see } = await openShiftable();
    const { suggested } = await ofProvider("gmail");
    await put("gmail", suggested.shift);
    const odds = 1 / (1 + Math.exp(-(Math.log(0.1 / 0.9) + suggested.shift)));
    const spam = Math.round(odds * 1_000) / 1_000;
    const predicted = {
      folder: "spam",
      odds: { inbox: 1 - spam, promotions: 0, spam, rejected: 0 },
    } as const;
    const weights = `${weightsVersion} gmail+${suggested.shift.toFixed(2)}`;
    await see(30, { folder: "spam", predicted, weights });
    await see(10, { predicted, weights });
    const after = await ofProvider("gmail");
    // Twice as many say it, so that less is held back; far from twice the shift.
    const now = after.suggested?.shift ?? suggested.shift;
    expect(Math.abs(now - suggested.shift)).toBeLessThan(0.3);
  });
});

describe("a shift of a provider", () => {
  test("is set by an owner, shown with who set it and when, and taken back", async () => {
    const world = await openShiftable();
    const { workspace, askAs, ask, ofProvider } = world;
    const owner = await addMember(world, workspace, { email: "ann@people.example", role: "owner" });
    const { status, json } = await askAs("PUT", "/api/calibration/gmail", {
      ...{ token: owner.token, workspace, body: { shift: 0.404 } },
    });
    const shift = {
      value: 0.4,
      observations: 40,
      setAt: expect.stringMatching(/^2026-11-21T06:00/),
      setBy: owner.userId,
    };
    expect([status, json]).toEqual([200, shift]);
    expect((await ofProvider("gmail")).shift).toEqual(shift);
    expect((await ask("DELETE", "/api/calibration/gmail")).status).toBe(204);
    expect((await ofProvider("gmail")).shift).toBeNull();
    expect((await ask("DELETE", "/api/calibration/gmail")).status).toBe(404);
  });

  test("is no member's to set or to take back, who may look", async () => {
    const world = await openShiftable();
    const { workspace, askAs } = world;
    const { token } = await addMember(world, workspace, { email: "bob@people.example", role: "member" });
    const asked = { token, workspace, body: { shift: 0.4 } };
    expect((await askAs("GET", "/api/calibration", { token, workspace })).status).toBe(200);
    for (const method of ["PUT", "DELETE"])
      expect((await askAs(method, "/api/calibration/gmail", asked)).json.error).toBe("forbidden");
  });

  test("takes 20 observations, predicted with today's weights", async () => {
    const { see, put } = await open();
    await see(19);
    await see(5, { weights: "an earlier version" });
    const { status, json } = await put("gmail", 0.4);
    expect([status, json.error]).toEqual([409, "conflict"]);
    expect(json.message).toContain("there are 19");
    await see(1);
    expect((await put("gmail", 0.4)).status).toBe(200);
  });

  test.each([3.01, -3.01, 0, 0.004, "0.4", null, 1e308])("is not %j", async (shift) => {
    const { put, ofProvider } = await openShiftable();
    const { status, json } = await put("gmail", shift);
    expect([status, json.error, json.field]).toEqual([400, "invalid_request", "shift"]);
    expect((await ofProvider("gmail")).shift).toBeNull();
  });

  test.each(["nobody", "imap:ann@seed.example", "GMAIL", "__proto__"])(
    "is of no provider %s",
    async (name) => {
      const { put, ask } = await openShiftable();
      expect((await put(encodeURIComponent(name), 0.4)).status).toBe(404);
      expect((await ask("DELETE", `/api/calibration/${encodeURIComponent(name)}`)).status).toBe(404);
    },
  );

  test("is of its workspace alone", async () => {
    const { put, askAs, createWorkspace, issueToken } = await openShiftable();
    await put("gmail", 0.4);
    const { id: workspace } = await createWorkspace("Theirs");
    const { token } = await issueToken(workspace);
    const { json } = await askAs("GET", "/api/calibration", { token, workspace });
    expect(json.providers[0]).toMatchObject({ observations: 0, shift: null });
    expect((await askAs("DELETE", "/api/calibration/gmail", { token, workspace })).status).toBe(404);
  });
});

describe("a shift in force", () => {
  type Row = {
    provider: string;
    reasons: { text: string; points: number }[];
    predicted: { odds: { spam: number } };
  };
  async function openShifted(value: number) {
    const world = await openShiftable();
    const { ask, testId, analyzeAll } = world;
    await analyzeAll();
    const read = async () => toGmail((await ask("GET", `/api/tests/${testId}`)).json);
    const before = await read();
    await world.put("gmail", value);
    return { ...world, before, read };
  }
  const toGmail = (report: { placement_results: Row[] }) => {
    const row = report.placement_results.find(({ provider }) => provider === "gmail");
    if (!row) throw new Error("Something is predicted of Gmail.");
    return { spam: row.predicted.odds.spam, row, report };
  };
  const reason = { text: "Shifted by -2, based on 40 of your own observations.", points: -2 };

  test("changes no report that is there, and is in the next one: odds, reasons and the name of the weights", async () => {
    const { before, read, ask, testId } = await openShifted(-2);
    expect((await read()).row).toEqual(before.row);
    expect(before.row.predicted).toMatchObject({ weights: weightsVersion });
    await ask("POST", `/api/tests/${testId}/reanalyze?dns=recorded`);
    const { spam, row, report } = await read();
    expect(spam).toBeLessThan(before.spam);
    expect(row.reasons).toContainEqual(expect.objectContaining(reason));
    expect(row.predicted).toMatchObject({ weights: `${weightsVersion} gmail-2.00` });
    const [others, othersBefore] = [report, before.report].map(({ placement_results }) =>
      placement_results.filter(({ provider }) => provider !== "gmail"),
    );
    expect(others).toEqual(othersBefore);
  });

  test("is in the first report of new mail, and gone from the one after it was taken back", async () => {
    const { receive, analyzeAll, ask } = await openShifted(-2);
    const id = await receive();
    await analyzeAll();
    const shifted = toGmail((await ask("GET", `/api/tests/${id}`)).json);
    expect(shifted.row.reasons).toContainEqual(expect.objectContaining(reason));
    await ask("DELETE", "/api/calibration/gmail");
    await ask("POST", `/api/tests/${id}/reanalyze`);
    const published = toGmail((await ask("GET", `/api/tests/${id}`)).json);
    expect(published.spam).toBeGreaterThan(shifted.spam);
    expect(JSON.stringify(published.row)).not.toContain("Shifted by");
  });

  test("is in what would be with other records", async () => {
    const { ask, testId } = await openShifted(-2);
    const records = [{ name: "sender.example", type: "TXT", values: ["v=spf1 -all"] }];
    const { json } = await ask("POST", `/api/tests/${testId}/what-if`, { records });
    expect(toGmail(json).row.reasons).toContainEqual(expect.objectContaining(reason));
  });
});
