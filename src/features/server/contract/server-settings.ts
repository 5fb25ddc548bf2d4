// Settings of the whole server that an owner of its first workspace changes while it runs: blocklists, resolvers and how
// long tests are kept.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { doctorRow } from "./doctor.ts";

const whose = "For owners of the server's first workspace.";

const serverSetting = z
  .strictObject({
    name: z.string().describe("Its name as an environment variable."),
    description: z.string(),
    takes: z.string().describe("What it can be."),
    value: z
      .string()
      .nullable()
      .describe(
        "The value in effect, as in the environment, without passwords. `null` if it is not set and has no default.",
      ),
    default: z.string().describe("In words."),
    source: z
      .enum(["given", "saved", "default"])
      .describe(
        "`given`: set in the server's environment or settings file, which can't be changed here. `saved`: set here.",
      ),
  })
  .meta({ id: "ServerSetting" });
export type ServerSetting = z.infer<typeof serverSetting>;

const scanner = z
  .strictObject({
    name: z.string().describe("The setting, such as `ASSAY_CLAMD`."),
    product: z.string(),
    isOn: z.boolean().describe("Whether it is set. `GET /api/doctor` says whether ClamAV responds."),
  })
  .meta({ id: "Scanner" });

export const listServerSettings = defineEndpoint({
  method: "GET",
  path: "/api/server-settings",
  access: "owner",
  token: "read",
  summary: `Lists the server settings that can be changed while it runs. ${whose}`,
  answer: z.strictObject({
    items: z.array(serverSetting),
    scanners: z.array(scanner).describe("Scanners of the operator that Assay can ask. Set at startup only."),
  }),
});

export const changeServerSetting = defineEndpoint({
  method: "PATCH",
  path: "/api/server-settings/:name",
  access: "owner",
  token: "admin",
  summary: `Changes a server setting. It takes effect at once, without a restart. \`ASSAY_BASE_URL\` must be changed under the new address. ${whose}`,
  params: z.strictObject({ name: z.string().describe("For example, `ASSAY_RETENTION_DAYS`.") }),
  body: z
    .strictObject({
      value: z
        .string()
        .max(4_000)
        .nullable()
        .describe(
          "As in the environment. `null` restores the default. What was read can be sent back: its password stays.",
        ),
    })
    .meta({ examples: [{ value: "365" }] }),
  answer: serverSetting,
  errors: ["not_found", "conflict", "invalid_url"],
});

export const testServerEmail = defineEndpoint({
  method: "POST",
  path: "/api/server-email/test",
  access: "owner",
  token: "admin",
  summary: `Sends a test message to the caller, as alerts, invitations, and password resets are sent. ${whose}`,
  answer: z
    .strictObject({
      delivered: z.boolean().describe("Whether the relay accepted it."),
      to: z.string(),
      from: z.string(),
      reply: z.string().nullable().describe("The mail server's. `null`: it did not respond."),
      problem: z.string().nullable().describe("`null` if it was accepted."),
    })
    .meta({ id: "ServerEmailTest" }),
  status: 200,
  errors: ["conflict", "email_not_configured", "rate_limited"],
});

const blocklistZone = z.strictObject({
  zone: z.string().describe("`_key` stands for the key that its owner gives each subscriber."),
  takesKey: z.boolean(),
  isOn: z.boolean(),
});

const blocklist = z
  .strictObject({
    name: z.string(),
    kind: z
      .enum(["address", "domain", "allow", "own"])
      .describe("Whether it lists IP addresses, domains, or good senders. `own`: a list that Assay doesn't know."),
    terms: z.string().nullable().describe("The owner's terms of use."),
    zones: z.array(blocklistZone).describe("The first one is recommended."),
  })
  .meta({ id: "Blocklist" });
export type Blocklist = z.infer<typeof blocklist>;

export const listBlocklists = defineEndpoint({
  method: "GET",
  path: "/api/blocklists",
  access: "owner",
  token: "read",
  summary: `Lists the DNS blocklists that Assay knows, and which ones are on. ${whose}`,
  answer: z.strictObject({ source: serverSetting.shape.source, items: z.array(blocklist) }),
});

const zoneParams = z.strictObject({ zone: z.string().max(253).describe("For example, `bl.spamcop.net`.") });

export const turnOnBlocklist = defineEndpoint({
  method: "PUT",
  path: "/api/blocklists/:zone",
  access: "owner",
  token: "admin",
  summary: `Turns a blocklist on for the whole server. ${whose}`,
  params: zoneParams,
  body: z
    .strictObject({
      key: z
        .string()
        .regex(/^[a-z0-9-]{1,63}$/i)
        .optional()
        .describe("For zones that take a key. It is stored encrypted and never shown."),
    })
    .meta({ examples: [{}] }),
  errors: ["conflict"],
});

export const turnOffBlocklist = defineEndpoint({
  method: "DELETE",
  path: "/api/blocklists/:zone",
  access: "owner",
  token: "admin",
  summary: `Turns a blocklist off. ${whose}`,
  params: zoneParams,
  errors: ["conflict"],
});

export const testBlocklist = defineEndpoint({
  method: "POST",
  path: "/api/blocklists/:zone/test",
  access: "owner",
  token: "admin",
  summary: `Looks up the test entries of a list that is on (RFC 5782). ${whose}`,
  params: zoneParams,
  answer: doctorRow,
  status: 200,
  errors: ["not_found"],
});
