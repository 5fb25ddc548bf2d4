// With what a seed mailbox is opened: a password, sealed at rest, or the token that its owner's consent gives.

import type { IntegrationsTable } from "../../store/schema/integrations.ts";
import type { Sealer } from "../../system/secret-key.ts";
import type { AccessTokenOf } from "../oauth/access-tokens.ts";
import type { MailboxLogin } from "./messages.ts";

export type PasswordLogin = Extract<MailboxLogin, { readonly password: string }>;

export type LoginOutcome =
  | { readonly ok: true; readonly login: MailboxLogin }
  /** `isFinal`: only a person can mend it. */
  | { readonly ok: false; readonly problem: string; readonly isFinal: boolean };

type MailboxLogins = {
  readonly get: () => Promise<LoginOutcome>;
  /** The last one was refused. Answers whether only a person can mend that. */
  readonly noteRefusal: () => boolean;
  readonly noteSuccess: () => void;
  /** A new one is needed, or soon will be, and it is time to ask for it. */
  readonly isDue: () => boolean;
};

export type LoginTerms = {
  readonly sealer: Sealer;
  readonly accessTokenOf: AccessTokenOf;
  readonly system: { readonly now: () => number };
};

/** Between two askings for a token. */
const askEveryMs = 60_000;
/** When a token has no longer than this, there is a new one for the asking. */
const renewBeforeMs = 240_000;
/** A token that is refused time and again is good for nothing, whatever its own server says of it. */
const mostRefusals = 5;

export function sealPassword(sealer: Sealer, id: string, login: PasswordLogin): string {
  return sealer.seal(JSON.stringify(login), boundTo(id));
}

export function openPassword(
  sealer: Sealer,
  { id, secret }: Pick<IntegrationsTable, "id" | "secret">,
): PasswordLogin {
  const opened = sealer.open(secret, boundTo(id));
  // A server with another key does not start.
  if (opened === undefined) throw new Error(`What is sealed of the mailbox ${id} does not open.`);
  return JSON.parse(opened) as PasswordLogin;
}

export function createMailboxLogins(
  row: Pick<IntegrationsTable, "id" | "provider" | "account" | "secret">,
  { sealer, accessTokenOf, system }: LoginTerms,
): MailboxLogins {
  const hasPassword = row.provider === "imap";
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

function boundTo(id: string): string {
  return `integrations/${id}/password`;
}
