// Who may call (src/decisions.md, "Access" and "Errors"). Each mistake has its own message, unless it would tell a
// stranger something: invalid, expired and revoked tokens look alike, and so do workspaces of others and workspaces that
// don't exist. The token is checked first, so an invalid one tells nothing about a workspace. An ended session counts as
// none. An Authorization header takes precedence over a cookie.

import { timingSafeEqual } from "node:crypto";
import type { Access, Endpoint } from "../../contract/endpoint.ts";
import { identifier } from "../../contract/primitives.ts";
import { ownersOnly, type Role, roleAllows } from "../../contract/roles.ts";
import { hashSecret } from "../../contract/secrets.ts";
import { Refusal } from "../../errors.ts";
import type { Server } from "../../server.ts";
import type { Client } from "../client-address.ts";
import {
  isOwnHost,
  isSafe,
  type Provenance,
  requireNoForeignOrigin,
  requireNoImage,
  requireNoOtherPage,
  requireOwnPage,
} from "../same-origin.ts";
import type { Admission, Caller, TokenCaller } from "./caller.ts";
import { requireTokenRight, type TokenTerms } from "./token-rights.ts";

export type Credentials = {
  readonly authorization: string | null;
  /** Value of the session cookie. */
  readonly session: string | null;
  /** From the header. */
  readonly workspaceId: string | null;
  /** From the query. A session may name its workspace there, because a browser can't always send a header. */
  readonly queriedWorkspaceId: string | null;
};

type Asking = { readonly credentials: Credentials; readonly client: Client; readonly provenance: Provenance };

export type Admit = (
  endpoint: Pick<Endpoint, "access" | "method" | "needs"> & TokenTerms,
  asking: Asking,
) => Promise<Admission>;

export function createAdmission(server: Server): Admit {
  const { findTokenCaller, findSessionCaller } = server.callers;
  const anyone: Admission = { caller: null, workspaceId: null };

  async function findBearer({ credentials, client }: Asking): Promise<TokenCaller> {
    const caller = await findTokenCaller(bearerToken(credentials, apiToken), client.address);
    if (caller === undefined) throw forbidden("The API token is invalid, expired, or revoked.");
    return caller;
  }

  async function recognize(asking: Asking, method: Endpoint["method"]): Promise<Caller> {
    const { provenance } = asking;
    const { authorization, session } = asking.credentials;
    if (session !== null && isBlank(authorization)) {
      requireNoImage(provenance);
      const caller = await findSessionCaller(session);
      if (caller === undefined)
        throw missingToken(`Your session has ended. Log in again, or send an API token: ${tokenHeader}`);
      if (!isSafe(method)) requireOwnPage(provenance);
      return caller;
    }
    return await findBearer(asking);
  }

  /** A token belongs to one workspace. A client that names it all the same must name the right one. */
  async function admitToken(asking: Asking): Promise<Admission & { readonly caller: Caller }> {
    const { credentials, provenance } = asking;
    requireNoForeignOrigin(provenance, server.baseUrl());
    const caller = await findBearer(asking);
    const workspaceId =
      credentials.workspaceId === null ? caller.token.workspace_id : namedWorkspace(credentials, false);
    checkRole(caller.memberships.get(workspaceId), "member");
    return { caller, workspaceId };
  }

  async function admitCaller(
    endpoint: Pick<Endpoint, "access" | "method" | "needs">,
    asking: Asking,
  ): Promise<Admission & { readonly caller: Caller }> {
    const { access, method } = endpoint;
    if (access === "token") return await admitToken(asking);
    const { credentials } = asking;
    const caller = await recognize(asking, method);
    if (!isScoped(access)) return { caller, workspaceId: null };
    const workspaceId = namedWorkspace(credentials, caller.via === "session" && isSafe(method));
    if (caller.via === "session" && caller.withheld.has(workspaceId)) throw secondFactorMissing();
    const role = caller.memberships.get(workspaceId);
    checkRole(role, "member");
    checkNeeds(endpoint, server);
    checkRole(role, access);
    return { caller, workspaceId };
  }

  return async (endpoint, asking) => {
    const { access, method } = endpoint;
    const { credentials, provenance } = asking;
    if (access === "public") {
      if (!isSafe(method)) requireNoOtherPage(provenance, credentials.session !== null);
      checkNeeds(endpoint, server);
      return anyone;
    }
    if (access === "metrics") {
      checkMetricsCaller(asking, server.config);
      return anyone;
    }
    const admission = await admitCaller(endpoint, asking);
    requireTokenRight(endpoint, admission.caller);
    return admission;
  };
}

