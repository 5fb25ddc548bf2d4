import { describe, expect, test } from "vitest";
import { createPayments } from "../../../src/features/billing/work/payments.ts";
import { parsePlans } from "../../../src/features/people/rules/plans.ts";
import { addMember } from "../../http/add-member.ts";
import { type HttpWorldOptions, startHttpWorld } from "../../http/http-world.ts";
import {
  checkoutCompleted,
  sign,
  startPaymentProvider,
  subscriptionChanged,
  webhookSecret,
} from "../../http/payment-provider.ts";

function plansOf(file: unknown) {
  const reading = parsePlans(JSON.stringify(file));
  if (!reading.ok) throw new Error(reading.problems.join());
  return reading.plans;
}

const plans = plansOf({
  plans: {
    free: { label: "Free", seedInboxes: 2, tokens: 3 },
    team: { label: "Team", seedInboxes: 10, stripePriceId: "price_team" },
    firm: { label: "Firm", stripePriceId: "price_firm" },
  },
  default: "free",
});

async function worldOfAnn(options: HttpWorldOptions = {}) {
  const world = await startHttpWorld({ plans, ...options });
  await world.createWorkspace("First");
  world.clock.nowMs += 1;
  const { id: workspace } = await world.createWorkspace("Ours");
  const ann = await addMember(world, workspace, { email: "ann@example.com", role: "owner" });
  const asAnn = { cookie: ann.cookie, workspace };
  const billing = async () => (await world.ask("GET", "/api/billing", asAnn)).json;
  const post = (path: string, body: unknown = {}) => world.ask("POST", `/api/billing/${path}`, { ...asAnn, body });
  return { ...world, workspace, ann, asAnn, billing, post };
}

async function shop(options: { readonly webhookSecret?: string | null } = {}) {
  const provider = await startPaymentProvider();
  const secrets = { secretKey: "sk_test_1", webhookSecret, ...options };
  const world = await worldOfAnn({
    payments: (system) => createPayments({ ...secrets, apiUrl: provider.url, system }),
  });
  const tell = (event: string, signature = sign(event, world.clock.nowMs)) =>
    world.ask("POST", "/api/billing/webhook", {
      body: event,
      headers: { "stripe-signature": signature, "content-type": "application/json; charset=utf-8" },
    });
  const planName = async () => (await world.billing()).plan.name;
  return { ...world, provider, tell, planName };
}

describe("GET /api/billing", () => {
  test("GET /api/billing shows the plan, its limits, the usage, and all plans", async () => {
    const { billing, receive, workspace } = await worldOfAnn();
    await receive(workspace);
    expect(await billing()).toEqual({
      plan: {
        name: "free",
        label: "Free",
        ceilings: {
          testsPerMonth: null,
          domains: null,
          alerts: null,
          seedInboxes: 2,
          tokens: 3,
          members: null,
          workspaces: 1,
        },
        forSale: false,
      },
      use: { testsPerMonth: 1, domains: 0, alerts: 0, seedInboxes: 1, tokens: 1, members: 1, workspaces: 1 },
      configured: false,
      subscription: null,
      plans: [
        expect.objectContaining({ name: "free" }),
        expect.objectContaining({ name: "team", forSale: false }),
        expect.objectContaining({ name: "firm" }),
      ],
    });
  });

  test("GET /api/billing is available to members, who may not buy anything", async () => {
    const { ask, post, workspace, ...world } = await shop();
    const bob = await addMember(world, workspace, { email: "bob@example.com", role: "member" });
    const asBob = { cookie: bob.cookie, workspace };
    expect((await ask("GET", "/api/billing", asBob)).status).toBe(200);
    const asked = { ...asBob, body: { plan: "team" } };
    expect((await ask("POST", "/api/billing/checkout", asked)).status).toBe(403);
    expect((await ask("POST", "/api/billing/portal", asBob)).status).toBe(403);
  });
});

