// Whether people can log in at the issuers of ASSAY_OIDC: what a login needs from them, read as a login reads it.

import { isLoopback } from "../../analyzer/addresses.ts";
import { toPlural } from "../../analyzer/count-words.ts";
import type { FetchOutcome } from "../../analyzer/facts/fetch.ts";
import { type JsonObject, parseJsonObject } from "../../analyzer/json.ts";
import { toVisibleCut } from "../../analyzer/visible-text.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Config } from "../../platform/settings/config.ts";
import type { System } from "../../platform/system/system.ts";
import { createHeading, type DoctorRow, type Examination, type Heading } from "../server/doctor/row.ts";
import { type Issuer, toIssuerKey } from "./rules.ts";
import { loadIssuers } from "./work/load-issuers.ts";
import { toCallback } from "./work/oidc.ts";

/** For one request. Each issuer gets two, and all issuers are asked at the same time. */
const timeoutMs = 4_000;
const maxBytes = 262_144;
/** More than this, and its ID tokens are refused (features/oidc/work/issuer-clients.ts). */
const mostSkewMs = 60_000;

const meanwhile = {
  both: "Passwords still work.",
  oidc: "Until then, only emergency accounts can log in: assay user emergency <email>",
} as const;

export const examineLoginProviders: Examination = async ({ config, system }) => {
  const heading = createHeading("login-provider", "Login provider");
  if (config.oidc === null) return [];
  if (config.login === "password")
    return heading.grey("ASSAY_OIDC is not used, because ASSAY_LOGIN is password.", "Set ASSAY_LOGIN to both or oidc.");
  try {
    const issuers = await loadIssuers(config.oidc);
    const rows = issuers.map((issuer) => examineIssuer(issuer, config, system));
    return [...examineCallback(config), ...(await Promise.all(rows))];
  } catch (error) {
    if (error instanceof Refusal) return heading.red(error.message, "Fix the file. Assay will not start until then.");
    throw error;
  }
};

/** Where the issuers lead people back to. */
function examineCallback({ baseUrl }: Config): readonly DoctorRow[] {
  const heading = createHeading("login-provider", "Login callback");
  const fix = "Set ASSAY_BASE_URL to the https:// address of this server, and register the redirect URI there again.";
  if (baseUrl === null)
    return [heading.red("ASSAY_BASE_URL is not set, so login providers cannot lead people back to this server.", fix)];
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:" || isLoopback(hostname.replace(/^\[|\]$/g, ""))) return [];
  return [
    heading.red(
      `ASSAY_BASE_URL is ${baseUrl}, without https. Most login providers refuse such a redirect URI, and a session could be read on the way.`,
      fix,
    ),
  ];
}

async function examineIssuer(issuer: Issuer, config: Config, system: System): Promise<DoctorRow> {
  const heading = createHeading("login-provider", `Login provider ${toVisibleCut(issuer.label, 60)}`);
  const address = `${issuer.url.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const outcome = await system.fetchOperator(address, { timeoutMs, maxBytes });
  const document = toDocument(outcome);
  if (document === null) {
    const others = config.login === "oidc" ? meanwhile.oidc : meanwhile.both;
    return toSilent(heading, address, outcome, others);
  }
  const named = typeof document.issuer === "string" ? document.issuer : "";
  if (toIssuerKey(named) !== issuer.key)
    return heading.red(
      `The provider at ${issuer.url} calls itself ${quote(named)}, so its logins are refused.`,
      'Set "issuer" in the ASSAY_OIDC file to the provider\'s own name, if you trust it.',
    );
  const missing = ["authorization_endpoint", "token_endpoint", "jwks_uri"].filter(
    (name) => typeof document[name] !== "string",
  );
  if (missing.length > 0)
    return heading.red(
      `${address} has no ${missing.join(", ")}, so no one can log in.`,
      "Ask the provider's administrator. This is not a complete OpenID Connect configuration.",
    );
  const skewMs = readSkew(outcome, system.now());
  if (Math.abs(skewMs) > mostSkewMs)
    return heading.red(
      `The clocks of this server and the provider differ by ${toSpan(Math.abs(skewMs))}, so logins are refused.`,
      "Turn on time synchronization here: timedatectl set-ntp true. If this clock is right, fix the provider's.",
    );
  return await examineKeys(heading, String(document.jwks_uri), { issuer, config, system });
}

type Terms = { readonly issuer: Issuer; readonly config: Config; readonly system: System };

async function examineKeys(heading: Heading, address: string, { issuer, config, system }: Terms): Promise<DoctorRow> {
  const outcome = await system.fetchOperator(address, { timeoutMs, maxBytes });
  const keys = toDocument(outcome)?.keys;
  const count = Array.isArray(keys) ? keys.length : 0;
  if (count === 0)
    return heading.red(
      `The provider responds, but has no keys at ${quote(address)}${outcome.ok ? "" : `: ${outcome.problem}`}. Its logins cannot be verified.`,
      "Ask the provider's administrator to publish its signing keys.",
    );
  const { baseUrl } = config;
  const callback = baseUrl === null ? "" : ` Its redirect URI is ${toCallback({ baseUrl: () => baseUrl }, issuer)}`;
  return heading.green(
    `${issuer.url} responds, its clock agrees, and it has ${toPlural(count, "key", "keys")}.${callback}`,
  );
}

function toSilent(heading: Heading, address: string, outcome: FetchOutcome, others: string): DoctorRow {
  const { host } = new URL(address);
  if (!outcome.ok) {
    const isExpired = outcome.problem.includes("CERT_HAS_EXPIRED");
    const problem = isExpired ? `The certificate of ${host} has expired.` : outcome.problem;
    return heading.red(
      `${problem} No one can log in with this provider now.`,
      outcome.failure === "tls"
        ? `Renew or fix the provider's certificate, or trust its CA with NODE_EXTRA_CA_CERTS. ${others}`
        : `Check that the provider is running, and that this server can reach ${host}. ${others}`,
    );
  }
  const what = outcome.status === 200 ? "is not JSON" : `was answered with ${outcome.status}`;
  return heading.red(
    `${address} ${what}, so this is not the URL of an OpenID Connect provider.`,
    'Set "issuer" in the ASSAY_OIDC file to the URL that your provider shows as its issuer.',
  );
}

function toDocument(outcome: FetchOutcome): JsonObject | null {
  if (!outcome.ok || outcome.status !== 200) return null;
  return parseJsonObject(Buffer.from(outcome.body).toString("utf8")) ?? null;
}

/** How far the provider's clock is ahead. A cache in between says how old its answer is (RFC 9111 §5.1). */
function readSkew(outcome: FetchOutcome, now: number): number {
  const { date, age } = outcome.ok ? outcome.headers : {};
  const at = Date.parse(date ?? "");
  return Number.isNaN(at) ? 0 : at + (Number(age) || 0) * 1_000 - now;
}

function toSpan(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
}

function quote(text: string): string {
  return text === "" ? "nothing" : JSON.stringify(toVisibleCut(text, 200));
}
