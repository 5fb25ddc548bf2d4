// assay monitor list and show, against a real server.

import { expect, test } from "vitest";
import { run } from "../../../src/commands.ts";
import { insertMonitor, insertRun } from "../../../src/features/monitors/rows/monitors.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { createId } from "../../../src/platform/ids.ts";
import { worldWithCaller } from "../../http/interface-world.ts";
import { testTerminal } from "../../platform/cli/terminal.ts";
import { aCanary } from "./rules/a-canary.ts";

const backup = {
  name: "Nightly backup",
  schedule: { type: "interval", everyMinutes: 60 },
  match: { sender: "backup@*", subjectContains: "OK" },
};
const toRaw = (subject: string) =>
  Buffer.from(`From: backup@corp.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject.length}@x>\r\n\r\nHi.\r\n`);

async function open() {
  const world = await worldWithCaller();
  const assay = async (...argv: string[]) => {
    const terminal = testTerminal({ ASSAY_URL: world.base, ASSAY_TOKEN: world.token });
    const exitCode = await run(["monitor", ...argv], terminal);
    return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
  };
  return { ...world, assay };
}

test("an expected mail monitor is listed and shown with its problem, and sets the exit status", async () => {
  const { ask, receive, analyzeAll, assay, clock } = await open();
  expect(await assay("list", "--fail-if-down")).toMatchObject({ exitCode: 0, output: "No monitors.\n" });
  const { id } = (await ask("POST", "/api/monitors/expected", backup)).json;
  clock.nowMs += 60_000;
  await receive(toRaw("Backup FAILED"));
  await analyzeAll();
  const list = await assay("list");
  expect(list).toMatchObject({ exitCode: 0, complaints: "" });
  expect(list.output).toMatch(
    /^ID +STATE +KIND +OK, 7 DAYS +LAST OK \(UTC\) +NAME\nmon_\w+ +Down +Expected mail +not due yet +never +Nightly backup\n +A message arrived with other words than expected\. Subject: Backup FAILED\n$/,
  );
  expect((await assay("list", "--fail-if-down")).exitCode).toBe(1);
  expect((await assay("show", id, "--fail-if-down")).exitCode).toBe(1);
  expect(JSON.parse((await assay("list", "--json")).output)).toMatchObject([{ id, state: "down" }]);
  const page = (await assay("show", id)).output;
  expect(page).toContain(
    "Expected mail: A message from backup@* and with “OK” in the subject must arrive at least once every hour, with a grace period of 30 minutes.",
  );
  expect(page).toMatch(/State: Down since 2\d{3}-\d\d-\d\d \d\d:\d\d UTC\. Wrong words: A message arrived/);
  expect(page).toMatch(/\n7 days +not due yet +0 +0 +1\n/);
  expect(page).toMatch(/\n\d{4}-\S+ \d\d:\d\d +Wrong words +A message arrived/);
  await ask("PATCH", `/api/monitors/expected/${id}`, { enabled: false });
  expect((await assay("list", "--fail-if-down")).exitCode).toBe(0);
  expect((await assay("list", "--fail-if-down")).output).toMatch(/ Paused +Expected mail/);
  expect(await assay("show", id, "--limit", "51")).toMatchObject({
    exitCode: 2,
    complaints: expect.stringContaining("from 1 to 50"),
  });
  expect(await assay("show", "mon_01hzy00000000000000000000x")).toMatchObject({ exitCode: 4 });
});

test("a canary is shown with its path and delays", async () => {
  const { store, workspace, clock, assay } = await open();
  const { nowMs: now } = clock;
  const id = createId("monitor", now, new Uint8Array(16));
  await store.write(async (db) => {
    const scope = inWorkspace(db, workspace);
    await insertMonitor(scope, {
      id,
      kind: "canary",
      name: "Path",
      relay_id: null,
      enabled: 1,
      terms: JSON.stringify(aCanary(now)),
      state: "up",
      state_since: now,
      problem: null,
      last_ok_at: now,
      next_at: now + 300_000,
      failing: 0,
      usual: null,
      created_at: now,
      due_at: now,
      claimed_by: null,
      claimed_until: null,
      attempts: 0,
    });
    await insertRun(scope, {
      id: createId("monitorRun", now, new Uint8Array(16)),
      monitor_id: id,
      began_at: now,
      expected_by: now,
      ended_at: now,
      outcome: "ok",
      delay_ms: 2_500,
      test_id: null,
      send_id: null,
      accepted_at: null,
      detail: null,
    });
  });
  const { output } = await assay("show", id);
  expect(output).toMatch(
    /^Path\nCanary: Every 5 minutes through this server’s own relay to the active seed inbox, expected back within 1 minute\.\nState: Up since .+ UTC\nLast OK: .+ UTC\nNext: .+ UTC\n/,
  );
  expect(output).toMatch(/\n24 hours +100% +1 +0 +2\.5 s +2\.5 s +2\.5 s\n/);
  expect(output).toMatch(/ OK +2\.5 s +The message arrived in time/);
});
