// How to send a message to this server, for the page that waits for it: what an app must enter, and commands to paste.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";

const listener = z.strictObject({
  host: z.string().describe("What a client enters. For a listener on all addresses, the name of this request."),
  port: z.number().int(),
  reach: z
    .enum(["machine", "network", "all"])
    .describe("Who can connect: only this machine, a private network, or everyone whom no firewall stops."),
  login: z
    .enum(["any", "encrypted", "none"])
    .describe(
      "`any`: accepts any user name and password, or none. `encrypted`: the same, after STARTTLS. `none`: offers no SMTP AUTH.",
    ),
});

const snippet = z
  .strictObject({
    id: z.string(),
    label: z.string(),
    language: z.string().describe("For highlighting, and as a file name's extension."),
    text: z.string().nullable().describe("Ready to paste. `null` if only the note applies."),
    note: z.string().nullable(),
  })
  .meta({ id: "SendingSnippet" });

export type SendingSnippet = z.infer<typeof snippet>;

const receiving = z
  .strictObject({
    address: z.string().nullable().describe("The workspace's seed address. `null` if it has none that receives mail."),
    listeners: z.array(listener).describe("The first one is used in the snippets."),
    certificate: z
      .enum(["self-signed", "own"])
      .describe("For STARTTLS. Clients that verify certificates reject a self-signed one."),
    isProxied: z.boolean().describe("Whether a proxy may be in front of the listeners (ASSAY_SMTP_PROXY_FROM)."),
    isReserved: z
      .boolean()
      .describe("Whether the domain of the address is reserved, so that no other server can deliver mail to it."),
    snippets: z.array(snippet),
  })
  .meta({ id: "Receiving" });

export type Receiving = z.infer<typeof receiving>;

export const readReceiving = defineEndpoint({
  method: "GET",
  path: "/api/receiving",
  token: "read",
  summary: "Returns how to send a message to the workspace's seed address, with ready-made snippets.",
  answer: receiving,
});
