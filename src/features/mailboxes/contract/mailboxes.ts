// Seed mailboxes that are read over IMAP with a password (src/decisions.md, "Seed mailboxes"). They are integrations:
// listed and disconnected with the others.

import { z } from "zod";
import { providers } from "../../../analyzer/placement/provider.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { email, type FieldRefusals } from "../../../platform/contract/primitives.ts";
import { host } from "../../../platform/settings/setting-kinds.ts";
import { integrationRecord } from "./integration-record.ts";

const hostName = z
  .string()
  .max(300)
  .transform((typed, context) => {
    const name = host.read(typed.trim().toLowerCase());
    if (name !== undefined) return name;
    context.addIssue({ code: "custom", message: "must be a host name or an IP address" });
    return z.NEVER;
  })
  .meta({ invalid: "invalid_url" } satisfies FieldRefusals);

/** A line break would end the IMAP command. */
const oneLine = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine((text) => !/[\r\n\0]/.test(text), "must not contain line breaks or NUL characters");

const password = oneLine(1_000);

export const createMailbox = defineEndpoint({
  method: "POST",
  path: "/api/integrations/imap",
  token: "admin",
  summary:
    "Connects a mailbox over IMAP, as a seed mailbox or a seed inbox. Assay tries to log in for up to 10 seconds and stores nothing if that fails. Access is read-only: no message is marked as seen, moved, flagged or deleted.",
  body: z
    .strictObject({
      host: hostName.describe("Non-public addresses are rejected unless the server operator allows them."),
      port: z.int().describe("143 or 993, unless the server operator allows others."),
      tls: z
        .boolean()
        .describe("`true`: TLS from the start, as on port 993. `false`: STARTTLS, which is required before login."),
      user: oneLine(300),
      password: password.describe(
        "Gmail, Yahoo, and iCloud require an app password, which you create in the account settings. Stored encrypted.",
      ),
      provider: z
        .enum(providers)
        .nullish()
        .describe(
          "The provider whose placement it represents. `null` if it counts only for itself. Detected from the host if omitted.",
        ),
      reads: z
        .enum(["placement", "tests"])
        .optional()
        .describe(
          "`placement` (default): shows where messages of tests land. `tests`: it is a seed inbox, and each new message in its inbox or spam folder becomes a test.",
        ),
      trust: z
        .array(hostName)
        .max(5)
        .optional()
        .describe(
          "For `tests`: further names under which the provider writes Received and Authentication-Results. Those of Gmail, Outlook.com, Yahoo, iCloud, and Fastmail are known, and so is the domain of `host`.",
        ),
      address: email.optional().describe("The mailbox's email address, if the username is not one."),
    })
    .meta({
      examples: [
        {
          host: "imap.gmail.com",
          port: 993,
          tls: true,
          user: "seed@gmail.com",
          password: "abcd efgh ijkl mnop",
          provider: "gmail",
        },
      ],
    }),
  answer: integrationRecord,
  errors: ["conflict", "invalid_email", "rate_limited", "overloaded"],
});

/** As typed. */
export type WantedMailbox = z.input<typeof createMailbox.body>;

export const changeMailbox = defineEndpoint({
  method: "PATCH",
  path: "/api/integrations/:id",
  token: "admin",
  summary:
    "Changes the password or the login of a seed mailbox read over IMAP. Assay tries to log in first and changes nothing if that fails.",
  body: z
    .strictObject({
      password,
      user: oneLine(300)
        .optional()
        .describe(
          "The username, if it changed. After the server's secret key was lost, it is the mailbox's address if omitted.",
        ),
    })
    .meta({ examples: [{ password: "qrst uvwx yzab cdef" }] }),
  answer: integrationRecord,
  errors: ["conflict", "invalid_url", "rate_limited", "overloaded"],
});
