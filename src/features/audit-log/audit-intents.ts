// Calls a route's handler so that the audit log records what it does (audit-rules-table.ts).

import { type Recorder, toPerson } from "../../platform/audit/rows/actors.ts";
import { type Intent, recorded } from "../../platform/audit/rows/recording.ts";
import type { Endpoint } from "../../platform/contract/endpoint.ts";
import { hashSecret, isSecret } from "../../platform/contract/secrets.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Caller } from "../../platform/http/callers/caller.ts";
import type { Call, Route } from "../../platform/route.ts";
import type { Server } from "../../platform/server.ts";
import { readUser } from "../people/rows/users.ts";
import { type AuditRule, auditRules } from "./audit-rules-table.ts";

/** It changes nothing, and HEAD gets none of what it exports. */
function isExport({ method, path }: Pick<Endpoint, "method" | "path">): boolean {
  const rule = auditRules[`${method} ${path}`];
  return rule !== undefined && "tables" in rule && rule.tables?.length === 0;
}

export async function handleRecorded({ endpoint, handler }: Route, call: Call, server: Server): Promise<unknown> {
  const rule = auditRules[`${endpoint.method} ${endpoint.path}`];
  if (rule === undefined || (call.isHead && isExport(endpoint))) return await handler(call, server);
  const { store, system } = server;
  let answer: unknown;
  try {
    if ("why" in rule) return await handler(call, server);
    return await recorded(store, toIntent(rule, call, system.now), async () => {
      answer = await handler(call, server);
      return answer;
    });
  } catch (error) {
    // A stream that no one will read would hold its place.
    if (answer instanceof Response) await answer.body?.cancel();
    if (isWrongPassword(error)) await countFailure(rule, call, server);
    throw error;
  }
}

function toIntent(rule: AuditRule, call: Call, at: () => number): Intent {
  const { object, param = "id", keep = [], log, tables, isOnly } = rule;
  const params = call.params as Readonly<Record<string, unknown>>;
  const ofPath = typeof params[param] === "string" ? params[param] : undefined;
  const isInvitation = object === "member" && ofPath?.startsWith("inv_") === true;
  return {
    action: isInvitation ? "invitation.revoke" : rule.action,
    by: toRecorder(rule, call),
    address: call.client.address,
    at,
    object: isInvitation ? "invitation" : object,
    objectId: ofPath ?? toOwnId(rule, call),
    tables,
    workspaceId: object === "workspace" ? (ofPath ?? null) : call.workspaceId,
    log: log ?? "workspace",
    request: pick(call, keep),
    isOnly,
  };
}

/** For a route whose object is the caller. */
function toOwnId({ object }: AuditRule, { caller }: Call): string | undefined {
  return object === "user" ? (caller?.userId ?? undefined) : undefined;
}

function toRecorder({ by }: AuditRule, { caller, cookie: { secret } }: Call): Recorder {
  const unnamed = { id: null, name: null, email: null };
  if (by === "provider") return { ...unnamed, type: "system" };
  if (by === "new session") return { ...unnamed, type: "new-session" };
  if (by === "cookie") {
    const hash = secret !== null && isSecret(secret) ? hashSecret(secret) : null;
    return { ...unnamed, type: "session", id: hash };
  }
  return caller === null ? { ...unnamed, type: "unknown" } : toCallerRecorder(caller);
}

function toCallerRecorder(caller: Caller): Recorder {
  const { userId } = caller;
  if (caller.via === "session") return toPerson(caller.userId);
  const { id, name } = caller.token;
  return { type: "token", id, userId, name, email: null };
}

function pick({ body, query, params }: Call, keep: readonly string[]): Readonly<Record<string, unknown>> {
  const given: Readonly<Record<string, unknown>> = { ...params, ...query, ...(body as object) };
  return Object.fromEntries(keep.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof Refusal && error.code === "invalid_credentials";
}

async function countFailure({ failuresOf }: Pick<AuditRule, "failuresOf">, call: Call, server: Server): Promise<void> {
  if (failuresOf === undefined) return;
  const { store, countFailedLogin } = server;
  const typed = (call.body as unknown as Readonly<Record<string, unknown>>)[failuresOf ?? ""];
  const { userId } = call.caller ?? { userId: null };
  const own = userId === null ? undefined : await readUser(store.read, userId);
  const account = typeof typed === "string" ? typed : (own?.email ?? "");
  await countFailedLogin(account, call.client.address);
}
