// What went wrong with a provider, from what the client library threw: what it means for us, and a code that may be told.

import { ProviderSilent } from "./oauth-http.ts";

export type Failure = {
  /** silent: nothing came, so that it may work later. denied: by the person. lapsed: what was given is no longer good. */
  readonly kind: "silent" | "denied" | "lapsed" | "issuer" | "refused";
  /** Of few letters, whoever wrote it. */
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

/** An error, what it came of, and what that came of. */
function causesOf(error: unknown): (Thrown & object)[] {
  const causes: object[] = [];
  for (let next = error; typeof next === "object" && next !== null && causes.length < 5; )
    next = (causes[causes.push(next) - 1] as Thrown).cause;
  return causes;
}

function toCode(value: unknown): string {
  return typeof value === "string" && /^[\w.-]{1,64}$/.test(value) ? value : "unknown";
}
