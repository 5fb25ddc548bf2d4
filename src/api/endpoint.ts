// An endpoint is a value: what is asked, who may ask, what is answered. Validation, the handler's types, OpenAPI, /docs
// and the isolation law are all made from it, so that none of them can tell another story.

import { z } from "zod";
import type { RefusalCode } from "../errors.ts";

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

export function isMedia(content: Endpoint["answer"] | Endpoint["body"]): content is Media {
  return content !== null && "mediaType" in content;
}
