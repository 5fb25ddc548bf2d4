import { toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Caller } from "../../../platform/http/callers/caller.ts";
import type { Client } from "../../../platform/http/client-address.ts";
import { type Route, route } from "../../../platform/route.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { auditedFactor } from "../audited.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  listSecondFactors,
  logInWithSecondFactor,
  makeRecoveryCodes,
  offerSecondFactor,
  removeSecondFactor,
  type SecondFactor,
} from "../contract/second-factors.ts";
import type { SecondFactorsTable } from "../tables.ts";
import { type Site, whyNoPasskeys } from "../work/passkeys.ts";
import type { Answer } from "../work/second-factors.ts";
import { welcome } from "./accounts.ts";

export const secondFactorRoutes: readonly Route[] = [
  route(listSecondFactors, async ({ caller, client }, { secondFactors, config }) => {
    const { items, recoveryCodesLeft } = await secondFactors.list(requirePerson(caller).userId);
    const passkeyProblem = whyNoPasskeys(toSite(client, config));
    return { items: items.map(toSecondFactor), recoveryCodesLeft, passkeyProblem };
  }),

  route(beginSecondFactor, async ({ caller, client, body }, { secondFactors, config }) => {
    const { userId } = requirePerson(caller);
    const begun = await secondFactors.begin({ ...body, userId, site: toSite(client, config) });
    if (begun.kind === "totp") return begun;
    return { ...begun, options: begun.options as Record<string, unknown> };
  }).recording({ nothing: "Nothing is in use until it is confirmed." }),

  route(confirmSecondFactor, async ({ caller, client, body, params: { id } }, { secondFactors, config }) => {
    const { userId, session } = requirePerson(caller);
    const given = { userId, id, answer: toAnswer(body), site: toSite(client, config), sessionId: session.id };
    return { recoveryCodes: [...(await secondFactors.confirm(given))] };
  }).recording({ action: "second-factor.add", object: auditedFactor, log: "person" }),

  route(removeSecondFactor, async ({ caller, body, params: { id } }, { secondFactors, events }) => {
    const { userId } = requirePerson(caller);
    await secondFactors.remove({ userId, id, ...body });
    // A workspace may require one.
    events.recheck([userId]);
    return undefined;
  }).recording({ action: "second-factor.remove", object: auditedFactor, log: "person", failuresOf: null }),

  route(makeRecoveryCodes, async ({ caller, body }, { secondFactors }) => {
    const codes = await secondFactors.makeRecoveryCodes({ userId: requirePerson(caller).userId, ...body });
    return { recoveryCodes: [...codes] };
  }).recording({ action: "second-factor.codes", log: "person", failuresOf: null }),

  route(offerSecondFactor, async ({ client, cookie }, { secondFactorLogin, config }) => {
    const offered = await secondFactorLogin.offer(cookie.secret, toSite(client, config));
    return { ...offered, passkey: offered.passkey as Record<string, unknown> | null };
  }).recording({ nothing: "It changes only the challenge of a login in progress." }),

  route(logInWithSecondFactor, async ({ body, client, cookie }, dependencies) => {
    const { secondFactorLogin, countFailedLogin, config } = dependencies;
    const browser = { ...client, site: toSite(client, config) };
    const email = await secondFactorLogin.findEmail(cookie.secret);
    const started = await secondFactorLogin
      .logIn(cookie.secret, toAnswer(body), browser)
      .catch(async (error: unknown) => {
        const isWrong = error instanceof Refusal && error.code === "invalid_credentials";
        if (isWrong && email !== null) await countFailedLogin(email, client.address);
        throw error;
      });
    return await welcome(started, cookie, dependencies);
  }).recording({ action: "login.success", log: "person", effect: "maybe" }),
];

type Answers = {
  readonly code?: string | null | undefined;
  readonly recoveryCode?: string | null | undefined;
  readonly passkey?: Readonly<Record<string, unknown>> | null | undefined;
};

function toAnswer({ code, recoveryCode, passkey }: Answers): Answer {
  const given: readonly Answer[] = [
    ...(code == null ? [] : [{ code }]),
    ...(recoveryCode == null ? [] : [{ recoveryCode }]),
    ...(passkey == null ? [] : [{ passkey }]),
  ];
  const [answer] = given;
  if (answer !== undefined && given.length === 1) return answer;
  throw new Refusal("invalid_request", 'Exactly one of "code", "recoveryCode", and "passkey" is required.', {
    field: "code",
  });
}

function requirePerson(caller: Caller): Extract<Caller, { via: "session" }> {
  if (caller.via === "session") return caller;
  throw new Refusal("forbidden", "A token cannot do this. Log in instead.");
}

/** The base URL, if a proxy in front of it doesn't say that it serves HTTPS, or leaves out the port. */
function toSite({ secure, host }: Client, { baseUrl }: Pick<Config, "baseUrl">): Site {
  const origin = `${secure ? "https" : "http"}://${host ?? ""}`;
  const seen = URL.parse(origin);
  const base = baseUrl?.startsWith("https:") === true ? URL.parse(baseUrl) : null;
  const isBase = base?.hostname === seen?.hostname && (!secure || seen?.port === "");
  const url = isBase ? base : seen;
  return { origin: url?.origin ?? origin, host: url?.hostname ?? "" };
}

function toSecondFactor({ id, kind, name, created_at, last_used_at, secret }: SecondFactorsTable): SecondFactor {
  const usable = kind === "passkey" || secret !== null;
  return { id, kind, name, usable, createdAt: toTimestamp(created_at), lastUsedAt: toTimestampOrNull(last_used_at) };
}
