// Seed mailboxes that are read over IMAP with a password (src/decisions.md, "Seed mailboxes"). They are integrations:
// listed and disconnected with the others.

import { z } from "zod";
import { providers } from "../placement/provider.ts";
import { host } from "../setting-kinds.ts";
import { defineEndpoint } from "./endpoint.ts";
import { integrationRecord } from "./integration-record.ts";
import { email, type FieldRefusals, idParams } from "./primitives.ts";

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

/** A line break would end the command that it stands in. */
const oneLine = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine((text) => !/[\r\n\0]/.test(text), "must have no line break and no NUL");

const password = oneLine(1_000);

export const createMailbox = defineEndpoint({
  method: "POST",
  path: "/api/integrations/imap",
  access: "member",
  summary:
    "Connects a seed mailbox by IMAP. We log in at once, for at most 10 s; what does not work is not kept. It is only read: nothing is marked as seen, moved, flagged or deleted.",
  body: z
    .strictObject({
      host: hostName.describe(
        "An address that is not of the public internet is refused, unless the server's operator allows it.",
      ),
      port: z.int().describe("143 or 993, unless the server's operator lists others."),
      tls: z
        .boolean()
        .describe("True: from the first byte, as on 993. False: by STARTTLS, without which nobody logs in."),
      user: oneLine(300),
      password: password.describe(
        "Of Gmail, Yahoo and iCloud an app password, which their account pages make; it is kept encrypted.",
      ),
      provider: z
        .enum(providers)
        .nullish()
        .describe("Whose placement it shows; null: its own alone. Known by the host unless given."),
      address: email.optional().describe("Where mail reaches it, where the user name is no e-mail address."),
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

/** As it is typed. */
export type WantedMailbox = z.input<typeof createMailbox.body>;

export const changeMailbox = defineEndpoint({
  method: "PATCH",
  path: "/api/integrations/:id",
  access: "member",
  summary:
    "Gives a seed mailbox that is read by IMAP its new password. We log in with it at once; one that does not work changes nothing.",
  params: idParams,
  body: z.strictObject({ password }).meta({ examples: [{ password: "qrst uvwx yzab cdef" }] }),
  answer: integrationRecord,
  errors: ["conflict", "invalid_url", "rate_limited", "overloaded"],
});
