// How a monitored domain stands: what to do first, and each area in a sentence.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { standingAreas, standingStates } from "../rules/standing.ts";

const standingItem = z.strictObject({
  area: z.enum(standingAreas).describe("`policy`: the next step of the DMARC policy."),
  state: z
    .enum(standingStates)
    .describe("`unknown`: too little is known to call it fine. `next`: nothing is wrong, and there is a next step."),
  says: z.string(),
  page: z.string().describe("Where the web app shows more: a path, or a section of the domain's page such as `#fix`."),
});

export const readStanding = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/standing",
  token: "read",
  summary: "Says what to do first for a domain, and how each area stands, the worst first.",
  answer: z
    .strictObject({ says: z.string().describe("What to do first."), items: z.array(standingItem) })
    .meta({ id: "DomainStanding" }),
});