describe("billing without the payment provider's key", () => {
  test.each(["checkout", "portal"])(
    "POST /api/billing/%s returns billing_not_configured for any body and caller",
    async (path) => {
      const { ask, asAnn, issueToken, workspace } = await worldOfAnn();
      for (const scope of ["full", "read"] as const) {
        const { token } = await issueToken(workspace, null, null, { scope, label: null });
        expect((await ask("POST", `/api/billing/${path}`, { token, workspace })).status).toBe(503);
      }
      for (const body of ["{", { nonsense: 1 }, {}]) {
        const { status, json } = await ask("POST", `/api/billing/${path}`, { ...asAnn, body });
        expect(status).toBe(503);
        expect(json.error).toBe("billing_not_configured");
      }
    },
  );

  test("POST /api/billing/webhook returns billing_not_configured", async () => {
    const { ask } = await worldOfAnn();
    const { json } = await ask("POST", "/api/billing/webhook", { body: {} });
    expect(json.error).toBe("billing_not_configured");
  });
});

describe("POST /api/billing/checkout", () => {
  test("POST /api/billing/checkout returns the provider's page for the plan's price", async () => {
    const { post, provider, workspace, base } = await shop();
    const { status, json } = await post("checkout", { plan: "team" });
    expect(status).toBe(200);
    expect(json).toEqual({ url: "https://pay.example/c/1" });
    expect(provider.asked).toHaveLength(1);
    expect(provider.asked[0]).toMatchObject({
      method: "POST",
      path: "/v1/checkout/sessions",
      headers: { authorization: "Bearer sk_test_1" },
      form: {
        mode: "subscription",
        "line_items[0][price]": "price_team",
        "line_items[0][quantity]": "1",
        client_reference_id: workspace,
        "metadata[plan]": "team",
        "subscription_data[metadata][workspace_id]": workspace,
        customer_email: "ann@example.com",
        success_url: `${base}/settings/plan?checkout=done`,
        cancel_url: `${base}/settings/plan?checkout=cancelled`,
      },
    });
  });

  test("POST /api/billing/checkout sends the provider no details of this machine", async () => {
    const { post, provider } = await shop();
    await post("checkout", { plan: "team" });
    await post("checkout", { plan: "team" });
    const told = JSON.stringify(provider.asked.map(({ headers }) => headers));
    expect(told).not.toContain("telemetry");
    expect(decodeURIComponent(told)).not.toContain(process.arch);
  });

  test.each([["free"], ["none"], [7], [undefined]])(
    "POST /api/billing/checkout rejects the plan %j, which is not for sale",
    async (plan) => {
      const { post, provider } = await shop();
      const { status, json } = await post("checkout", { plan });
      expect(status).toBe(400);
      expect(json).toMatchObject({ error: "invalid_request", field: "plan" });
      expect(provider.asked).toEqual([]);
    },
  );

  test("POST /api/billing/checkout returns a conflict for a workspace that already pays", async () => {
    const { post, tell, workspace } = await shop();
    await tell(checkoutCompleted(workspace));
    const { status, json } = await post("checkout", { plan: "firm" });
    expect(status).toBe(409);
    expect(json.message).toContain("billing portal");
  });

  test("POST /api/billing/checkout sends the customer ID of a returning customer", async () => {
    const { post, tell, workspace, provider } = await shop();
    await tell(checkoutCompleted(workspace));
    await tell(subscriptionChanged(workspace, { type: "deleted" }));
    await post("checkout", { plan: "firm" });
    expect(provider.asked[0]?.form).toMatchObject({ customer: "cus_1" });
    expect(provider.asked[0]?.form).not.toHaveProperty("customer_email");
  });

  test("POST /api/billing/checkout shows no secret if the provider rejects, and logs the reason", async () => {
    const { post, provider, lines } = await shop();
    provider.next.status = 401;
    provider.next.body = { error: { type: "invalid_request_error", message: "Invalid API Key: sk_test_1" } };
    const { status, json, text } = await post("checkout", { plan: "team" });
    expect(status).toBe(503);
    expect(json.error).toBe("billing_not_configured");
    expect(text).not.toContain("sk_test");
    expect(lines).toContainEqual(expect.objectContaining({ message: "payment provider error" }));
  });

  test("POST /api/billing/checkout asks the client to retry if the provider has an error", async () => {
    const { post, provider } = await shop();
    provider.next.status = 500;
    provider.next.body = { error: { type: "api_error", message: "Oops" } };
    const { status, json, headers } = await post("checkout", { plan: "team" });
    expect(status).toBe(503);
    expect(json.error).toBe("overloaded");
    expect(headers.get("retry-after")).not.toBeNull();
  });
});

