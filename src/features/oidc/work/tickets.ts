// What a browser carries while a login is under way, sealed: nothing of it can be read, made up, or used for another step.

import { parseJsonObject } from "../../../analyzer/json.ts";
import { loginCookieLifeMs } from "../../../platform/contract/login-cookie.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Proofs } from "./issuer-clients.ts";

type Tickets = {
  /** In the cookie, until the issuer leads back. `userId`: the account to connect, or null to log in. */
  login: Proofs & { readonly issuer: string; readonly next: string; readonly userId: string | null };
  /** In the cookie, until the person enters the password of the account with the same email address. */
  link: { readonly issuer: string; readonly subject: string; readonly email: string; readonly next: string };
  /** In a URL that only our own page gets, so that no other page can begin to connect an account. */
  connect: { readonly issuer: string; readonly userId: string; readonly next: string };
};

export type Ticket<K extends keyof Tickets> = Tickets[K];

export type TicketOffice = {
  readonly issue: <K extends keyof Tickets>(kind: K, ticket: Tickets[K]) => string;
  /** Undefined if it isn't ours, or has expired. */
  readonly read: <K extends keyof Tickets>(kind: K, sealed: string | null | undefined) => Tickets[K] | undefined;
};

/** Names the derived key. */
export const loginSealing = "organization login";

export function createTicketOffice(sealer: Sealer, { now }: Pick<System, "now">): TicketOffice {
  return {
    issue: (kind, ticket) =>
      sealer.seal(JSON.stringify({ ...ticket, expiresAt: now() + loginCookieLifeMs }), placeOf(kind)),
    read: (kind, sealed) => {
      const opened = sealed ? sealer.open(sealed, placeOf(kind)) : undefined;
      const ticket = opened === undefined ? null : parseJsonObject(opened);
      if (ticket === null || Number(ticket.expiresAt) <= now()) return undefined;
      return ticket as unknown as Tickets[typeof kind];
    },
  };
}

function placeOf(kind: keyof Tickets): string {
  return `oidc/${kind}`;
}
