// The server check, as `assay doctor` shows it: is everything in place for mail to arrive and be analyzed? For the owners of
// the server's first workspace, who operate it (src/decisions.md, "Seed inboxes").

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { timestamp } from "./primitives.ts";

const doctorRow = z
  .strictObject({
    id: z.string().describe("Names what was looked at; several rows may bear the same."),
    label: z.string(),
    state: z
      .enum(["green", "red", "grey"])
      .describe("green: it is well; red: it is not; grey: it cannot be told or does not apply."),
    says: z.string(),
    fix: z.string().nullable().describe("What to do."),
  })
  .meta({ id: "DoctorRow" });
export type DoctorRow = z.infer<typeof doctorRow>;

const wantedRecord = z.strictObject({
  type: z.enum(["MX", "A", "AAAA"]),
  name: z.string(),
  value: z
    .string()
    .nullable()
    .describe("Null: the public address that leads to this machine, which itself knows only private ones."),
});

const wantedSetting = z.strictObject({ name: z.string(), value: z.string(), isSet: z.boolean() });

const domainLook = z
  .strictObject({
    domain: z.string(),
    records: z.array(wantedRecord).describe("To publish, so that its mail comes here."),
    settings: z.array(wantedSetting).describe("Of this server; they are read when it starts."),
    rows: z.array(doctorRow),
    isPublished: z
      .boolean()
      .describe("DNS says all that it is to say, as far as that can be told from this machine."),
  })
  .meta({ id: "DomainLook" });
export type DomainLook = z.infer<typeof domainLook>;

const whose = "For owners of the server's first workspace.";

export const readDoctor = defineEndpoint({
  method: "GET",
  path: "/api/doctor",
  access: "owner",
  summary: `What \`assay doctor\` says of this server; what was found is kept for a minute. ${whose}`,
  query: z.strictObject({
    fresh: z.literal("1").optional().describe("Looks again now, unless that was done within 5 seconds."),
  }),
  answer: z.strictObject({ examinedAt: timestamp, items: z.array(doctorRow) }).meta({ id: "DoctorReport" }),
});

export const lookAtOwnDomain = defineEndpoint({
  method: "GET",
  path: "/api/doctor/mx",
  access: "owner",
  summary: `Whether the mail of a domain comes to this server, and what is missing: asks DNS anew about that name and the servers that it names. ${whose}`,
  query: z.strictObject({ domain: z.string().max(2_000).describe("As `seed.example.com`.") }),
  answer: domainLook,
  errors: ["rate_limited", "overloaded"],
});

export const readHealth = defineEndpoint({
  method: "GET",
  path: "/healthz",
  access: "public",
  summary: "Says that the process is alive.",
  answer: z.strictObject({ status: z.literal("ok") }),
});

export const readReadiness = defineEndpoint({
  method: "GET",
  path: "/readyz",
  access: "public",
  summary: "Says that the database can be written and mail is listened for.",
  answer: z.strictObject({ status: z.literal("ready") }),
  errors: ["overloaded"],
});

export const readMetrics = defineEndpoint({
  method: "GET",
  path: "/metrics",
  access: "metrics",
  summary: "Figures for Prometheus: on loopback, or with the token in ASSAY_METRICS_TOKEN.",
  answer: { mediaType: "text/plain" },
});
