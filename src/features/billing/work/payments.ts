// The payment provider (Stripe). Only this file knows its API. The library is large and most servers do not sell plans,
// so it is loaded on first use. Its telemetry is turned off.

import type Stripe from "stripe";
import { parseJsonObject } from "../../../analyzer/json.ts";
import { messageOf, overloaded, Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { toLimitedFetch } from "../../../platform/system/oauth-failure.ts";
import type { System } from "../../../platform/system/system.ts";
import { parseHttpUrl } from "../../../platform/system/target-guard.ts";

type Checkout = {
  readonly workspaceId: string;
  readonly plan: string;
  readonly priceId: string;
  /** Null for new customers. */
  readonly customerId: string | null;
  /** The buyer's address; null if unknown. */
  readonly email: string | null;
  /** Where to return after checkout. */
  readonly returnUrl: string;
};

/** A subscription's state, read from an event. */
export type PaymentEvent = {
  readonly id: string;
  /** Event time, with a resolution of one second. */
  readonly at: number;
  readonly subscriptionId: string;
  readonly customerId: string;
  /** From the checkout's metadata; null if the subscription was not started here. */
  readonly workspaceId: string | null;
  readonly status: string;
  readonly ends: boolean;
  /** The plan's name at checkout, the price IDs in later events. */
  readonly bought: { readonly plan: string } | { readonly priceIds: readonly string[] };
};

export type Payments = {
  /** Returns the URL of the hosted checkout page. */
  readonly createCheckout: (checkout: Checkout) => Promise<string>;
  /** Returns the URL of the hosted page where customers change or cancel their subscription. */
  readonly createPortal: (customerId: string, returnUrl: string) => Promise<string>;
  /** Null: the event is not about a plan. Refuses events without a valid signature. */
  readonly readEvent: (raw: Uint8Array, signature: string | null) => Promise<PaymentEvent | null>;
};

type PaymentOptions = {
  readonly secretKey: string;
  readonly webhookSecret: string | null;
  /** Null: Stripe's own. */
  readonly apiUrl: string | null;
  readonly system: Terms;
};

type Terms = Pick<System, "now" | "log" | "fetchOperator">;

const retries = 1;

/** Null if no key is set. */
export function openPayments(
  config: Pick<Config, "stripeSecretKey" | "stripeWebhookSecret" | "stripeApiUrl">,
  system: Terms,
): Payments | null {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiUrl: apiUrl } = config;
  return secretKey === null ? null : createPayments({ secretKey, webhookSecret, apiUrl, system });
}

export function createPayments(options: PaymentOptions): Payments {
  let loaded: Promise<Stripe> | undefined;
  const client = () => {
    loaded ??= loadClient(options);
    return loaded;
  };
  const ask = async (asked: (stripe: Stripe) => Promise<{ readonly url: string | null }>) => {
    const { url } = await asked(await client()).catch((error: unknown) => {
      throw toRefusal(error, options);
    });
    if (!parseHttpUrl(url ?? "").ok) throw new Error("The payment provider returned a page without a URL.");
    return url ?? "";
  };
  return {
    createCheckout: (checkout) => ask((stripe) => stripe.checkout.sessions.create(toSession(checkout))),
    createPortal: (customer, returnUrl) =>
      ask((stripe) => stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })),
    readEvent: async (raw, signature) => {
      const { webhookSecret, system } = options;
      if (webhookSecret === null)
        throw new Refusal("billing_not_configured", "ASSAY_STRIPE_WEBHOOK_SECRET is not set on this server.");
      const { webhooks } = await client();
      try {
        const bytes = Buffer.from(raw);
        return toPaymentEvent(
          webhooks.constructEvent(bytes, signature ?? "", webhookSecret, undefined, undefined, system.now()),
        );
      } catch {
        throw new Refusal("invalid_request", "The signature is missing, invalid, or too old.");
      }
    },
  };
}

/** With our limits. The library has none for the length of a response, and never ends if its JSON is no object. */
function toStripeFetch({ fetchOperator }: Terms): typeof fetch {
  const ask = toLimitedFetch(fetchOperator, {});
  return async (url, { method = "GET", headers, body } = {}) => {
    const given = Object.fromEntries(new Headers(headers));
    const response = await ask(String(url), { method, headers: given, body: String(body ?? ""), redirect: "manual" });
    if (parseJsonObject(await response.clone().text()) === null) throw new Error("The response is not JSON.");
    return response;
  };
}

