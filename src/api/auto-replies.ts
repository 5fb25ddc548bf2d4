// Automatic replies and read receipts: kept, and neither tests nor bounces (decisions §4).

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, idParams, pageOf, pageQuery, timestamp } from "./primitives.ts";

export const autoReply = z
  .strictObject({
    id: identifier("test"),
    receivedAt: timestamp,
    from: z.string().nullable(),
    subject: z.string().nullable(),
    to: z.array(z.string()),
  })
  .meta({ id: "AutoReply" });

export type AutoReply = z.infer<typeof autoReply>;

export const listAutoReplies = defineEndpoint({
  method: "GET",
  path: "/api/auto-replies",
  access: "member",
  summary: "Automatic replies and read receipts, newest first.",
  query: z.strictObject(pageQuery("test")),
  answer: pageOf(autoReply),
});

export const readRawAutoReply = defineEndpoint({
  method: "GET",
  path: "/api/auto-replies/:id/raw",
  access: "member",
  summary: "The message exactly as it was received, as a download.",
  params: idParams,
  answer: { mediaType: "message/rfc822", download: true },
});
