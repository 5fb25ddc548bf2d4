// Who may call (src/decisions.md, "Access" and "Errors"). Anything wrong with a token or a workspace gets the same answer,
// so that trying teaches nothing; only a request without token and session is told to send one. An ended session counts
// as none. An Authorization header wins over a cookie.

import { timingSafeEqual } from "node:crypto";
import { ownersOnly, type Role, roleAllows } from "../accounts/roles.ts";
import { hashSecret } from "../accounts/secrets.ts";
import type { Access, Endpoint } from "../api/endpoint.ts";
import { Refusal } from "../errors.ts";
import { type Caller, createCallers } from "./callers.ts";
import type { Client } from "./client-address.ts";
import type { Dependencies } from "./dependencies.ts";
import { isSafe, type Provenance, requireNoOtherPage, requireOwnPage } from "./same-origin.ts";

export type Credentials = {
  readonly authorization: string | null;
  /** What the session's cookie holds. */
  readonly session: string | null;
  /** Of the header. */
  readonly workspaceId: string | null;
  /** Of the query: what a browser cannot send as a header, a session may say there. */
  readonly queriedWorkspaceId: string | null;
};

type Asking = {
  readonly credentials: Credentials;
  readonly client: Client;
  readonly provenance: Provenance;
};

/** `workspaceId` is null where the endpoint is of no workspace. */
export type Admission = { readonly caller: Caller | null; readonly workspaceId: string | null };

export type Admit = (endpoint: Pick<Endpoint, "access" | "method">, asking: Asking) => Promise<Admission>;

export function createAdmission(dependencies: Dependencies): Admit {
  const { findTokenCaller, findSessionCaller } = createCallers(dependencies);
  const anyone: Admission = { caller: null, workspaceId: null };

  async function recognize({ credentials, provenance }: Asking, method: Endpoint["method"]): Promise<Caller> {
    const { authorization, session } = credentials;
    if (session !== null && isBlank(authorization)) {
      const caller = await findSessionCaller(session);
      if (caller === undefined)
        throw missingToken("Log in, or send an API token: Authorization: Bearer asy_…");
      if (!isSafe(method)) requireOwnPage(provenance);
      return caller;
    }
    const token = bearerToken(credentials, "an API token: Authorization: Bearer asy_…");
    const caller = await findTokenCaller(token);
    if (caller === undefined) throw forbidden();
    return caller;
  }

  return async ({ access, method }, asking) => {
    const { credentials, client, provenance } = asking;
    if (access === "public") {
      if (!isSafe(method)) requireNoOtherPage(provenance, credentials.session !== null);
      return anyone;
    }
    if (access === "metrics") {
      if (!client.loopback) checkMetricsToken(credentials, dependencies.config.metricsToken);
      return anyone;
    }
    const caller = await recognize(asking, method);
    if (!isScoped(access)) return { caller, workspaceId: null };
    const workspaceId = namedWorkspace(credentials, caller.via === "session" && isSafe(method));
    checkRole(caller.memberships.get(workspaceId), access);
    return { caller, workspaceId };
  };
}

function namedWorkspace({ workspaceId, queriedWorkspaceId }: Credentials, mayBeQueried: boolean): string {
  const named = workspaceId ?? (mayBeQueried ? queriedWorkspaceId : null);
  if (named === null) throw workspaceMissing();
  return named;
}

export function isScoped(access: Access): access is Role {
  return access === "member" || access === "owner";
}

function checkRole(role: Role | undefined, needed: Role): void {
  if (role === undefined) throw forbidden();
  if (!roleAllows(role, needed)) throw ownersOnly();
}

/** RFC 6750 §2.1; the scheme's case does not count (RFC 9110 §11.1). */
function bearerToken({ authorization }: Credentials, wanted: string): string {
  if (authorization === null || isBlank(authorization)) throw missingToken(`Send ${wanted}.`);
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw forbidden();
  return token;
}

function isBlank(authorization: string | null): boolean {
  return authorization === null || /^(bearer)?\s*$/i.test(authorization);
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
  return Buffer.from(hashSecret(token));
}

function missingToken(message: string): Refusal {
  return new Refusal("missing_token", message);
}

function forbidden(): Refusal {
  return new Refusal(
    "forbidden",
    "The token is unknown, expired or revoked, or it has no access to this workspace. Check the headers Authorization and X-Workspace-Id.",
  );
}

/** Said only to a known caller, and it tells nothing of any workspace. */
function workspaceMissing(): Refusal {
  return new Refusal(
    "forbidden",
    "The header X-Workspace-Id is missing. Send the ID of your workspace: X-Workspace-Id: wsp_…",
  );
}