async function loadClient({ secretKey, apiUrl, system }: PaymentOptions): Promise<Stripe> {
  const { Stripe: Client } = await import("stripe");
  const address = apiUrl === null ? null : new URL(apiUrl);
  return new Client(secretKey, {
    telemetry: false,
    httpClient: Client.createFetchHttpClient(toStripeFetch(system)),
    maxNetworkRetries: retries,
    ...(address && {
      protocol: address.protocol === "http:" ? ("http" as const) : ("https" as const),
      host: address.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: address.port || (address.protocol === "http:" ? 80 : 443),
    }),
  });
}

function toSession(checkout: Checkout): Stripe.Checkout.SessionCreateParams {
  const { workspaceId, plan, priceId, customerId, email, returnUrl } = checkout;
  const metadata = { workspace_id: workspaceId, plan };
  return {
    mode: "subscription",
    line_items: [{ price: priceId, quantity: 1 }],
    client_reference_id: workspaceId,
    metadata,
    subscription_data: { metadata },
    success_url: `${returnUrl}?checkout=done`,
    cancel_url: `${returnUrl}?checkout=cancelled`,
    ...(customerId !== null && { customer: customerId }),
    ...(customerId === null && email !== null && { customer_email: email }),
  };
}

/** Distinguishes Stripe's errors from wrong settings. Details go only to the log. */
function toRefusal(error: unknown, { system }: PaymentOptions): Refusal {
  const { type, statusCode, detail } = error as { type?: string; statusCode?: number; detail?: unknown };
  system.log.error("payment provider error", {
    type: String(type),
    status: statusCode ?? null,
    problem: messageOf(detail ?? error),
  });
  const isTheirs = statusCode === undefined || statusCode === 429 || statusCode >= 500;
  return isTheirs
    ? overloaded("The payment provider is not responding")
    : new Refusal(
        "billing_not_configured",
        "The payment provider rejected this server's settings. The server's log has details.",
      );
}

/** The account's API version determines the event format. Unexpected formats are ignored. */
function toPaymentEvent(event: Stripe.Event): PaymentEvent | null {
  if (textOf(event.id) === null || !Number.isSafeInteger(event.created)) return null;
  const object = event.data.object as unknown as Record<string, unknown>;
  const metadata = (object.metadata ?? {}) as Record<string, unknown>;
  const shared = { id: event.id, at: event.created * 1_000, customerId: idOf(object.customer) ?? "" };
  switch (event.type) {
    case "checkout.session.completed": {
      const subscriptionId = idOf(object.subscription);
      if (object.mode !== "subscription" || subscriptionId === null) return null;
      const status = object.payment_status === "unpaid" ? "incomplete" : "active";
      const bought = { plan: String(metadata.plan) };
      const workspaceId = textOf(object.client_reference_id);
      return { ...shared, subscriptionId, workspaceId, status, ends: false, bought };
    }
    case "customer.subscription.updated":
    case "customer.subscription.deleted": {
      const isDeleted = event.type === "customer.subscription.deleted";
      const items = (object.items as { data?: { price?: { id?: unknown } }[] } | undefined)?.data ?? [];
      return {
        ...shared,
        subscriptionId: String(object.id),
        workspaceId: textOf(metadata.workspace_id),
        status: isDeleted ? "canceled" : String(object.status),
        ends: object.cancel_at_period_end === true || typeof object.cancel_at === "number",
        bought: { priceIds: items.flatMap(({ price }) => textOf(price?.id) ?? []) },
      };
    }
    default:
      return null;
  }
}

/** Stripe sends either an ID or the expanded object. */
function idOf(value: unknown): string | null {
  return textOf(value) ?? textOf((value as { id?: unknown } | null | undefined)?.id);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function paymentsOf({ payments }: { readonly payments: Payments | null }): Payments {
  if (payments === null)
    throw new Refusal(
      "billing_not_configured",
      "This server has no payment provider. Set ASSAY_STRIPE_SECRET_KEY to enable billing.",
    );
  return payments;
}
