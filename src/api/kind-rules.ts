// Which kind of message a sender or a label stands for: it goes before what is inferred.

import { z } from "zod";
import { kinds } from "../checks/kind.ts";
import { kindMatches } from "../checks/kind-rules.ts";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, idParams, listOf, timestamp } from "./primitives.ts";

const match = z
  .enum(kindMatches)
  .describe(
    "from: the address in From. from-domain: its domain and all below it. label: what follows the plus in the seed address.",
  );

export const kindRule = z
  .strictObject({
    id: identifier("kindRule"),
    match,
    value: z.string().describe("In lower case; domains in A-labels."),
    kind: z.enum(kinds),
    createdAt: timestamp,
  })
  .meta({ id: "KindRule" });
export type KindRule = z.infer<typeof kindRule>;

export const listKindRules = defineEndpoint({
  method: "GET",
  path: "/api/kind-rules",
  access: "member",
  summary: "The workspace's rules for the kind of messages, oldest first.",
  answer: listOf(kindRule),
});

export const createKindRule = defineEndpoint({
  method: "POST",
  path: "/api/kind-rules",
  access: "member",
  summary:
    "Remembers the kind of a sender's or label's messages. It holds for analyses from now on, and replaces the rule for the same sender or label. A kind set for one message goes before it; an address goes before a domain, and a domain before a label.",
  body: z.strictObject({ match, value: z.string().min(1).max(400), kind: z.enum(kinds) }).meta({
    examples: [
      { match: "from", value: "news@example.com", kind: "bulk" },
      { match: "label", value: "receipts", kind: "transactional" },
    ],
  }),
  answer: kindRule,
  errors: ["conflict"],
});

export const deleteKindRule = defineEndpoint({
  method: "DELETE",
  path: "/api/kind-rules/:id",
  access: "member",
  summary: "Deletes a kind rule. Reports made with it stay as they are.",
  params: idParams,
  answer: null,
});
