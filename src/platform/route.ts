// A route is an endpoint with its handler. The handler gets only admitted and validated input, and its answer has the
// endpoint's type. It throws a Refusal for every error that the caller should see.

import type { z } from "zod";
import type { Intent } from "./audit/rows/recording.ts";
import type { Access, Endpoint, Media } from "./contract/endpoint.ts";
import type { WorkspaceStore } from "./database/scope.ts";
import type { Admission, Caller, SessionCaller } from "./http/callers/caller.ts";
import type { Client } from "./http/client-address.ts";
import type { Provenance } from "./http/same-origin.ts";
import type { Server } from "./server.ts";

type Admitted<A extends Access> = A extends "member" | "owner" | "token"
  ? { readonly caller: Caller; readonly workspaceId: string; readonly store: WorkspaceStore }
  : A extends "caller"
    ? { readonly caller: Caller; readonly workspaceId: null }
    : Admission;

/** No token gets there. */
type Person<E extends Endpoint> = E["token"] extends "person" ? { readonly caller: SessionCaller } : unknown;

export type Call<E extends Endpoint = Endpoint> = Admitted<E["access"]> &
  Person<E> & {
    readonly params: z.output<E["params"]>;
    readonly query: z.output<E["query"]>;
    readonly headers: z.output<E["headers"]>;
    readonly body: E["body"] extends z.ZodType ? z.output<E["body"]> : RawBody;
    readonly client: Client;
    readonly provenance: Provenance;
    /** The only label whose tests the caller's token reaches. Null: all tests. */
    readonly label: string | null;
    /** For answers that take long: throws once the caller may no longer have them. */
    readonly admitAgain: () => Promise<Admission>;
    /** For endless answers: calls back when the client has closed its side. Returns a function that stops this. */
    readonly followClient: (ended: () => void) => () => void;
    readonly cookie: SessionCookie;
    /** The answer has no body. */
    readonly isHead: boolean;
  };

/** The browser's cookies: those in the request, and those to set in the answer. */
export type SessionCookie = {
  readonly secret: string | null;
  readonly set: (secret: string) => void;
  readonly end: () => void;
  /** The value of the cookie that a browser keeps after its session (platform/contract/known-browsers.ts). */
  readonly knownBrowser: string | null;
  readonly setKnownBrowser: (value: string) => void;
  /** Value of the cookie of a login at an issuer that isn't finished (platform/contract/login-cookie.ts). */
  readonly login: string | null;
};

/** A body that isn't JSON, not read yet. */
export type RawBody = {
  /** Null if the sender did not declare the length. */
  readonly saidBytes: number | null;
  readonly read: (limitBytes: number) => Promise<Uint8Array>;
  /** A header that belongs to the body, such as a signature. `name` in lower case. */
  readonly header: (name: string) => string | null;
};

/** A workspace route gets its workspace's part of the store, never the whole store. */
type HandlerServer<A extends Access> = A extends "member" | "owner" ? Omit<Server, "store"> : Server;

/** What isn't JSON is answered as a complete Response. Missing security headers are added. */
type Answer<E extends Endpoint> = E["answer"] extends z.ZodType
  ? ReadOnly<z.input<E["answer"] | E["variants"][number]>>
  : E["answer"] extends Media
    ? Response
    : undefined;

type ReadOnly<T> = T extends object ? { readonly [Key in keyof T]: ReadOnly<T[Key]> } : T;

export type Handler<E extends Endpoint, S = unknown> = (
  call: Call<E>,
  server: HandlerServer<E["access"]>,
  state: S,
) => Answer<E> | Promise<Answer<E>>;

/** What the audit log records of a route, beside its handler. The write that makes the change says so (`recordChange`). */
export type Audited = Pick<Intent, "action" | "object" | "effect"> & {
  /** The parameter of the path with the object's ID. Default: id. */
  readonly param?: string;
  /** Another kind of object, which IDs with this prefix are of. */
  readonly others?: Pick<Intent, "action" | "object"> & { readonly prefix: string };
  /** Fields of the body or the query that are recorded. None of them may be secret. */
  readonly keep?: readonly string[];
  /** Default: the workspace's log for a route of a workspace. */
  readonly log?: "server" | "both" | "person";
} & Failures;

type Unaudited = { readonly nothing: string } & Failures;

/** Counts wrong passwords, for the account in this field of the body. Null: the caller's. */
type Failures = { readonly failuresOf?: string | null };

export type Audit = Audited | Unaudited;

export const readsOnly: Audit = { nothing: "It computes an answer and changes nothing." };
export const sendsOnly: Audit = {
  nothing: "It sends something that the workspace already set up. The result is stored.",
};
export const byStranger: Audit = {
  nothing: "A stranger with a link or a provider calls it, and nothing is set up by it.",
};

export type Route = {
  readonly endpoint: Endpoint;
  readonly handler: (call: Call, server: Server, state?: unknown) => unknown;
  /** Whatever the answer follows from, beside the request and the version. Read often, and cheaper than the answer. */
  readonly state?: ((call: Call, server: Server) => Promise<unknown>) | undefined;
  readonly audit: Audit | undefined;
};

type Recordable = { readonly recording: (audit: Audit) => Route };

/** One that changes something is no route yet: it also says what the audit log records, or why nothing. */
export function route<const E extends Endpoint, S = undefined>(
  endpoint: E,
  handler: Handler<E, S>,
  state?: (call: Call<E>, server: HandlerServer<E["access"]>) => Promise<S>,
): E["method"] extends "GET" ? Route & Recordable : Recordable {
  // `answerCall` passes only values validated by this endpoint, which the type of the route list can't express.
  const given = { handler, state } as unknown as Pick<Route, "handler" | "state">;
  const plain = { endpoint, ...given, audit: undefined };
  return { ...plain, recording: (audit) => ({ ...plain, audit }) };
}
