// What was heard in the SMTP session of a test, or claimed of it by whoever uploaded the message. Snake case, as the
// whole Test resource is (decisions §1).

import { z } from "zod";
import { timestamp } from "./primitives.ts";

const address = z.string().nullable();

export const transport = z
  .strictObject({
    source: z.enum(["smtp", "claimed"]).describe("claimed: an upload; null then means that nobody said."),
    client_address: address,
    client_port: z.int().nullable(),
    client_name: z.string().nullable().describe("As XCLIENT gave it."),
    reverse_name: z
      .string()
      .nullable()
      .describe("The client's name in DNS; null until analysed, without one, and where DNS did not answer."),
    via: z
      .strictObject({ how: z.enum(["proxy-v1", "proxy-v2", "xclient"]), address: z.string() })
      .nullable()
      .describe("Who told the client's address, when it was not the connection itself."),
    helo: z.string().nullable(),
    protocol: z.string(),
    tls: z
      .strictObject({ version: z.string(), cipher: z.string(), server_name: z.string().nullable() })
      .nullable(),
    mail_from: address.describe("As sent; empty for the null reverse-path."),
    mail_parameters: z.array(z.string()),
    rcpt_to: z.array(z.string()).describe("This workspace's own alone."),
    rcpt_parameters: z.array(z.array(z.string())),
    pipelining: z.boolean(),
    smtp_utf8: z.boolean(),
    body: z
      .strictObject({
        bare_lf: z.int(),
        bare_cr: z.int(),
        nul: z.int(),
        longest_line: z.int(),
        has_eight_bit: z.boolean(),
      })
      .nullable()
      .describe("What a stricter server would have refused in the bytes of DATA; null until analysed."),
    connected_at: timestamp.nullable(),
    data_started_at: timestamp.nullable(),
    data_ended_at: timestamp.nullable(),
    looped: z
      .boolean()
      .describe("This server handed the message to itself: it was not sent over the internet."),
    transcript: z.array(
      z.strictObject({ at: timestamp, from: z.enum(["client", "server"]), line: z.string() }),
    ),
  })
  .meta({ id: "Transport" });

export type Transport = z.infer<typeof transport>;
