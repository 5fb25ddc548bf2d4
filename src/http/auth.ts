// Who may call (decisions §2, §3). Whatever is wrong with a token or a workspace gets one and the same answer, so that
// nothing can be learned by trying; only a request that brings no token at all is told to bring one.

import { timingSafeEqual } from "node:crypto";
import { type Role, roleAllows } from "../accounts/roles.ts";
import { hashToken, isToken } from "../accounts/tokens.ts";
import type { Access } from "../api/endpoint.ts";
import { Refusal } from "../errors.ts";
import type { ApiTokensTable } from "../store/schema.ts";
import { findToken, updateTokenLastUsed } from "../store/tokens.ts";
import type { Client } from "./client-address.ts";
import type { Dependencies } from "./dependencies.ts";
import { ownersOnly } from "./errors.ts";

export type Caller = {
  readonly via: "token";
  readonly token: ApiTokensTable;
  /** Null: the server's operator. */
  readonly userId: string | null;
  /** The workspaces that the caller may name, and as what. */
  readonly memberships: ReadonlyMap<string, Role>;
};

export type Credentials = { readonly authorization: string | null; readonly workspaceId: string | null };

/** `workspaceId` is null where the endpoint is of no workspace. */
export type Admission = { readonly caller: Caller | null; readonly workspaceId: string | null };

export type Admit = (access: Access, credentials: Credentials, client: Client) => Promise<Admission>;

const useNotedEveryMs = 60_000;

export function createAdmission(dependencies: Dependencies): Admit {
  const recognize = createTokenReader(dependencies);
  const anyone: Admission = { caller: null, workspaceId: null };
  return async (access, credentials, client) => {
    if (access === "public") return anyone;
    if (access === "metrics") {
      if (!client.loopback) checkMetricsToken(credentials, dependencies.config.metricsToken);
      return anyone;
    }
    const caller = await recognize(bearerToken(credentials, "an API token: Authorization: Bearer asy_…"));
    if (access === "caller") return { caller, workspaceId: null };
    const role = caller.memberships.get(credentials.workspaceId ?? "");
    if (role === undefined) throw forbidden();
    if (!roleAllows(role, access)) throw ownersOnly();
    return { caller, workspaceId: credentials.workspaceId };
  };
}

function createTokenReader({ store, system }: Dependencies): (token: string) => Promise<Caller> {
  const notedAt = new Map<string, number>();
  /** The answer never waits for this, and no answer fails for it. */
  function noteUse(id: string, nowMs: number): void {
    notedAt.set(id, nowMs);
    store
      .write((db) => updateTokenLastUsed(db, id, nowMs))
      .catch((cause: unknown) =>
        system.log.warn("A token's last use was not noted.", { cause: String(cause) }),
      );
  }
  return async (token) => {
    const nowMs = system.now();
    const row = isToken(token) ? await findToken(store.read, hashToken(token), nowMs) : undefined;
    if (row === undefined) throw forbidden();
    const lastNotedAt = Math.max(row.last_used_at ?? 0, notedAt.get(row.id) ?? 0);
    if (nowMs - lastNotedAt >= useNotedEveryMs) noteUse(row.id, nowMs);
    // Only the operator makes tokens until there are users; those act as owner.
    const memberships = new Map([[row.workspace_id, "owner" as const]]);
    return { via: "token", token: row, userId: row.created_by, memberships };
  };
}

/** RFC 6750 §2.1; the scheme's case does not count (RFC 9110 §11.1). */
function bearerToken({ authorization }: Credentials, wanted: string): string {
  if (authorization === null || /^(bearer)?\s*$/i.test(authorization))
    throw new Refusal("missing_token", `Send ${wanted}.`);
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw forbidden();
  return token;
}

function checkMetricsToken(credentials: Credentials, expected: string | null): void {
  const token = bearerToken(
    credentials,
    "the bearer token that ASSAY_METRICS_TOKEN sets, or ask on loopback",
  );
  if (expected === null || !timingSafeEqual(digest(token), digest(expected))) throw forbidden();
}

/** Equal lengths are what timingSafeEqual asks for. */
function digest(token: string): Buffer {
  return Buffer.from(hashToken(token));
}

function forbidden(): Refusal {
  return new Refusal(
    "forbidden",
    "The token does not open this: it is unknown, expired or revoked, or of another workspace.",
  );
}
