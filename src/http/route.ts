// A route is an endpoint with its handler. The handler gets only what was admitted and validated, and its answer has the
// endpoint's type; it throws a Refusal for everything that the caller is to be told.

import type { z } from "zod";
import type { Access, Endpoint, Media } from "../api/endpoint.ts";
import { Refusal } from "../errors.ts";
import type { WorkspaceStore } from "../store/scope.ts";
import type { Payments } from "../tasks/billing/payments.ts";
import type { Admission } from "./auth.ts";
import type { Caller } from "./callers.ts";
import type { Client } from "./client-address.ts";
import type { Dependencies } from "./dependencies.ts";

type Admitted<A extends Access> = A extends "member" | "owner"
  ? { readonly caller: Caller; readonly workspaceId: string; readonly store: WorkspaceStore }
  : A extends "caller"
    ? { readonly caller: Caller; readonly workspaceId: null }
    : Admission;

export type Call<E extends Endpoint = Endpoint> = Admitted<E["access"]> & {
  readonly params: z.output<E["params"]>;
  readonly query: z.output<E["query"]>;
  readonly headers: z.output<E["headers"]>;
  readonly body: E["body"] extends z.ZodType ? z.output<E["body"]> : RawBody;
  readonly client: Client;
  /** For answers that go on: throws once the caller may no longer have it. */
  readonly admitAgain: () => Promise<unknown>;
  /** For answers that would go on for ever: tells when the client has said its last; answers how to be told no more. */
  readonly followClient: (ended: () => void) => () => void;
  readonly cookie: SessionCookie;
};

/** The cookie of the browser's session: what came with the request, and what is to go with the answer. */
export type SessionCookie = {
  readonly secret: string | null;
  readonly set: (secret: string) => void;
  readonly end: () => void;
};

/** A body that is not JSON, still unread. */
export type RawBody = {
  /** Null where its sender did not say how long it is. */
  readonly saidBytes: number | null;
  readonly read: (limitBytes: number) => Promise<Uint8Array>;
  /** A header beside it that belongs to it, like a signature. `name` in lower case. */
  readonly header: (name: string) => string | null;
};

/** A route of a workspace has its part of the store, in the call, and never the whole of it. */
type HandlerDependencies<A extends Access> = A extends "member" | "owner"
  ? Omit<Dependencies, "store">
  : Dependencies;

/** What is not JSON is answered as a whole Response; the security headers that it lacks are added. */
type Answer<E extends Endpoint> = E["answer"] extends z.ZodType
  ? ReadOnly<z.input<E["answer"]>>
  : E["answer"] extends Media
    ? Response
    : undefined;

type ReadOnly<T> = T extends object ? { readonly [Key in keyof T]: ReadOnly<T[Key]> } : T;

export type Handler<E extends Endpoint> = (
  call: Call<E>,
  dependencies: HandlerDependencies<E["access"]>,
) => Answer<E> | Promise<Answer<E>>;

export type Route = {
  readonly endpoint: Endpoint;
  readonly handler: (call: Call, dependencies: Dependencies) => unknown;
};

export function route<const E extends Endpoint>(endpoint: E, handler: Handler<E>): Route {
  // What `answerCall` passes was validated by this very endpoint, which the list of routes cannot express.
  return { endpoint, handler: handler as unknown as Route["handler"] };
}

// What an endpoint needs and this server may lack: answered before the body is validated (src/decisions.md, "Plans").

export function checkNeeds({ needs }: Endpoint, dependencies: Dependencies): void {
  if (needs === "payments") paymentsOf(dependencies);
}

export function paymentsOf({ payments }: Pick<Dependencies, "payments">): Payments {
  if (payments === null)
    throw new Refusal(
      "billing_not_configured",
      "This server has no payment provider: ASSAY_STRIPE_SECRET_KEY is not set.",
    );
  return payments;
}
