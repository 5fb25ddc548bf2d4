// What a caller wants of a new or changed alert, checked: where it sends, and what the service there needs.

import type { z } from "zod";
import { readEmail } from "../../../platform/contract/emails.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { changeAlert, createAlert } from "../contract/alerts.ts";
import type { AlertPreset, PresetCredentials } from "../rules/alert-event.ts";
import { presets, readNtfyTopic, toTelegramUrl } from "../rules/presets.ts";

/** As typed. A Telegram bot's token becomes part of its URL. */
type GivenCredentials = NonNullable<WantedAlert["credentials"]>;
export type WantedAlert = z.output<typeof createAlert.body>;
export type AlertChanges = z.output<typeof changeAlert.body>;

/** `url`: not validated yet. `address`: set for an email. */
export type Target = {
  readonly url: string;
  readonly address: string | null;
  readonly credentials: PresetCredentials | null;
};

type Asked = Pick<WantedAlert, "kind" | "url" | "preset" | "credentials">;

export function readTarget(
  { kind, url, preset = null, credentials = {} }: Asked,
  seedDomains: readonly string[],
): Target {
  if (preset !== null && kind !== "json") throw invalid("preset", '"preset" is only for webhooks of kind json.');
  if (kind === "email") return readAddress(url, seedDomains);
  if (preset === null) return { url: requireUrl(url), address: null, credentials: null };
  return { address: null, ...readPreset(preset, url, credentials) };
}

function readAddress(url: string | undefined, seedDomains: readonly string[]): Target {
  const address = readEmail(requireUrl(url).replace(/^mailto:/i, ""));
  if (address === undefined || /[^\0-\x7f]/.test(address))
    throw new Refusal("invalid_email", '"url" must be an email address like mailto:ann@example.com.', { field: "url" });
  if (seedDomains.includes(address.slice(address.lastIndexOf("@") + 1)))
    throw new Refusal(
      "invalid_email",
      "Alerts can't be sent to a seed address, because each of them would become a test.",
      { field: "url" },
    );
  return { url: `mailto:${address}`, address, credentials: null };
}

function readPreset(preset: AlertPreset, url: string | undefined, given: GivenCredentials) {
  if (preset === "ntfy") {
    const target = readNtfyUrl(requireUrl(url));
    const token = given.token === undefined ? {} : { token: requireText(given, "token", /^[\x21-\x7e]{1,200}$/) };
    return { url: target.server, credentials: { topic: target.topic, ...token } };
  }
  if (preset === "telegram") {
    const server = url ?? presets.telegram.url ?? "";
    if (/[?#]/.test(server))
      throw new Refusal("invalid_url", "The URL of a Telegram server has no query and no fragment.", { field: "url" });
    const botToken = requireText(given, "botToken", /^\d{1,20}:[\w-]{20,100}$/);
    const chatId = requireText(given, "chatId", /^(?:-?\d{1,20}|@\w{1,64})$/);
    return { url: toTelegramUrl(server, botToken), credentials: { chatId } };
  }
  if (preset === "pagerduty") {
    const routingKey = requireText(given, "routingKey", /^[0-9A-Za-z]{32}$/);
    return { url: url ?? presets.pagerduty.url ?? "", credentials: { routingKey } };
  }
  const target = requireUrl(url);
  if (preset === "teams") refuseConnector(target);
  return { url: target, credentials: {} };
}

/** The URLs of Office 365 connectors, which Microsoft has retired. A workflow takes their place. */
function refuseConnector(url: string): void {
  const { hostname = "", pathname = "" } = URL.parse(url) ?? {};
  if (!/^outlook\.office(?:365)?\.com$/.test(hostname) || !pathname.startsWith("/webhook/")) return;
  throw new Refusal(
    "invalid_url",
    "This is the URL of an Office 365 connector, which no longer works. In Teams, open the channel's Workflows, choose the template that posts to a channel when a webhook request is received, and use the URL that it creates.",
    { field: "url" },
  );
}

function readNtfyUrl(url: string) {
  const target = URL.canParse(url) ? readNtfyTopic(url) : null;
  if (target === null)
    throw new Refusal("invalid_url", "The URL of an ntfy topic ends in its name, like https://ntfy.sh/mytopic.", {
      field: "url",
    });
  return target;
}

function requireUrl(url: string | undefined): string {
  if (url === undefined) throw new Refusal("invalid_url", '"url" is required.', { field: "url" });
  return url;
}

const forms: Readonly<Record<keyof GivenCredentials, string>> = {
  token: "an access token without spaces",
  botToken: "the token that BotFather gave you, like 123456:ABC-DEF",
  chatId: "a number, or the @name of a channel",
  routingKey: "the 32 characters of an Events API v2 integration key",
};

function requireText(given: GivenCredentials, field: keyof GivenCredentials, form: RegExp): string {
  const text = given[field]?.trim() ?? "";
  if (!form.test(text)) throw invalid("credentials", `"credentials.${field}" must be ${forms[field]}.`);
  return text;
}

function invalid(field: string, problem: string): Refusal {
  return new Refusal("invalid_request", problem, { field });
}
