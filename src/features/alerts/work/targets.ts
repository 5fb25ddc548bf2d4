// Seals webhook URLs and signing secrets at rest. Anyone with a chat service's URL can post there, and other URLs may
// contain a token.

import type { FetchOutcome } from "../../../analyzer/facts/fetch.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import type { AlertsTable } from "../../domains/tables.ts";
import type { PresetCredentials, PresetTarget, Rendered } from "../rules/alert-event.ts";
import { toMaskedUrl } from "../rules/render.ts";

/** Names the derived key. */
export const alertSealing = "alerts";

type SealedTarget = Pick<AlertsTable, "id" | "kind" | "url" | "secret" | "preset" | "credentials">;
type AlertTarget = { readonly url: string; readonly secret: string | null; readonly preset: PresetTarget | undefined };

export function sealUrl(sealer: Sealer, id: string, url: string): Pick<AlertsTable, "url" | "url_shown"> {
  const url_shown = url.startsWith("mailto:") ? url : toMaskedUrl(url);
  return { url: sealer.seal(url, alertSecretPlace(id, "url")), url_shown };
}

export function sealSecret(sealer: Sealer, id: string, secret: string): Pick<AlertsTable, "secret"> {
  return { secret: sealer.seal(secret, alertSecretPlace(id, "secret")) };
}

export function sealCredentials(
  sealer: Sealer,
  id: string,
  credentials: PresetCredentials | null,
): Pick<AlertsTable, "credentials"> {
  if (credentials === null) return { credentials: null };
  return { credentials: sealer.seal(JSON.stringify(credentials), alertSecretPlace(id, "credentials")) };
}

/** After `assay secret-key forget`. A person has to enter the URL again. Emails need none. */
export function isTargetLost({ kind, url }: Pick<AlertsTable, "kind" | "url">): boolean {
  return url === "" && kind !== "email";
}

export function lostTarget(): Refusal {
  return new Refusal("conflict", "The URL was lost with the server’s secret key. Enter it again.", { field: "url" });
}

/** Undefined when it was sealed with another key. */
export function openUrl(sealer: Sealer, { id, url }: Pick<SealedTarget, "id" | "url">): string | undefined {
  return sealer.open(url, alertSecretPlace(id, "url"));
}

export function openTarget(sealer: Sealer, row: SealedTarget): AlertTarget {
  if (isTargetLost(row)) throw lostTarget();
  const url = openUrl(sealer, row);
  const secret = row.secret === null ? null : sealer.open(row.secret, alertSecretPlace(row.id, "secret"));
  // Cannot happen: a server with another key does not start.
  if (url === undefined || secret === undefined)
    throw new Error(`The URL or secret of webhook ${row.id} cannot be decrypted.`);
  return { url, secret, preset: openPreset(sealer, row) };
}

function openPreset(sealer: Sealer, { id, preset, credentials }: SealedTarget): PresetTarget | undefined {
  if (preset === null) return undefined;
  const text = sealer.open(credentials ?? "", alertSecretPlace(id, "credentials"));
  if (text === undefined) throw new Error(`The credentials of webhook ${id} cannot be decrypted.`);
  return { preset, credentials: JSON.parse(text) as PresetCredentials };
}

/** As it was typed, before the topic or token moved (wanted.ts). */
export function openTyped(
  sealer: Sealer,
  row: SealedTarget,
): { readonly url: string; readonly credentials: PresetCredentials & { readonly botToken?: string } } {
  if (row.url === "") return { url: "", credentials: {} };
  const { url } = openTarget(sealer, row);
  const { preset, credentials } = openPreset(sealer, row) ?? { preset: null, credentials: {} };
  if (preset === "ntfy") {
    const { topic = "", token } = credentials;
    return { url: url + topic, credentials: token === undefined ? {} : { token } };
  }
  const telegram = preset === "telegram" && /^(.*)\/bot([^/]+)\/sendMessage$/.exec(url);
  if (!telegram) return { url, credentials };
  const [, server = "", botToken = ""] = telegram;
  return { url: server, credentials: { ...credentials, botToken } };
}

export function alertSecretPlace(id: string, what: "url" | "secret" | "credentials"): string {
  return `alerts/${id}/${what}`;
}

// Posts to a webhook: a stranger's address, ten seconds, and only the status of the response is used.

export const receiverTimeoutMs = 10_000;
const maxBytes = 16_384;

/** `signal` aborts the request. */
export function postToReceiver(
  { fetchStranger }: Pick<System, "fetchStranger">,
  { url, headers, body }: { readonly url: string } & Rendered,
  signal?: AbortSignal,
): Promise<FetchOutcome> {
  const bounds = { timeoutMs: receiverTimeoutMs, maxBytes, ignoresBody: true };
  return fetchStranger(url, { method: "POST", headers, body, ...bounds, ...(signal && { signal }) });
}
