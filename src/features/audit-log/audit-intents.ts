// Calls a route's handler so that the audit log records what it does (platform/route.ts, `Audited`).

import { findActor, type Recorder, toPerson } from "../../platform/audit/rows/actors.ts";
import { type Intent, recorded } from "../../platform/audit/rows/recording.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Caller } from "../../platform/http/callers/caller.ts";
import type { Audit, Audited, Call, Route } from "../../platform/route.ts";
import type { Server } from "../../platform/server.ts";

export async function handleRecorded(route: Route, call: Call, server: Server, state: unknown): Promise<unknown> {
  const { audit } = route;
  const handle = () => route.handler(call, server, state);
  if (audit === undefined) return await handle();
  let answer: unknown;
  try {
    // HEAD gets none of what is exported.
    if ("nothing" in audit || (call.isHead && audit.effect === "none")) return await handle();
    return await recorded(server, toIntent(audit, call), async () => {
      answer = await handle();
      return answer;
    });
  } catch (error) {
    // A stream that no one will read would hold its place.
    if (answer instanceof Response) await answer.body?.cancel();
    if (isWrongPassword(error)) await countFailure(audit, call, server);
    throw error;
  }
}

function toIntent(audit: Audited, call: Call): Intent {
  const { param = "id", others, keep = [], log = "workspace", effect } = audit;
  const params = call.params as Readonly<Record<string, unknown>>;
  const ofPath = typeof params[param] === "string" ? params[param] : undefined;
  const { action, object } = others !== undefined && ofPath?.startsWith(others.prefix) ? others : audit;
  return {
    action,
    by: call.caller === null ? { type: "unknown", id: null, name: null, email: null } : toRecorder(call.caller),
    address: call.client.address,
    object,
    objectId: ofPath ?? toOwnId(audit, call),
    workspaceId: call.workspaceId,
    log,
    request: pick(call, keep),
    effect,
  };
}

/** For a route whose object is the caller. */
function toOwnId({ object }: Audited, { caller }: Call): string | undefined {
  return object?.isPerson ? (caller?.userId ?? undefined) : undefined;
}

function toRecorder(caller: Caller): Recorder {
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

async function countFailure({ failuresOf }: Audit, call: Call, server: Server): Promise<void> {
  if (failuresOf === undefined) return;
  const typed = (call.body as unknown as Readonly<Record<string, unknown>>)[failuresOf ?? ""];
  const { userId } = call.caller ?? { userId: null };
  const own = userId === null ? null : (await findActor(server.store.read, toPerson(userId))).email;
  await server.countFailedLogin(typeof typed === "string" ? typed : (own ?? ""), call.client.address);
}
