// An endpoint is a value: what is asked, who may ask, what is answered. Validation, the handler's types, OpenAPI, /docs
// and the isolation law are all made from it, so that none of them can tell another story.

import { z } from "zod";
import { type RefusalCode, refusalCodes } from "../errors.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * public: anyone. caller: any valid token or session, no workspace named. member, owner: a caller with that role in the
 * workspace that `X-Workspace-Id` names. metrics: loopback, or the operator's metrics token.
 */
export type Access = "public" | "caller" | "member" | "owner" | "metrics";

/** Where a session may name the workspace on GET: a browser sends no header with a download or an event stream. */
export const workspaceParameter = "workspace";

/** A body or an answer that is not JSON; a download is saved, never shown. `schema`: of the JSON that it carries piece by piece. */
export type Media = { readonly mediaType: string; readonly download?: true; readonly schema?: z.ZodType };

type Declaration = {
  readonly method: Method;
  /** `:name` stands for a value that `params` describes. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** What a server may lack: then 503, whatever the body. */
  readonly needs?: "payments" | null;
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Header fields that this endpoint alone looks at, in lower case. */
  readonly headers?: z.ZodObject;
  /** What is not JSON is read by the handler, when it has room for it. */
  readonly body?: z.ZodType | Media;
  /** null answers without a body. */
  readonly answer: z.ZodType | Media | null;
  /** Where it is not the method's own: GET, PUT and PATCH 200, POST 201, no body 204. */
  readonly status?: 200 | 201 | 202 | 204 | 302;
  /** Beyond those that follow from access, params, query and body. */
  readonly errors?: readonly RefusalCode[];
};

const nothing = z.strictObject({});

type Defaults = {
  readonly params: typeof nothing;
  readonly query: typeof nothing;
  readonly headers: typeof nothing;
  readonly body: typeof nothing;
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly errors: readonly RefusalCode[];
  readonly needs: null;
};

export type Endpoint<D extends Declaration = Required<Declaration>> = D & Omit<Defaults, keyof D>;

export function defineEndpoint<const D extends Declaration>(declaration: D): Endpoint<D> {
  const status = declaration.answer === null ? 204 : declaration.method === "POST" ? 201 : 200;
  return {
    ...{ params: nothing, query: nothing, headers: nothing, body: nothing },
    ...{ errors: [], needs: null, status },
    ...declaration,
  };
}

/** What a client reads of its answer; null where that is no JSON. */
export type AnswerOf<E extends Pick<Endpoint, "answer">> = E["answer"] extends z.ZodType
  ? z.output<E["answer"]>
  : null;

/** What a client sends for a schema, before the schema reads it. */
export type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;

export function isMedia(content: Endpoint["answer"] | Endpoint["body"]): content is Media {
  return content !== null && "mediaType" in content;
}

/** The one form of every error (src/decisions.md, "Errors"). The code is the contract; the message may change. */
export const errorBody = z
  .strictObject({
    error: z.enum(refusalCodes),
    message: z.string(),
    field: z.string().optional().describe("The field of the request at fault."),
    requestId: z.string().optional().describe("With `internal`: the server's log line bears the same."),
  })
  .meta({
    id: "Error",
    examples: [{ error: "missing_name", message: '"name" is required.', field: "name" }],
  });

export type ErrorBody = z.infer<typeof errorBody>;

/** When each is answered. */
export const errorMeanings: Readonly<Record<RefusalCode, string>> = {
  missing_token: "The request says nothing of who asks.",
  forbidden:
    "The token is unknown, expired, revoked or of another workspace, or the caller's role is not enough.",
  not_found: "There is no such thing, or it belongs to another workspace.",
  plan_limit: "A ceiling of the workspace's plan is reached.",
  invalid_email: "A value is no e-mail address, or not one that may stand there.",
  missing_name: "A required name is missing or blank.",
  invalid_url: "A value is no address that may stand there.",
  billing_not_configured: "The payment provider's key is not set on this server.",
  invalid_request: "What no other code names: malformed JSON, an unknown field, a value out of range.",
  invalid_link: "The link is unknown, used or expired.",
  invalid_credentials: "E-mail and password do not fit.",
  rate_limited: "Too many requests; Retry-After says when to come back.",
  conflict: "It is not possible as things stand.",
  payload_too_large: "The body is over the most that is taken there: 1 MiB of JSON, or the largest message.",
  unsupported_media_type: "The body is not of the type that is taken there, or compressed.",
  method_not_allowed: "The path does not take this method; Allow says which it takes.",
  send_failed: "The sending provider refused; the message tells its answer.",
  integration_not_configured: "The provider's client is not set on this server.",
  overloaded: "The server has too much to do or cannot reach its database.",
  internal: "A fault of the server; its log has the cause under `requestId`.",
};
