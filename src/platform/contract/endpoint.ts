// An endpoint is a value: the request, who may make it, and the answer. Validation, handler types, OpenAPI, /docs and
// the isolation test all come from it, so they can't disagree.

import { z } from "zod";
import { type RefusalCode, refusalCodes } from "../errors.ts";
import { idParams } from "./primitives.ts";
import { stateCodes } from "./server-state-words.ts";
import type { TokenNeed } from "./token-scopes.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * public: anyone. caller: any valid token or session, without a workspace. member, owner: a caller with that role in
 * the workspace in `X-Workspace-Id`. token: an API token, in its own workspace, so the header is optional. metrics:
 * loopback, or the operator's metrics token.
 */
export type Access = "public" | "caller" | "member" | "owner" | "token" | "metrics";

/** Where a session can name the workspace on GET: browsers send no custom header with a download or an event stream. */
export const workspaceParameter = "workspace";

/**
 * A body or an answer that isn't JSON. A download is saved, never shown. `schema`: of the JSON in each piece of a
 * stream. `form`: the body may also be a form with the same bytes as its only file.
 */
export type Media = {
  readonly mediaType: string;
  /** The types of other forms of the answer, which the query asks for. */
  readonly otherTypes?: readonly string[];
  readonly download?: true;
  readonly form?: true;
  readonly schema?: z.ZodType;
};

type Declaration = {
  readonly method: Method;
  /** `:name` stands for a value that `params` describes. */
  readonly path: `/${string}`;
  /** Left out: member. */
  readonly access?: Access;
  /** Which scope an API token needs. Required where the access asks for a caller. */
  readonly token?: TokenNeed | null;
  /**
   * That a token of one label may call it. `path`: the tests in the path must have the label, which is checked before the
   * handler runs. `handler`: the handler keeps to the label of the call. Otherwise such a token is refused.
   */
  readonly labelToken?: "path" | "handler" | null;
  /** What a server may lack. It then answers 503, whatever the body is. */
  readonly needs?: "payments" | null;
  readonly summary: string;
  /** Left out: the ID, if the path has one. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Header fields that only this endpoint reads, in lower case. */
  readonly headers?: z.ZodObject;
  /** The handler reads a body that isn't JSON itself, when it has room for it. */
  readonly body?: z.ZodType | Media;
  /** Left out: an answer without a body. */
  readonly answer?: z.ZodType | Media | null;
  /** Other forms of the answer, which the query asks for. */
  readonly variants?: readonly z.ZodType[];
  /** Only if it differs from the default: 200 for GET, PUT and PATCH, 201 for POST, 204 without a body. */
  readonly status?: 200 | 201 | 202 | 204 | 302;
  /** A second status, for an answer without a body. */
  readonly emptyStatus?: 202 | 302 | null;
  /** In addition to those that follow from access, params, query and body. */
  readonly errors?: readonly RefusalCode[];
};

const nothing = z.strictObject({});

type Defaults<Path extends string> = {
  readonly access: "member";
  readonly answer: null;
  readonly params: Path extends `${string}/:id` | `${string}/:id/${string}` ? typeof idParams : typeof nothing;
  readonly query: typeof nothing;
  readonly headers: typeof nothing;
  readonly body: typeof nothing;
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly emptyStatus: null;
  readonly errors: readonly RefusalCode[];
  readonly needs: null;
  readonly token: null;
  readonly labelToken: null;
  readonly variants: readonly [];
};

export type Endpoint<D extends Declaration = Required<Declaration>> = D & Omit<Defaults<D["path"]>, keyof D>;

/** Who declares an endpoint for callers also says what their tokens need. */
type Declared<D extends Declaration> = D["access"] extends "public" | "metrics"
  ? { readonly token?: null }
  : { readonly token: TokenNeed };

export function defineEndpoint<const D extends Declaration>(declaration: D & Declared<D>): Endpoint<D>;
export function defineEndpoint(declaration: Declaration): Endpoint {
  const status = !declaration.answer ? 204 : declaration.method === "POST" ? 201 : 200;
  return {
    access: "member",
    answer: null,
    params: /\/:id(?:\/|$)/.test(declaration.path) ? idParams : nothing,
    query: nothing,
    headers: nothing,
    body: nothing,
    errors: [],
    needs: null,
    token: null,
    labelToken: null,
    emptyStatus: null,
    variants: [],
    status,
    ...declaration,
  };
}

/** What a client reads from the answer; null if it isn't JSON. */
export type AnswerOf<E extends Pick<Endpoint, "answer">> = E["answer"] extends z.ZodType ? z.output<E["answer"]> : null;

/** What a client sends for a schema, before the schema transforms it. */
export type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;

export function isMedia(content: Endpoint["answer"] | Endpoint["body"]): content is Media {
  return content !== null && "mediaType" in content;
}

/** The form of every error (src/decisions.md, "Errors"). The code is the contract; the message may change. */
export const errorBody = z
  .strictObject({
    error: z.enum(refusalCodes),
    message: z.string(),
    field: z.string().optional().describe("The invalid field in the request."),
    suggestion: z.string().optional().describe("A value for that field that would be accepted."),
    reasons: z
      .array(z.strictObject({ code: z.enum(stateCodes), message: z.string() }))
      .optional()
      .describe("Of `/readyz`: each thing that keeps the server from receiving mail."),
    requestId: z.string().optional().describe("With `internal`: the ID to search for in the server log."),
  })
  .meta({ id: "Error", examples: [{ error: "missing_name", message: '"name" is required.', field: "name" }] });

export type ErrorBody = z.infer<typeof errorBody>;

/** When each code is returned. */
export const errorMeanings: Readonly<Record<RefusalCode, string>> = {
  missing_token: "The request has no credentials, or the session has ended.",
  forbidden:
    "The token is invalid or has no access to the workspace, a required header is wrong, or the caller's role or the token's scope or label does not permit it.",
  not_found: "Not found, or it belongs to another workspace.",
  plan_limit: "The workspace has reached a plan limit.",
  invalid_email: "Invalid email address, or one that is not allowed here.",
  missing_name: "A required name is missing or blank.",
  invalid_url: "Invalid URL, or one that is not allowed here.",
  billing_not_configured: "This server has no payment provider.",
  invalid_request: "Any other problem with the request: malformed JSON, an unknown field, a value out of range.",
  invalid_link: "The link is invalid, has already been used, or has expired.",
  invalid_credentials: "Wrong email or password.",
  second_factor_required:
    "The password was right and the second factor is missing, or the workspace requires a session with one, or an API token whose creator has one.",
  rate_limited: "Too many requests. `Retry-After` says when to retry.",
  conflict: "Not possible in the current state.",
  payload_too_large: "The body is larger than the limit: 1 MiB for JSON, or the maximum message size.",
  unsupported_media_type: "The body has the wrong content type, or is compressed.",
  method_not_allowed: "The path does not support this method. `Allow` lists those it supports.",
  send_failed: "The sending provider rejected the message. The error message contains its reply.",
  integration_not_configured: "The provider's OAuth client is not configured on this server.",
  email_not_configured:
    "This server cannot send alerts by email. The error message names the settings that are missing.",
  overloaded: "The server is overloaded or cannot reach its database.",
  internal: "A server error. The server log has the cause under `requestId`.",
};
