import { describe, expect, test } from "vitest";
import { decodeReport, encodeReport } from "../../../../src/features/tests/rows/reports.ts";
import { startHttpWorld } from "../../../http/http-world.ts";

const letter = Buffer.from(
  "From: Ann <ann@sender.example>\r\nTo: bob@mail.example\r\nSubject: Friday\r\n\r\nSee you soon.\r\n",
);

async function open() {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const ask = (method: string, path: string, body?: object) =>
    world.ask(method, path, { token, workspace, ...(body && { body }) });
  const receive = async (label: string | null = null) => {
    world.clock.nowMs += 1_000;
    const id = await world.receive(workspace, label ?? undefined, letter);
    await world.analyzeAll();
    return (await ask("GET", `/api/tests/${id}`)).json;
  };
  return { ...world, ask, receive };
}

describe("kind rules", () => {
  test("kind rules decide the kind of later mail until they are deleted", async () => {
    const { ask, receive } = await open();
    expect((await receive()).kind).toBe("personal");
    const made = await ask("POST", "/api/kind-rules", { match: "from-domain", value: "Sender.Example", kind: "bulk" });
    expect(made).toMatchObject({ status: 201, json: { match: "from-domain", value: "sender.example", kind: "bulk" } });
    const test = await receive();
    expect(test).toMatchObject({ kind: "bulk", kind_detail: { source: "rule", low_confidence: false } });
    expect(test.kind_detail.reasons[0].text).toContain("sender.example");
    const said = await ask("POST", `/api/tests/${test.id}/reanalyze?dns=recorded&kind=transactional`);
    expect(said.json).toMatchObject({ kind: "transactional", kind_detail: { source: "person" } });
    expect((await ask("DELETE", `/api/kind-rules/${made.json.id}`)).status).toBe(204);
    expect((await ask("DELETE", `/api/kind-rules/${made.json.id}`)).status).toBe(404);
    expect((await receive()).kind).toBe("personal");
  });

  test("kind rules are unique per sender or label", async () => {
    const { ask } = await open();
    for (const kind of ["bulk", "personal"])
      await ask("POST", "/api/kind-rules", { match: "label", value: "Welcome", kind });
    const { items } = (await ask("GET", "/api/kind-rules")).json;
    expect(items).toMatchObject([{ match: "label", value: "welcome", kind: "personal" }]);
  });

  test.each([
    ["from", "example.com"],
    ["from-domain", "no domain"],
    ["label", " "],
  ])("kind rules reject an invalid value of %s: %s", async (match, value) => {
    const { ask } = await open();
    const { status, json } = await ask("POST", "/api/kind-rules", { match, value, kind: "bulk" });
    expect([status, json.field]).toEqual([400, "value"]);
  });
});

test("an old report with plain sentences as reasons is still served", async () => {
  const { ask, receive, store, clock } = await open();
  const { id } = await receive();
  clock.nowMs += 1_000; // what was asked within a second is shared
  const [kept] = await store.read.selectFrom("reports").select("report").execute();
  if (!kept) throw new Error("No report is kept.");
  const report = JSON.parse(decodeReport(kept.report));
  const { scoredAs, confidence, scores, source, ...kind } = report.judgment.kind;
  const { alternatives, ...judgment } = report.judgment;
  const earlier = { ...report, judgment: { ...judgment, kind: { ...kind, reasons: ["It has no mark."] } } };
  await store.write((db) =>
    db
      .updateTable("reports")
      .set({ report: encodeReport(JSON.stringify(earlier)) })
      .execute(),
  );
  expect((await ask("GET", `/api/tests/${id}`)).json).toMatchObject({
    kind: "personal",
    kind_detail: {
      reasons: [{ text: "It has no mark.", points: null, kind: "personal" }],
      confidence: null,
      low_confidence: false,
      alternatives: [],
      source: "inferred",
    },
  });
});
