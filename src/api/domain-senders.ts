// How a monitored domain was seen to send, as the mail that came here proved it (decisions §7).

import { z } from "zod";
import { senderKinds } from "../reports/seen-senders.ts";
import { defineEndpoint } from "./endpoint.ts";
import { idParams, listOf, timestamp } from "./primitives.ts";

export const domainSender = z
  .strictObject({
    kind: z
      .enum(senderKinds)
      .describe(
        "selector: of a DKIM signature of the domain that verified. The others: the domain of the return path, the sending host's address and the name that it greeted with, of messages from the domain or one below it that passed SPF and DMARC.",
      ),
    value: z.string(),
    firstSeenAt: timestamp,
    lastSeenAt: timestamp,
    messages: z.int().describe("At least so many."),
    watched: z
      .boolean()
      .describe("Seen in the last 30 days, so that checks of the domain heed it. After 180 it is forgotten."),
  })
  .meta({ id: "DomainSender" });

export type DomainSender = z.infer<typeof domainSender>;

export const listDomainSenders = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/senders",
  access: "member",
  summary:
    "The DKIM selectors, return path domains, addresses and HELO names that a domain was seen to send with, the last seen first.",
  params: idParams,
  answer: listOf(domainSender),
});
