// The server check, as `assay doctor` shows it: is everything ready for mail to arrive and be analyzed? For owners of
// the server's first workspace, who operate it (src/decisions.md, "Seed inboxes").

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { timestamp } from "../../../platform/contract/primitives.ts";
import { postponedWork, stateCodes } from "../../../platform/contract/server-state-words.ts";

export const doctorRow = z
  .strictObject({
    id: z.string().describe("The check's ID. Several rows can have the same one."),
    label: z.string(),
    state: z.enum(["green", "red", "grey"]).describe("`green`: OK. `red`: not OK. `grey`: unknown or not applicable."),
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
    .describe("`null` means this machine's public address, if the machine only knows its private ones."),
});

const wantedSetting = z.strictObject({
  name: z.string(),
  value: z.string().describe("What is missing, together with what is set now."),
  isSet: z.boolean(),
  inApp: z
    .boolean()
    .describe("Whether `PATCH /api/server-settings/:name` can change it. If not, change it on the server and restart."),
});

const domainLook = z
  .strictObject({
    domain: z.string(),
    records: z.array(wantedRecord).describe("Records to publish so that mail arrives at this server."),
    settings: z.array(wantedSetting).describe("Server settings."),
    rows: z.array(doctorRow),
    isPublished: z.boolean().describe("Whether DNS is set up correctly, as far as this machine can tell."),
  })
  .meta({ id: "DomainLook" });
export type DomainLook = z.infer<typeof domainLook>;

const whose = "For owners of the server's first workspace.";

export const readDoctor = defineEndpoint({
  method: "GET",
  path: "/api/doctor",
  access: "owner",
  token: "read",
  summary: `Returns the results of \`assay doctor\`, cached for one minute. ${whose}`,
  query: z.strictObject({
    fresh: z.literal("1").optional().describe("Checks again now, unless the last check was less than 5 seconds ago."),
  }),
  answer: z.strictObject({ examinedAt: timestamp, items: z.array(doctorRow) }).meta({ id: "DoctorReport" }),
});

export const lookAtOwnDomain = defineEndpoint({
  method: "GET",
  path: "/api/doctor/mx",
  access: "owner",
  token: "read",
  summary: `Checks whether mail for a domain can reach this server, and lists what is missing. Looks up the domain and its mail servers again. ${whose}`,
  query: z.strictObject({ domain: z.string().max(2_000).describe("For example, `seed.example.com`.") }),
  answer: domainLook,
  errors: ["rate_limited", "overloaded"],
});

export const readServerState = defineEndpoint({
  method: "GET",
  path: "/api/server-state",
  token: "read",
  summary: "Returns what keeps mail from being received now, and what waits because of the load.",
  answer: z
    .strictObject({
      items: z.array(
        z.strictObject({
          code: z.enum(stateCodes),
          message: z.string(),
          fix: z.string(),
          since: timestamp,
          deferred: z.int().describe("Messages and clients that this process asked to try again later."),
        }),
      ),
      postponed: z.array(z.enum(postponedWork)).describe("In the order in which work is postponed."),
    })
    .meta({ id: "ServerState" }),
});

export const readHealth = defineEndpoint({
  method: "GET",
  path: "/healthz",
  access: "public",
  summary: "Liveness probe: the process is running.",
  answer: z.strictObject({ status: z.literal("ok") }),
});

export const readReadiness = defineEndpoint({
  method: "GET",
  path: "/readyz",
  access: "public",
  summary: "Readiness probe: whether this process accepts mail. If not, `reasons` says why.",
  query: z.strictObject({
    for: z
      .enum(["mail", "web"])
      .optional()
      .describe("`web`: whether the app and the API work, also while mail is deferred. `mail` by default."),
  }),
  answer: z.strictObject({
    status: z.literal("ready"),
    reasons: z
      .array(z.strictObject({ code: z.enum(stateCodes), message: z.string() }))
      .optional()
      .describe("Trouble that passes, or that another process would have too."),
    postponed: z.array(z.enum(postponedWork)).optional().describe("What waits because of the load."),
  }),
  errors: ["overloaded"],
});

export const readMetrics = defineEndpoint({
  method: "GET",
  path: "/metrics",
  access: "metrics",
  summary: "Returns Prometheus metrics. Available on loopback, or with the token in ASSAY_METRICS_TOKEN.",
  answer: { mediaType: "text/plain" },
});