test("a payment provider's answer leads only to a web page, and may be any JSON", async () => {
  const { post, provider } = await shop();
  provider.next.body = { id: "cs_1", url: "javascript:alert(1)" };
  expect((await post("checkout", { plan: "team" })).status).toBe(500);
  for (const body of [2, "x", null, []]) {
    provider.next.body = body as never;
    expect((await post("checkout", { plan: "team" })).json.error).toBe("overloaded");
  }
});

test("an unreachable payment provider makes the request retryable", async () => {
  const options = { secretKey: "sk_test_1", webhookSecret, apiUrl: "http://127.0.0.1:1" };
  const { post } = await worldOfAnn({ payments: (system) => createPayments({ ...options, system }) });
  expect((await post("checkout", { plan: "team" })).json.error).toBe("overloaded");
});

describe("POST /api/billing/portal", () => {
  test("POST /api/billing/portal returns the provider's page for this customer", async () => {
    const { post, tell, provider, workspace, base } = await shop();
    await tell(checkoutCompleted(workspace));
    provider.next.body = { id: "bps_1", url: "https://pay.example/p/1" };
    const { status, json } = await post("portal");
    expect(status).toBe(200);
    expect(json).toEqual({ url: "https://pay.example/p/1" });
    expect(provider.asked[0]).toMatchObject({
      path: "/v1/billing_portal/sessions",
      form: { customer: "cus_1", return_url: `${base}/settings/plan` },
    });
  });

  test("POST /api/billing/portal returns a conflict for a workspace that has not paid", async () => {
    const { post, provider } = await shop();
    expect((await post("portal")).json.error).toBe("conflict");
    expect(provider.asked).toEqual([]);
  });
});

