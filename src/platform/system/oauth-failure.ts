// Turns errors of the OAuth library into a kind of failure and a code that is safe to log.

import type { CustomFetch } from "openid-client";
import type { FetchDoor } from "../../analyzer/facts/fetch.ts";
import { parseJsonObject } from "../../analyzer/json.ts";

export type Failure = {
  /** silent: no usable response, may work later. denied: by the user. lapsed: the grant is no longer valid. */
  readonly kind: "silent" | "denied" | "lapsed" | "issuer" | "refused";
  /** Limited to a few safe characters. */
  readonly code: string;
};

type Thrown = {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly error?: unknown;
  readonly cause?: unknown;
  readonly claim?: unknown;
  readonly attribute?: unknown;
};

export function toFailure(error: unknown): Failure {
  const causes = causesOf(error);
  const silent = causes.find((cause) => cause instanceof ProviderSilent);
  if (silent) return { kind: "silent", code: silent.message };
  const [thrown] = causes as readonly Thrown[];
  const code = toCode(thrown?.error ?? thrown?.code ?? thrown?.name);
  if (thrown?.error === "access_denied") return { kind: "denied", code };
  if (thrown?.error === "invalid_grant") return { kind: "lapsed", code };
  const isIssuers = causes.some(({ claim, attribute }: Thrown) => claim === "iss" || attribute === "issuer");
  return { kind: isIssuers ? "issuer" : "refused", code };
}

/** An error and its chain of causes. */
function causesOf(error: unknown): (Thrown & object)[] {
  const causes: object[] = [];
  for (let next = error; typeof next === "object" && next !== null && causes.length < 5; )
    next = (causes[causes.push(next) - 1] as Thrown).cause;
  return causes;
}

function toCode(value: unknown): string {
  return typeof value === "string" && /^[\w.-]{1,64}$/.test(value) ? value : "unknown";
}

// HTTP access for a library, through the operator's fetch: limited in time and bytes, and plain HTTP only where the
// configuration has such a URL.

export const oauthTimeoutMs = 8_000;
const maxBytes = 262_144;

/** No usable response. The message contains none of the provider's text. */
class ProviderSilent extends Error {}

type Words = Readonly<Record<string, unknown>>;
type Tidying = { readonly tidyAnswer?: (answer: Words) => { readonly isError: boolean; readonly answer: Words } };

export function toLimitedFetch(fetchOperator: FetchDoor, { tidyAnswer }: Tidying): CustomFetch {
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
    // The error comes from a gateway or an overloaded server, not from the provider's logic.
    if (status < 200 || status > 499) throw new ProviderSilent(`${new URL(url).host} responded with ${status}.`);
    const text = Buffer.from(outcome.body).toString("utf8");
    if (method === "POST" && status === 200 && tidyAnswer) return toTidy(text, tidyAnswer);
    const isEmpty = [204, 205, 304].includes(status);
    return new Response(isEmpty ? null : text, { status, headers: outcome.headers });
  };
}

function toTidy(text: string, tidyAnswer: NonNullable<Tidying["tidyAnswer"]>): Response {
  const { isError, answer } = tidyAnswer(parseJsonObject(text) ?? {});
  return Response.json(answer, { status: isError ? 400 : 200 });
}
