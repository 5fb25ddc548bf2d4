// DMARC aggregate reports and TLS reports that came by mail (RFC 9990, RFC 8460).

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, idParams, pageOf, pageQuery, timestamp } from "./primitives.ts";

export const mailReport = z
  .strictObject({
    id: identifier("mailReport"),
    type: z.enum(["dmarc", "tls"]),
    receivedAt: timestamp,
    organization: z.string().nullable(),
    reportId: z.string().nullable(),
    domain: z.string().nullable().describe("The domain that is reported on."),
    beginsAt: timestamp.nullable(),
    endsAt: timestamp.nullable(),
    total: z.int().nullable().describe("Messages (dmarc) or sessions (tls) that it counts."),
    failed: z.int().nullable(),
    problem: z.string().nullable().describe("Why it could not be read."),
  })
  .meta({ id: "MailReport" });

export type MailReport = z.infer<typeof mailReport>;

export const listMailReports = defineEndpoint({
  method: "GET",
  path: "/api/reports",
  access: "member",
  summary: "DMARC and TLS reports, newest first.",
  query: z.strictObject(pageQuery("mailReport")),
  answer: pageOf(mailReport),
});

export const readRawMailReport = defineEndpoint({
  method: "GET",
  path: "/api/reports/:id/raw",
  access: "member",
  summary: "The message that it came in, exactly as it was received, as a download.",
  params: idParams,
  answer: { mediaType: "message/rfc822", download: true },
});