describe("POST /api/billing/webhook", () => {
  test("POST /api/billing/webhook assigns the plan of a paid checkout", async () => {
    const { tell, planName, billing, workspace } = await shop();
    const { status, json } = await tell(checkoutCompleted(workspace));
    expect(status).toBe(200);
    expect(json).toEqual({ received: true });
    expect(await planName()).toBe("team");
    expect((await billing()).subscription).toEqual({ status: "active", ends: false });
  });

  test("POST /api/billing/webhook assigns the plan of an unpaid checkout after the payment", async () => {
    const { tell, planName, workspace } = await shop();
    await tell(checkoutCompleted(workspace, { paymentStatus: "unpaid" }));
    expect(await planName()).toBe("free");
    await tell(subscriptionChanged(workspace));
    expect(await planName()).toBe("team");
  });

  test("POST /api/billing/webhook changes the plan with the price, and resets it at the end of the subscription", async () => {
    const { tell, planName, workspace } = await shop();
    await tell(checkoutCompleted(workspace));
    await tell(subscriptionChanged(workspace, { id: "evt_2", price: "price_firm" }));
    expect(await planName()).toBe("firm");
    await tell(subscriptionChanged(workspace, { id: "evt_3", created: 300, type: "deleted" }));
    expect(await planName()).toBe("free");
  });

  test.each([
    ["past_due", "team"],
    ["trialing", "team"],
    ["unpaid", "free"],
    ["paused", "free"],
    ["incomplete_expired", "free"],
    ["something_new", "free"],
  ])("POST /api/billing/webhook handles a subscription that is %s by setting the plan %s", async (status, plan) => {
    const { tell, planName, workspace } = await shop();
    await tell(checkoutCompleted(workspace));
    await tell(subscriptionChanged(workspace, { status }));
    expect(await planName()).toBe(plan);
  });

  test("POST /api/billing/webhook applies a repeated event once", async () => {
    const { tell, planName, workspace, lines } = await shop();
    await tell(checkoutCompleted(workspace));
    await tell(subscriptionChanged(workspace, { id: "evt_2", type: "deleted" }));
    await tell(checkoutCompleted(workspace));
    expect(await planName()).toBe("free");
    expect(lines.filter(({ message }) => message === "plan changed")).toHaveLength(2);
  });

  test("POST /api/billing/webhook applies the newest of reordered events", async () => {
    const { tell, planName, workspace } = await shop();
    await tell(subscriptionChanged(workspace, { id: "evt_2", created: 300, price: "price_firm" }));
    await tell(subscriptionChanged(workspace, { id: "evt_1", created: 200, price: "price_team" }));
    await tell(checkoutCompleted(workspace, { created: 100 }));
    expect(await planName()).toBe("firm");
  });

  test("POST /api/billing/webhook keeps a new subscription when an old one ends", async () => {
    const { tell, planName, workspace } = await shop();
    await tell(checkoutCompleted(workspace, { id: "evt_1", created: 100, subscription: "sub_new" }));
    await tell(subscriptionChanged(workspace, { type: "deleted", created: 200, subscription: "sub_old" }));
    expect(await planName()).toBe("team");
  });

  test("POST /api/billing/webhook does not restore a subscription that has ended", async () => {
    const { tell, planName, workspace } = await shop();
    await tell(subscriptionChanged(workspace, { id: "evt_1", created: 200, type: "deleted" }));
    await tell(subscriptionChanged(workspace, { id: "evt_2", created: 200 }));
    expect(await planName()).toBe("free");
  });

  test("POST /api/billing/webhook finds the workspace of a subscription that does not name it", async () => {
    const { tell, planName, workspace } = await shop();
    await tell(checkoutCompleted(workspace));
    await tell(subscriptionChanged(null, { price: "price_firm" }));
    expect(await planName()).toBe("firm");
  });

  test("POST /api/billing/webhook ignores an unknown plan or price and logs it", async () => {
    const { tell, planName, workspace, lines } = await shop();
    await tell(checkoutCompleted(workspace));
    expect((await tell(subscriptionChanged(workspace, { price: "price_unknown" }))).status).toBe(200);
    expect(await planName()).toBe("team");
    expect(lines).toContainEqual(expect.objectContaining({ level: "error" }));
  });

  test.each([
    [
      "an event of another kind",
      JSON.stringify({ id: "evt_1", type: "invoice.paid", created: 1, data: { object: {} } }),
    ],
    ["an event of an unknown workspace", checkoutCompleted("wsp_unknown")],
    ["an event of an unknown customer", subscriptionChanged(null)],
    [
      "an event without a subscription",
      JSON.stringify({ id: "evt_1", type: "checkout.session.completed", created: 1, data: { object: {} } }),
    ],
  ])("POST /api/billing/webhook accepts and ignores %s", async (_what, event) => {
    const { tell, planName } = await shop();
    expect((await tell(event)).status).toBe(200);
    expect(await planName()).toBe("free");
  });

  test("POST /api/billing/webhook rejects an unsigned event", async () => {
    const { tell, planName, workspace, clock } = await shop();
    const event = checkoutCompleted(workspace);
    const wrong = [
      "",
      "nonsense",
      sign(event, clock.nowMs, "whsec_other"),
      sign(`${event} `, clock.nowMs),
      sign(event, clock.nowMs - 600_000),
    ];
    for (const signature of wrong) {
      const { status, json } = await tell(event, signature);
      expect(status).toBe(400);
      expect(json.error).toBe("invalid_request");
    }
    expect(await planName()).toBe("free");
  });

  test.each([
    ["not JSON"],
    ["null"],
    ["[]"],
    ['"text"'],
    ["{}"],
    ['{"id":"evt_1","type":"checkout.session.completed"}'],
    [checkoutCompleted("wsp_1").replace('"created":100', '"created":1e400')],
    [checkoutCompleted("wsp_1").replace('"id":"evt_checkout"', '"id":7')],
  ])("POST /api/billing/webhook answers the signed body %s with 200 or 400, never a server error", async (body) => {
    const { tell } = await shop();
    expect([200, 400]).toContain((await tell(body)).status);
  });

  test("POST /api/billing/webhook returns billing_not_configured without the webhook's secret", async () => {
    const { tell, workspace } = await shop({ webhookSecret: null });
    expect((await tell(checkoutCompleted(workspace))).json).toMatchObject({
      error: "billing_not_configured",
      message: expect.stringContaining("ASSAY_STRIPE_WEBHOOK_SECRET"),
    });
  });
});

