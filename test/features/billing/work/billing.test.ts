import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { obeyPayment } from "../../../../src/features/billing/work/billing.ts";
import type { PaymentEvent } from "../../../../src/features/billing/work/payments.ts";
import { readPlanName } from "../../../../src/features/people/rows/workspaces.ts";
import { parsePlans } from "../../../../src/features/people/rules/plans.ts";
import { createWorkspace } from "../../../../src/features/people/work/workspaces.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { testSystem } from "../../../test-system.ts";

const { log } = testSystem();
const system = { now: () => 1_000, random: randomBytes, log };

eachDialect("the payment provider's events", (open) => {
  async function shop() {
    const store = await open();
    const reading = parsePlans(JSON.stringify({ plans: { team: { stripePriceId: "price_team" } } }));
    if (!reading.ok) throw new Error(reading.problems.join());
    const { plans } = reading;
    const { id } = await createWorkspace(store, system, { name: "Ours", seedDomain: "seed.example" });
    const tell = (changes: Partial<PaymentEvent>) =>
      obeyPayment(store, system, plans, {
        id: "evt_1",
        at: 1_000,
        subscriptionId: "sub_1",
        customerId: "cus_1",
        workspaceId: id,
        status: "active",
        ends: false,
        bought: { priceIds: ["price_team"] },
        ...changes,
      });
    return { tell, plan: () => readPlanName(inWorkspace(store.read, id)) };
  }

  test("the payment provider's events assign a plan and remove it", async () => {
    const { tell, plan } = await shop();
    await tell({});
    expect(await plan()).toBe("team");
    await tell({ id: "evt_2", at: 2_000, status: "canceled" });
    expect(await plan()).toBe("self-hosted");
  });

  test("the payment provider's events result in the newest state if they arrive together and in any order", async () => {
    const { tell, plan } = await shop();
    const events = [
      { id: "evt_1", at: 1_000 },
      { id: "evt_2", at: 2_000, status: "unpaid" },
      { id: "evt_3", at: 3_000, status: "past_due" },
      { id: "evt_3", at: 3_000, status: "past_due" },
      { id: "evt_4", at: 4_000, status: "unpaid", workspaceId: null },
      { id: "evt_5", at: 5_000 },
    ];
    await tell({ id: "evt_0", at: 0 });
    await Promise.all(events.toReversed().map(tell));
    expect(await plan()).toBe("team");
  });
});
