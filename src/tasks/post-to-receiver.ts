// One request to a webhook: a stranger's address, ten seconds, and an answer of which nobody reads more than the status.

import type { Rendered } from "../alerts/message.ts";
import type { FetchOutcome } from "../system/fetch.ts";
import type { System } from "../system/system.ts";

export const receiverTimeoutMs = 10_000;
const maxBytes = 16_384;

/** `signal` breaks it off. */
export function postToReceiver(
  { fetchStranger }: Pick<System, "fetchStranger">,
  { url, headers, body }: { readonly url: string } & Rendered,
  signal?: AbortSignal,
): Promise<FetchOutcome> {
  const bounds = { timeoutMs: receiverTimeoutMs, maxBytes, ignoresBody: true };
  return fetchStranger(url, { method: "POST", headers, body, ...bounds, ...(signal && { signal }) });
}