test("a paying workspace is deleted once its subscription ends automatically", async () => {
  const { ask, tell, workspace, ann } = await shop();
  await tell(checkoutCompleted(workspace));
  const remove = () => ask("DELETE", `/api/workspaces/${workspace}`, { cookie: ann.cookie });
  expect((await remove()).json.error).toBe("conflict");
  await tell(subscriptionChanged(workspace, { ends: true }));
  expect((await remove()).status).toBe(204);
});

describe("a plan's limit returns plan_limit", () => {
  test("a plan's limit returns plan_limit for seed addresses", async () => {
    const { ask, asAnn } = await worldOfAnn();
    const create = () => ask("POST", "/api/seed-inboxes", asAnn);
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 402, 402]);
    const { json } = await create();
    expect(json).toEqual({
      error: "plan_limit",
      message: "The Free plan's limit for seed inboxes has been reached (seedInboxes: 2).",
    });
  });

  test("a plan's limit on tokens returns plan_limit, and expired tokens do not count", async () => {
    const { ask, asAnn, clock } = await worldOfAnn();
    const issue = (expiresAt?: string) =>
      ask("POST", "/api/tokens", { ...asAnn, body: { name: "another", expiresAt } });
    expect((await issue("2026-11-21T07:00:00Z")).status).toBe(201);
    expect((await issue()).status).toBe(201);
    expect((await issue()).json).toMatchObject({ error: "plan_limit", message: expect.stringContaining("tokens") });
    clock.nowMs += 3_600_000;
    expect((await issue()).status).toBe(201);
  });

  test("a plan's limit on uploaded tests returns plan_limit until the next month, even if tests are deleted", async () => {
    const few = plansOf({ plans: { few: { testsPerMonth: 2 } }, default: "few" });
    const { ask, asAnn, receive, workspace, clock } = await worldOfAnn({ plans: few });
    const upload = () =>
      ask("POST", "/api/tests/upload", {
        ...asAnn,
        body: Buffer.from("Subject: Hello\r\n\r\nHi.\r\n"),
        headers: { "content-type": "message/rfc822" },
      });
    const received = await receive(workspace);
    const answers = await Promise.all([upload(), upload(), upload()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 402, 402]);
    expect((await upload()).json).toMatchObject({
      error: "plan_limit",
      message: expect.stringContaining("testsPerMonth"),
    });
    await ask("DELETE", `/api/tests/${received}`, asAnn);
    expect((await upload()).status).toBe(402);
    clock.nowMs = Date.parse("2026-12-01T00:00:00Z");
    expect((await upload()).status).toBe(201);
  });
});
