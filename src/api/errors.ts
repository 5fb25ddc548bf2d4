import { z } from "zod";
import { type RefusalCode, refusalCodes } from "../errors.ts";

/** The one form of every error (decisions §2). The code is the contract; the message may change. */
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
