// GET /api/tests/:id/rehearsal, and the workspace's setting.

import { describe, expect, test } from "vitest";
import { addAttempt, insertRehearsal } from "../../../src/features/rehearsal/rows.ts";
import type { Attempt } from "../../../src/features/rehearsal/rules/attempt.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { startHttpWorld } from "../../http/http-world.ts";

const tag = "probe-greylist";

async function openWorld() {
  const world = await startHttpWorld();
  const { store, clock } = world;
  const workspace = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace.id);
  const asked = { token, workspace: workspace.id };
  const testId = await world.receive(workspace.id, tag);
  const otherId = await world.receive(workspace.id, "plain");
  const keys = { content_key: "c", message_key: null, body_key: "b", subject_key: null, sender: "" };
  const row = { ...keys, test_id: testId, address: "x@seed.example", tag, expects: "again" } as const;
  await store.write((db) =>
    insertRehearsal(inWorkspace(db, workspace.id), { ...row, attempts: 0, last_at: clock.nowMs }),
  );
  const add = (attempt: Attempt) => store.write((db) => addAttempt(inWorkspace(db, workspace.id), testId, { attempt }));
  await add({
    kind: "message",
    at: clock.nowMs,
    address: "192.0.2.1",
    helo: "<b>x</b>",
    tls: null,
    special: null,
    testId,
    likeness: null,
    outcome: "deferred",
    reply: { code: 451, lines: ["4.7.1 a", "4.7.1 b"] },
    because: "probe",
    waitedMs: 5,
    hungUp: false,
    finding: null,
  });
  const read = async (id: string) => await world.ask("GET", `/api/tests/${id}/rehearsal`, asked);
  return { ...world, asked, testId, otherId, add, read };
}

describe("GET /api/tests/:id/rehearsal", () => {
  test("GET /api/tests/:id/rehearsal returns each attempt with the reply as sent, and what it shows about the sender", async () => {
    const { read, testId, clock } = await openWorld();
    clock.nowMs += 60_000;
    const { status, json } = await read(testId);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      asked: null,
      rehearsal: {
        tag,
        kind: "probe",
        firstTestId: testId,
        attempts: [{ reply: ["451-4.7.1 a", "451 4.7.1 b"], helo: "<b>x</b>", outcome: "deferred" }],
        behavior: [{ id: "queue.not-yet", says: "Not sent again yet: 1 minute since it was deferred." }],
      },
    });
  });

  test("GET /api/tests/:id/rehearsal is found from a later test of the same rehearsal too", async () => {
    const { read, add, testId, otherId, clock } = await openWorld();
    await add({
      kind: "message",
      at: clock.nowMs,
      address: null,
      helo: null,
      tls: null,
      special: null,
      testId: otherId,
      likeness: "message-id",
      outcome: "accepted",
      reply: null,
      because: "finished",
      waitedMs: 1,
      hungUp: false,
      finding: null,
    });
    expect((await read(otherId)).json.rehearsal).toMatchObject({ firstTestId: testId });
  });

  test("GET /api/tests/:id/rehearsal returns null for an ordinary test", async () => {
    const { read, otherId } = await openWorld();
    expect((await read(otherId)).json).toEqual({ asked: null, rehearsal: null });
  });

  test("GET /api/tests/:id/rehearsal is deleted with its test", async () => {
    const { read, testId, ask, asked } = await openWorld();
    await ask("DELETE", `/api/tests/${testId}`, asked);
    expect((await read(testId)).status).toBe(404);
  });
});
