// A share shows the report of one test to anyone who has its link (src/decisions.md, "Shares").

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { identifier, listOf, timestamp } from "../../../platform/contract/primitives.ts";

const token = z.string().describe("The last part of the link.");

const fields = {
  id: identifier("share"),
  testId: identifier("test"),
  redactBody: z.boolean().describe("Whether the page hides content from the message body."),
  createdBy: z.string().nullable().describe("The user who created it. `null` for the server operator."),
  createdAt: timestamp,
  expiresAt: timestamp,
};

const share = z.strictObject(fields).meta({ id: "Share" });
export type Share = z.infer<typeof share>;

const createdShare = z
  .strictObject({ ...fields, url: z.string().describe("Shown only once.") })
  .meta({ id: "CreatedShare" });

export const createShare = defineEndpoint({
  method: "POST",
  path: "/api/tests/:id/shares",
  token: "write",
  labelToken: "path",
  summary:
    "Creates a public link to the test's report, without recipient addresses, the SMTP session, the source, and attachments. It stops working when it expires, when the test is deleted, or when its creator leaves the workspace.",
  body: z
    .strictObject({
      expiresInDays: z.int().min(1).max(90).default(30),
      redactBody: z.boolean().default(false).describe("Also leave out the message and what quotes it."),
    })
    .meta({ examples: [{ expiresInDays: 7, redactBody: true }] }),
  answer: createdShare,
  errors: ["conflict"],
});

export const listShares = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/shares",
  token: "read",
  labelToken: "path",
  summary: "Lists a test's active shares, oldest first, without their links.",
  answer: listOf(share),
});

export const deleteShare = defineEndpoint({
  method: "DELETE",
  path: "/api/shares/:id",
  token: "write",
  summary: "Ends a share immediately.",
});

export const readSharePage = defineEndpoint({
  method: "GET",
  path: "/s/:token",
  access: "public",
  summary:
    "Returns the shared report page. Invalid or expired links return `invalid_link`, as a web page if HTML is requested.",
  params: z.strictObject({ token }),
  headers: z.strictObject({ accept: z.string().optional().describe("With `text/html`, errors are web pages.") }),
  answer: { mediaType: "text/html" },
  errors: ["invalid_link"],
});

export const readSharedMessage = defineEndpoint({
  method: "GET",
  path: "/s/:token/message",
  access: "public",
  summary:
    "Returns the message of a shared report for the frame on its page: sanitized, without remote images, with recipient addresses masked and issues numbered. Returns `invalid_link` also if the share leaves out the body.",
  params: z.strictObject({ token }),
  answer: { mediaType: "text/html" },
  errors: ["invalid_link", "rate_limited", "overloaded"],
});
