// A payment provider on loopback that notes what it is asked, and signs events as the true one does.

import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export type AskedOfProvider = {
  readonly method: string;
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

export const webhookSecret = "whsec_test";

export async function startPaymentProvider() {
  const asked: AskedOfProvider[] = [];
  /** What it answers next, until told otherwise. */
  const next = { status: 200, body: { id: "cs_1", url: "https://pay.example/c/1" } as object };
  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    asked.push({ method: request.method ?? "", path: request.url ?? "", form, headers: request.headers });
    response.writeHead(next.status, { "content-type": "application/json" }).end(JSON.stringify(next.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, next };
}

export function sign(body: string, nowMs: number, secret = webhookSecret): string {
  const seconds = Math.floor(nowMs / 1_000);
  const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${signature}`;
}

type Event = { readonly id: string; readonly created: number; readonly type: string; readonly object: object };

function toEvent({ id, created, type, object }: Event): string {
  return JSON.stringify({ id, object: "event", created, type, data: { object } });
}

export function checkoutCompleted(
  workspaceId: string,
  { id = "evt_checkout", created = 100, plan = "team", subscription = "sub_1", paymentStatus = "paid" } = {},
): string {
  const metadata = { workspace_id: workspaceId, plan };
  const paid = { mode: "subscription", customer: "cus_1", subscription, payment_status: paymentStatus };
  const object = { id: "cs_1", client_reference_id: workspaceId, metadata, ...paid };
  return toEvent({ id, created, type: "checkout.session.completed", object });
}

export function subscriptionChanged(
  workspaceId: string | null,
  {
    id = "evt_subscription",
    created = 200,
    type = "updated",
    subscription = "sub_1",
    status = "active",
    price = "price_team",
    ends = false,
  } = {},
): string {
  const metadata = workspaceId === null ? {} : { workspace_id: workspaceId };
  const items = { data: [{ price: { id: price } }] };
  const object = { id: subscription, customer: "cus_1", metadata, status, items, cancel_at_period_end: ends };
  return toEvent({ id, created, type: `customer.subscription.${type}`, object });
}
