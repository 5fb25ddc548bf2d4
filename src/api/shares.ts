// A share shows the report of one test to anyone who has its link (src/decisions.md, "Shares").

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, idParams, listOf, timestamp } from "./primitives.ts";

const fields = {
  id: identifier("share"),
  testId: identifier("test"),
  redactBody: z.boolean().describe("Whether the page leaves out what stands in the body of the message."),
  createdBy: z.string().nullable().describe("The user who made it; null: the server's operator."),
  createdAt: timestamp,
  expiresAt: timestamp,
};

const share = z.strictObject(fields).meta({ id: "Share" });
export type Share = z.infer<typeof share>;

const createdShare = z
  .strictObject({ ...fields, url: z.string().describe("Shown this once.") })
  .meta({ id: "CreatedShare" });

export const createShare = defineEndpoint({
  method: "POST",
  path: "/api/tests/:id/shares",
  access: "member",
  summary:
    "Makes a link with which anybody may see the test's report, without addresses of recipients, the session, the source and the attachments. It ends by itself, with the test, and with its maker's membership.",
  params: idParams,
  body: z
    .strictObject({
      expiresInDays: z.int().min(1).max(90).default(30),
      redactBody: z.boolean().default(false).describe("Leave out, too, what stands in the body."),
    })
    .meta({ examples: [{ expiresInDays: 7, redactBody: true }] }),
  answer: createdShare,
  errors: ["conflict"],
});

export const listShares = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/shares",
  access: "member",
  summary: "The shares of a test that have not ended, oldest first, without their links.",
  params: idParams,
  answer: listOf(share),
});

export const deleteShare = defineEndpoint({
  method: "DELETE",
  path: "/api/shares/:id",
  access: "member",
  summary: "Ends a share at once.",
  params: idParams,
  answer: null,
});

export const readSharePage = defineEndpoint({
  method: "GET",
  path: "/s/:token",
  access: "public",
  summary:
    "The page of a share, for people. A link that is unknown or has ended is refused with invalid_link: in words where HTML is asked for.",
  params: z.strictObject({ token: z.string().describe("What stands at the end of the link.") }),
  headers: z.strictObject({ accept: z.string().optional().describe("With text/html a refusal is a page.") }),
  answer: { mediaType: "text/html" },
  errors: ["invalid_link"],
});
