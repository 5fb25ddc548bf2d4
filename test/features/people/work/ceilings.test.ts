import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { countSeedInboxes } from "../../../../src/features/intake/rows/seed-inboxes.ts";
import { createUploadReceiver } from "../../../../src/features/intake/work/receive-upload.ts";
import { createRouter } from "../../../../src/features/intake/work/route-recipient.ts";
import { createSeedInbox } from "../../../../src/features/intake/work/seed-inboxes.ts";
import { parsePlans } from "../../../../src/features/people/rules/plans.ts";
import { createWorkspace } from "../../../../src/features/people/work/workspaces.ts";
import { countKept } from "../../../../src/features/tests/rows/totals.ts";
import { inWorkspace, storeOf } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { message } from "../../../platform/database/nouns.ts";

const system = { now: () => Date.parse("2026-11-21T06:00:00Z"), random: randomBytes };
const seedDomains = ["seed.example"];

function plansOf(file: unknown) {
  const reading = parsePlans(JSON.stringify(file));
  if (!reading.ok) throw new Error(reading.problems.join());
  return reading.plans;
}

const plans = plansOf({ plans: { few: { seedInboxes: 3, testsPerMonth: 2 }, ample: {} }, default: "few" });

const wanted = (name: string, plan: string) => ({ name, plan, seedDomain: "seed.example" });

eachDialect("a plan's limit", (open) => {
  test("a plan's limit is not exceeded by simultaneous requests", async () => {
    const store = await open();
    const { id } = await createWorkspace(store, system, wanted("Ours", "few"));
    const inbox = { localPart: null, domain: null, label: null, plans };
    const tries = Array.from({ length: 8 }, () => createSeedInbox(storeOf(store, id), system, seedDomains, inbox));
    const made = (await Promise.allSettled(tries)).filter(({ status }) => status === "fulfilled");
    expect(made).toHaveLength(2);
    expect(await countSeedInboxes(inWorkspace(store.read, id))).toBe(3);
  });

  test("a plan's limit of tests is not exceeded by simultaneous uploads, and does not affect another workspace", async () => {
    const store = await open();
    const few = await createWorkspace(store, system, wanted("Ours", "few"));
    const ample = await createWorkspace(store, system, wanted("Theirs", "ample"));
    const upload = (workspaceId: string) => {
      const options = { intake: createIntake(store), hasRoom: async () => true, plans, system };
      const receive = createUploadReceiver({ ...options, onReceived() {} });
      const claims = { clientAddress: null, helo: null, mailFrom: null };
      const raw = Buffer.from("Subject: a\r\n\r\n");
      return receive({ workspaceId, label: null, claims }, { mostBytes: raw.length, read: async () => raw });
    };
    for (const { id } of [few, ample]) await Promise.allSettled(Array.from({ length: 6 }, () => upload(id)));
    expect(await countKept(inWorkspace(store.read, few.id))).toBe(2);
    expect(await countKept(inWorkspace(store.read, ample.id))).toBe(6);
  });

  test("a plan's limit of tests that is reached rejects a recipient that was just accepted", async () => {
    const store = await open();
    const { id, seed_address } = await createWorkspace(store, system, wanted("Ours", "few"));
    const route = createRouter({ db: store.read, config: { seedDomains }, catchAll: null, plans, now: system.now });
    const outcome = async () => (await route(seed_address ?? "", "192.0.2.1")).outcome;
    expect(await outcome()).toBe("taken");
    await receive(store, id, "tst_1");
    expect(await outcome()).toBe("taken");
    await receive(store, id, "tst_2");
    expect(await outcome()).toBe("full");
  });
});

async function receive(store: Store, workspaceId: string, testId: string): Promise<void> {
  await createIntake(store).insert([message(testId, { workspaceId, receivedAt: system.now() })]);
}
