// The section about the sender's behavior in a report, and the setting.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addAttempt, insertRehearsal } from "../../src/features/rehearsal/rows.ts";
import type { Attempt } from "../../src/features/rehearsal/rules/attempt.ts";
import { inWorkspace } from "../../src/platform/database/scope.ts";
import { expectUsableByEveryone } from "./axe.ts";
import { addReader, hasBrowser, type Look, openWebWorld, soon, type WebWorld } from "./web-world.ts";

const mail = Buffer.from("From: a@sender.example\r\nTo: b@seed.example\r\nSubject: Your receipt\r\n\r\nHello\r\n");

describe.skipIf(!hasBrowser)("rehearsals in the app", () => {
  let world: WebWorld;
  beforeAll(async () => {
    world = await openWebWorld();
  });
  afterAll(() => world.closeAll());

  async function openReport(label: string, look: Look = {}) {
    const reader = await addReader(world);
    const testId = await world.receive(reader.workspaceId, label, mail);
    await world.analyzeAll();
    const scoped = <T>(work: (scope: ReturnType<typeof inWorkspace>) => Promise<T>) =>
      world.store.write((db) => work(inWorkspace(db, reader.workspaceId)));
    const keys = { content_key: "c", message_key: null, body_key: "b", subject_key: null, sender: "" };
    const at = world.clock.nowMs - 600_000;
    const client = { address: "192.0.2.1", helo: "<img src=x onerror=alert(1)>", tls: "TLSv1.3" };
    const deferred: Attempt = {
      kind: "message",
      at,
      ...client,
      special: null,
      testId,
      likeness: null,
      outcome: "deferred",
      reply: { code: 451, lines: ["4.7.1 Assay sender probe: send this message again later.", "4.7.1 Report: x"] },
      because: "probe",
      waitedMs: 5,
      hungUp: false,
      finding: null,
    };
    await scoped((scope) =>
      insertRehearsal(scope, {
        ...keys,
        test_id: testId,
        address: "w7k3qz2m9p+probe-bad-cert@seed.example",
        tag: "probe-bad-cert",
        expects: "again",
        attempts: 0,
        last_at: at,
      }),
    );
    await scoped((scope) => addAttempt(scope, testId, { attempt: deferred }));
    await scoped((scope) =>
      addAttempt(scope, testId, {
        attempt: { kind: "connection", at: at + 300_000, ...client, special: "bad-cert", reached: "handshake" },
      }),
    );
    const page = await world.openPage(reader.cookie, look);
    await page.goto(`${world.base}/tests/${testId}#sender`);
    await soon(() => page.locator("#sender li").count()).toBeGreaterThan(0);
    return { page, testId };
  }

  test("rehearsals in the app show every attempt and the observed behavior in a report", async () => {
    const { page } = await openReport("probe-bad-cert");
    const section = page.locator("#sender");
    expect(await section.getByRole("heading").first().innerText()).toBe("Sender behavior");
    expect(await section.innerText()).toContain("Refused a self-signed certificate for another name.");
    expect(await section.innerText()).toContain("Not sent again yet: 5 minutes");
    expect(await section.innerText()).toContain("<img src=x onerror=alert(1)>");
    expect(await section.locator("tbody tr").count()).toBe(2);
    await expectUsableByEveryone(page);
  });

  test("rehearsals in the app are missing in a report of an ordinary address", async () => {
    const reader = await addReader(world);
    const id = await world.receive(reader.workspaceId, "welcome", mail);
    await world.analyzeAll();
    const page = await world.openPage(reader.cookie);
    await page.goto(`${world.base}/tests/${id}`);
    await soon(() => page.locator("h1.verdict").count()).toBe(1);
    expect(await page.locator("#sender").count()).toBe(0);
  });

  test("rehearsals in the app say why a message was not rehearsed", async () => {
    const reader = await addReader(world);
    const id = await world.receive(reader.workspaceId, "as-gmail", mail);
    await world.store.write((db) =>
      db.updateTable("tests").set({ seed_inbox_id: "sdi_1" }).where("id", "=", id).execute(),
    );
    await world.analyzeAll();
    const page = await world.openPage(reader.cookie);
    await page.goto(`${world.base}/tests/${id}#sender`);
    await soon(() => page.locator("#sender").innerText()).toContain("not turned on for public listeners");
  });

  test("rehearsals in the app are turned on for public listeners by an owner", async () => {
    const reader = await addReader(world);
    const page = await world.openPage(reader.cookie);
    await page.goto(`${world.base}/settings/receiving#rehearsals`);
    await page.getByRole("radio", { name: /^On Also/ }).check();
    await page.getByRole("region", { name: "Rehearsals" }).getByRole("button", { name: "Save" }).click();
    await soon(() => page.getByText("Rehearsal setting saved.").count()).toBe(1);
    await page.reload();
    await soon(() => page.getByRole("radio", { name: /^On Also/ }).isChecked()).toBe(true);
    await expectUsableByEveryone(page);
  });
});
