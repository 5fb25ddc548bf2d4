// Logins for seed mailboxes: a password, sealed at rest, or an OAuth access token.

import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { AccessTokenOf } from "../oauth/access-tokens.ts";
import { isPasswordProvider } from "../rules/list.ts";
import type { IntegrationsTable } from "../tables.ts";
import type { MailboxLogin } from "./messages.ts";

export type PasswordLogin = Extract<MailboxLogin, { readonly password: string }>;

export type LoginOutcome =
  | { readonly ok: true; readonly login: MailboxLogin }
  /** `isFinal`: only a user can fix it. */
  | { readonly ok: false; readonly problem: string; readonly isFinal: boolean };

type MailboxLogins = {
  readonly get: () => Promise<LoginOutcome>;
  /** Counts a refused login. Returns whether only a user can fix it. */
  readonly noteRefusal: () => boolean;
  readonly noteSuccess: () => void;
  /** A new token is needed now or soon, and may be requested again. */
  readonly isDue: () => boolean;
};

export type LoginTerms = {
  readonly sealer: Sealer;
  readonly accessTokenOf: AccessTokenOf;
  readonly system: { readonly now: () => number };
};

/** Minimum time between token requests. */
const askEveryMs = 60_000;
/** Tokens are renewed when they have less time left than this. */
const renewBeforeMs = 240_000;
/** After this many refusals, a token counts as useless even if its issuer says it is valid. */
const mostRefusals = 5;

export function sealPassword(sealer: Sealer, id: string, login: PasswordLogin): string {
  return sealer.seal(JSON.stringify(login), mailboxSecretPlace(id));
}

/** Without a password after `assay secret-key forget`. */
export function openPassword(
  sealer: Sealer,
  { id, account, secret }: Pick<IntegrationsTable, "id" | "account" | "secret">,
): PasswordLogin {
  if (secret === "") return { user: account, password: "" };
  const opened = sealer.open(secret, mailboxSecretPlace(id));
  // Cannot happen: a server with another key does not start.
  if (opened === undefined) throw new Error(`The login of mailbox ${id} cannot be decrypted.`);
  return JSON.parse(opened) as PasswordLogin;
}

export function createMailboxLogins(
  row: Pick<IntegrationsTable, "id" | "provider" | "account" | "secret">,
  { sealer, accessTokenOf, system }: LoginTerms,
): MailboxLogins {
  const hasPassword = isPasswordProvider(row.provider);
  let isWanted = false;
  let endsAt: number | null = null;
  let askAgainAt = 0;
  let refusals = 0;

  return {
    get: async () => {
      if (hasPassword) return { ok: true, login: openPassword(sealer, row) };
      askAgainAt = system.now() + askEveryMs;
      const token = await accessTokenOf(row.id);
      isWanted = !token.ok;
      if (!token.ok) return token;
      endsAt = token.expiresAt;
      return { ok: true, login: { user: row.account, accessToken: token.accessToken } };
    },
    noteRefusal: () => {
      isWanted = true;
      refusals += 1;
      return hasPassword || refusals >= mostRefusals;
    },
    noteSuccess: () => {
      refusals = 0;
    },
    isDue: () => {
      const now = system.now();
      const lapses = endsAt !== null && endsAt - now < renewBeforeMs;
      return (isWanted || lapses) && now >= askAgainAt;
    },
  };
}

export function mailboxSecretPlace(id: string): string {
  return `integrations/${id}/password`;
}