/** No role, scope, or body changes what a server lacks, so it is checked before them (src/decisions.md, "Plans"). */
export function checkNeeds({ needs }: Pick<Endpoint, "needs">, server: Pick<Server, "needs">): void {
  if (needs) server.needs[needs]();
}

/** Only a known caller gets these messages, and they tell nothing about any workspace. */
function namedWorkspace({ workspaceId, queriedWorkspaceId }: Credentials, mayBeQueried: boolean): string {
  const named = workspaceId ?? (mayBeQueried ? queriedWorkspaceId : null);
  if (named === null)
    throw forbidden("The X-Workspace-Id header is missing. Send your workspace ID: X-Workspace-Id: wsp_…");
  if (!identifier("workspace").safeParse(named).success) {
    const place = workspaceId === null ? "workspace parameter" : "X-Workspace-Id header";
    throw forbidden(`The ${place} is malformed. Expected a workspace ID: wsp_ followed by 26 characters.`);
  }
  return named;
}

export function isScoped(access: Access): access is Role {
  return access === "member" || access === "owner";
}

export function checkRole(role: Role | undefined, needed: Role): void {
  if (role === undefined)
    throw forbidden("This workspace does not exist, or you do not have access to it. Check the X-Workspace-Id header.");
  if (!roleAllows(role, needed)) throw ownersOnly();
}

const tokenHeader = "Authorization: Bearer asy_…";

/** What a request must send: `send` in words, `header` as it is written. */
type WantedToken = { readonly send: string; readonly header: string };

const apiToken: WantedToken = { send: "an API token", header: tokenHeader };

const metricsToken: WantedToken = { send: "the token from ASSAY_METRICS_TOKEN", header: "Authorization: Bearer …" };

/** RFC 6750 §2.1. The scheme is case-insensitive (RFC 9110 §11.1). */
function bearerToken({ authorization }: Credentials, { send, header }: WantedToken): string {
  if (authorization === null || isBlank(authorization)) {
    const problem = authorization?.trim() ? "has no token" : "is missing";
    throw missingToken(`The Authorization header ${problem}. Send ${send}: ${header}`);
  }
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw forbidden(`The Authorization header is malformed. Expected: ${header}`);
  return token;
}

function isBlank(authorization: string | null): boolean {
  return authorization === null || /^(bearer)?\s*$/i.test(authorization);
}

/** On this machine no token is needed, unless a browser could have been led here by another site's name. */
function checkMetricsCaller(
  { client, credentials }: Asking,
  { baseUrl, metricsToken: expected }: Server["config"],
): void {
  if (client.loopback && isOwnHost(client.host, baseUrl)) return;
  const token = bearerToken(credentials, metricsToken);
  if (expected === null || !timingSafeEqual(digest(token), digest(expected)))
    throw forbidden("The metrics token is invalid. Send the token from ASSAY_METRICS_TOKEN, or call from loopback.");
}

/** timingSafeEqual needs equal lengths. */
function digest(token: string): Buffer {
  return Buffer.from(hashSecret(token));
}

function secondFactorMissing(): Refusal {
  return new Refusal(
    "second_factor_required",
    "This workspace requires a second factor. Add one under Settings, Account, or log out and log in with it.",
  );
}

function missingToken(message: string): Refusal {
  return new Refusal("missing_token", message);
}

function forbidden(message: string): Refusal {
  return new Refusal("forbidden", message);
}
