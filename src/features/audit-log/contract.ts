// The audit log: who did what, when, on what, and from where.

import { z } from "zod";
import { isActionOrGroup } from "../../platform/audit/rules/actions.ts";
import { actorTypes, auditOutcomes } from "../../platform/audit/rules/entry.ts";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { pageOf, queryInteger, requestTime, timestamp } from "../../platform/contract/primitives.ts";

const auditEntry = z
  .strictObject({
    number: z.int().describe("Counts from 1 without gaps. The order of the entries, also if the clock was set back."),
    at: timestamp,
    action: z.string().describe("What was done, such as `token.revoke`. These IDs never change."),
    summary: z.string().describe("The same as a sentence."),
    actor: z.strictObject({
      type: z
        .enum(actorTypes)
        .describe(
          "`command`: a command in the server's terminal. `system`: Assay, or the login provider that `name` says. `unknown`: a stranger.",
        ),
      id: z.string().nullable(),
      name: z.string().nullable().describe("As it was at that time."),
      email: z.string().nullable().describe("Of the person, or of the person who created the token."),
    }),
    object: z
      .strictObject({ kind: z.string().nullable(), id: z.string().nullable(), name: z.string().nullable() })
      .nullable()
      .describe("What it was done to. It may be gone."),
    outcome: z
      .enum(auditOutcomes)
      .describe(
        "`failed`: it began to take effect, and then an error ended it. The entry before it says what began. `started`: recorded before, because the effect is outside the database. Without a later entry, it was interrupted.",
      ),
    times: z.int().describe("More than 1 only for failed logins, which are combined."),
    address: z.string().nullable().describe("The client's IP address. `null` for commands and for Assay."),
    details: z
      .record(z.string(), z.unknown())
      .describe(
        "`before` and `after` (of a change, only what differs), `request`, `secrets` (secrets that were set or changed, without their values), `error`.",
      ),
    hash: z.string().describe("SHA-256 of this entry and the hash of the one before it."),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntry>;

const part = z.string().min(1).max(200);

const which = {
  log: z
    .enum(["workspace", "server"])
    .default("workspace")
    .describe("`server`: for owners of the server's first workspace."),
};

const span = {
  since: requestTime.optional().describe("Entries from this time on."),
  until: requestTime.optional().describe("Entries before this time."),
};

export const listAudit = defineEndpoint({
  method: "GET",
  path: "/api/audit",
  access: "owner",
  token: "admin",
  summary: "Lists the audit log, newest first: who did what, when, on what, and from where.",
  query: z.strictObject({
    ...which,
    ...span,
    actor: part.optional().describe("An ID, or a part of a name or an email address."),
    action: part
      .refine(isActionOrGroup, "must be an action like token.revoke, or a group like token")
      .optional()
      .describe("An action, or a group: the part before the dot."),
    object: part.optional().describe("A kind, an ID, or a part of a name."),
    text: part.optional().describe("A part of any name, address or detail."),
    limit: queryInteger(1, 100).default(50).describe("Maximum number of items."),
    offset: queryInteger(0, 10_000).default(0).describe("Number of items to skip."),
    cursor: queryInteger(1).optional().describe("`next` from the previous page. `offset` then counts from there."),
  }),
  answer: pageOf(auditEntry),
});

export const exportAudit = defineEndpoint({
  method: "GET",
  path: "/api/audit/export",
  access: "owner",
  token: "admin",
  summary:
    "Downloads the audit log, oldest first, as JSON lines: one entry of `GET /api/audit` in each line, with the name of its `log`.",
  query: z.strictObject({ ...which, ...span }),
  answer: { mediaType: "application/x-ndjson", download: true },
});
