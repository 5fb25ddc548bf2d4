// What the client library of OAuth asks, through the operator's door: bounded in time and bytes, and over plain HTTP only
// where an address in the configuration says so.

import type { CustomFetch } from "openid-client";
import type { OauthFacts } from "../integrations/oauth-provider.ts";
import { wordsOf } from "../integrations/oauth-provider.ts";
import type { FetchDoor } from "../system/fetch.ts";

export const oauthTimeoutMs = 8_000;
const maxBytes = 262_144;

/** Nothing came that could be read. The sentence is our own: nothing of the provider's stands in it. */
export class ProviderSilent extends Error {}

export function toOauthFetch(fetchOperator: FetchDoor, { tidyAnswer }: OauthFacts): CustomFetch {
  return async (url, { method, headers, body }) => {
    const outcome = await fetchOperator(url, {
      method: method === "POST" ? "POST" : "GET",
      headers: { ...headers },
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      timeoutMs: oauthTimeoutMs,
      maxBytes,
    });
    if (!outcome.ok) throw new ProviderSilent(outcome.problem);
    const { status } = outcome;
    // Over its head, like a proxy that finds nobody behind it.
    if (status < 200 || status > 499) throw new ProviderSilent(`${new URL(url).host} answered ${status}.`);
    const text = Buffer.from(outcome.body).toString("utf8");
    if (method === "POST" && status === 200 && tidyAnswer) return toTidy(text, tidyAnswer);
    const isEmpty = [204, 205, 304].includes(status);
    return new Response(isEmpty ? null : text, { status, headers: outcome.headers });
  };
}

function toTidy(text: string, tidyAnswer: NonNullable<OauthFacts["tidyAnswer"]>): Response {
  const { isError, answer } = tidyAnswer(parseWords(text));
  return Response.json(answer, { status: isError ? 400 : 200 });
}

function parseWords(text: string): Readonly<Record<string, unknown>> {
  try {
    return wordsOf(JSON.parse(text));
  } catch {
    return {};
  }
}
