// A monitor whose settings can't be read, as after a change by hand, beside those of other workspaces.

import { expect, test } from "vitest";
import { createExpectedWatcher } from "../../../../src/features/monitors/work/expected.ts";
import { startHttpWorld } from "../../../http/http-world.ts";

const hourMs = 3_600_000;
const body = { name: "Backup", schedule: { type: "interval", everyMinutes: 60 }, match: { label: "backup" } };

async function openWorld(workspaces: number) {
  const world = await startHttpWorld();
  const members = [];
  for (let index = 0; index < workspaces; index++) {
    const { id } = await world.createWorkspace(`Workspace ${index}`);
    const { token } = await world.issueToken(id);
    const asked = { token, workspace: id };
    const { json } = await world.ask("POST", "/api/monitors/expected", { ...asked, body });
    members.push({ ...asked, monitor: json.id as string });
  }
  const [bad, ...others] = members;
  if (!bad) throw new Error("There is no workspace.");
  await world.store.write((db) =>
    db.updateTable("monitors").set({ terms: "not JSON" }).where("id", "=", bad.monitor).execute(),
  );
  const watch = () => createExpectedWatcher({ ...world, publish: world.events.publish });
  return { ...world, bad, others, watch };
}

test("a monitor that can't be judged leaves those of 21 other workspaces judged, and its page says why", async () => {
  const { ask, bad, others, watch, clock, lines } = await openWorld(22);
  clock.nowMs += 2 * hourMs;
  const watcher = watch();
  await watcher.untilIdle();
  for (const { monitor, ...asked } of others)
    expect((await ask("GET", `/api/monitors/${monitor}`, asked)).json).toMatchObject({
      state: "down",
      reason: { code: "missing" },
    });
  const { monitor, ...asked } = bad;
  const says = "Can't be judged: Its settings can't be read. Delete it and create it again.";
  const shown = { state: "down", reason: { code: "unclear", says } };
  expect((await ask("GET", `/api/monitors/${monitor}`, asked)).json).toMatchObject(shown);
  expect((await ask("GET", "/api/monitors", asked)).json.items).toMatchObject([shown]);
  for (let hour = 0; hour < 3; hour++) {
    clock.nowMs += hourMs;
    await watcher.untilIdle();
  }
  expect(lines.filter(({ level }) => level === "error")).toMatchObject([{ fields: { row: monitor } }]);
  expect((await ask("DELETE", `/api/monitors/${monitor}`, asked)).status).toBe(204);
});

test("a monitor that can't be judged is judged again once it can be read", async () => {
  const { ask, bad, watch, clock, store } = await openWorld(1);
  clock.nowMs += 2 * hourMs;
  await watch().untilIdle();
  const { monitor, ...asked } = bad;
  const { name: _, ...rest } = body;
  const match = { ...nothing, ...rest.match };
  const terms = JSON.stringify({ ...rest, match, graceMinutes: 30, minCount: 1, alertOnOtherWords: true });
  await store.write((db) => db.updateTable("monitors").set({ terms }).execute());
  clock.nowMs += hourMs;
  await watch().untilIdle();
  const { json } = await ask("GET", `/api/monitors/${monitor}`, asked);
  expect(json).toMatchObject({ state: "down", reason: { code: "missing" } });
});

const nothing = {
  inboxId: null,
  label: null,
  sender: null,
  subjectContains: null,
  subjectLacks: null,
  textContains: null,
};

test("messages of a workspace are analyzed although one of its monitors can't be read", async () => {
  const { ask, bad, receive, analyzeAll } = await openWorld(1);
  const id = await receive(bad.workspace);
  await analyzeAll();
  expect((await ask("GET", `/api/tests/${id}`, bad)).json.status).toBe("analyzed");
});
