// What happens in a workspace, told as it happens: server-sent events (WHATWG HTML §9.2). An event says little, so that
// telling a hundred listeners costs next to nothing; who wants more reads the record.

import { z } from "zod";
import { integrationStatuses } from "../integrations/integration.ts";
import { observedFolders } from "../reports/sighting.ts";
import { defineEndpoint } from "./endpoint.ts";
import { judgmentSummary } from "./judgment.ts";
import { identifier } from "./primitives.ts";

const id = identifier("test").describe("Of the test.");
const label = z.string().nullable();

const testReceived = z
  .strictObject({ type: z.literal("test.received"), id, label })
  .meta({ id: "TestReceivedEvent" });

const testAnalyzed = z
  .strictObject({
    type: z.literal("test.analyzed"),
    id,
    label,
    composite: judgmentSummary.composite,
    reanalyzed: z.boolean().describe("It had a report before, or had failed."),
  })
  .meta({ id: "TestAnalyzedEvent" });

const testObserved = z
  .strictObject({
    type: z.literal("test.observed"),
    id,
    label,
    provider: z.string().describe("As in `placement_results`."),
    folder: z.enum(observedFolders),
  })
  .meta({
    id: "TestObservedEvent",
    description: "A seed mailbox has the message, or has it in another folder now.",
  });

const testFailed = z
  .strictObject({ type: z.literal("test.failed"), id, label })
  .meta({ id: "TestFailedEvent", description: "The analysis failed; the test says why." });

const testRecognised = z
  .strictObject({
    type: z.literal("test.recognised"),
    id,
    became: z.enum(["bounce", "complaint", "report", "auto-reply"]),
  })
  .meta({
    id: "TestRecognisedEvent",
    description: "The message was no test: it left that list for the one of what it is.",
  });

const testDeleted = z
  .strictObject({ type: z.literal("test.deleted"), id })
  .meta({ id: "TestDeletedEvent", description: "Somebody deleted it; what retention removes is not told." });

const domainChecked = z
  .strictObject({
    type: z.literal("domain.checked"),
    id: identifier("domain"),
    domain: z.string(),
    score: judgmentSummary.composite,
    changed: z.boolean().describe("A change was confirmed and told: see the domain's history."),
  })
  .meta({ id: "DomainCheckedEvent" });

const alertDelivery = z
  .strictObject({
    type: z.literal("alert.delivery"),
    id: identifier("delivery"),
    alertId: identifier("alert"),
    status: z.enum(["pending", "delivered", "dead"]).describe("pending: a try failed, another follows."),
  })
  .meta({ id: "AlertDeliveryEvent" });

const integrationChanged = z
  .strictObject({
    type: z.literal("integration.changed"),
    id: identifier("integration"),
    status: z.enum(integrationStatuses),
  })
  .meta({ id: "IntegrationChangedEvent" });

const reset = z.strictObject({ type: z.literal("reset") }).meta({
  id: "ResetEvent",
  description: "Events may have been missed, or were too many to tell: read your lists again.",
});

export const workspaceEvent = z.discriminatedUnion("type", [
  testReceived,
  testAnalyzed,
  testObserved,
  testFailed,
  testRecognised,
  testDeleted,
  domainChecked,
  alertDelivery,
  integrationChanged,
  reset,
]);
export type WorkspaceEvent = z.infer<typeof workspaceEvent>;

export const followEvents = defineEndpoint({
  method: "GET",
  path: "/api/events",
  access: "member",
  summary:
    "What happens in the workspace from now on, as server-sent events without a name: the data of each is one of these records. After a lost connection Last-Event-ID goes on behind that event; where that is no longer possible a reset comes first.",
  headers: z.strictObject({
    "last-event-id": z.string().optional().describe("The id of the last event that was read."),
  }),
  answer: { mediaType: "text/event-stream", schema: workspaceEvent },
  errors: ["rate_limited", "overloaded"],
});
