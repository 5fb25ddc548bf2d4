// What happens in a workspace, as server-sent events (WHATWG HTML §9.2). Events are small, so that sending them to a
// hundred listeners is cheap. Clients read the record for details.

import { z } from "zod";
import { examinationKinds } from "../../analyzer/reports/examination.ts";
import { observedFolders } from "../../analyzer/reports/sighting.ts";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { identifier } from "../../platform/contract/primitives.ts";
import { judgmentSummary } from "../tests/contract/judgment.ts";

const id = identifier("test").describe("Test ID.");
const label = z.string().nullable();

const testReceived = z.strictObject({ type: z.literal("test.received"), id, label }).meta({ id: "TestReceivedEvent" });

const testAnalyzed = z
  .strictObject({
    type: z.literal("test.analyzed"),
    id,
    label,
    composite: judgmentSummary.composite,
    reanalyzed: z.boolean().describe("Whether the test already had a report or had already failed."),
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
    description: "A seed mailbox received the message, or it moved to another folder.",
  });

const testExamined = z
  .strictObject({ type: z.literal("test.examined"), id, kind: z.enum(examinationKinds) })
  .meta({
    id: "TestExaminedEvent",
    description: "An examination of the test has a result. It doesn't change the report or its score.",
  });

const testFailed = z
  .strictObject({ type: z.literal("test.failed"), id, label })
  .meta({ id: "TestFailedEvent", description: "The analysis failed. The reason is stored with the test." });

const testRecognised = z
  .strictObject({
    type: z.literal("test.recognised"),
    id,
    became: z.enum(["bounce", "complaint", "report", "auto-reply"]),
  })
  .meta({
    id: "TestRecognisedEvent",
    description: "The message is not a test. It was moved to the list for its type.",
  });

const testDeleted = z
  .strictObject({ type: z.literal("test.deleted"), id })
  .meta({
    id: "TestDeletedEvent",
    description: "A user deleted the test. Tests removed by retention are not reported.",
  });

const domainChecked = z
  .strictObject({
    type: z.literal("domain.checked"),
    id: identifier("domain"),
    domain: z.string(),
    score: judgmentSummary.composite,
    changed: z.boolean().describe("Whether a change was confirmed and reported. See the domain's history."),
  })
  .meta({ id: "DomainCheckedEvent" });

const alertDelivery = z
  .strictObject({
    type: z.literal("alert.delivery"),
    id: identifier("delivery"),
    alertId: identifier("alert"),
    status: z.enum(["pending", "delivered", "dead"]).describe("`pending`: an attempt failed and will be retried."),
  })
  .meta({ id: "AlertDeliveryEvent" });

/**
 * connecting: nothing is known yet. connected: everything works. trouble: it fails and is retried. reconnect: only a
 * person can fix it (wrong password, consent withdrawn).
 */
export const integrationStatuses = ["connecting", "connected", "trouble", "reconnect"] as const;
export type IntegrationStatus = (typeof integrationStatuses)[number];

const integrationChanged = z
  .strictObject({
    type: z.literal("integration.changed"),
    id: identifier("integration"),
    status: z.enum(integrationStatuses),
  })
  .meta({ id: "IntegrationChangedEvent" });

const monitorChanged = z
  .strictObject({ type: z.literal("monitor.changed"), id: identifier("monitor") })
  .meta({ id: "MonitorChangedEvent", description: "A monitor has a new run, or a run has an outcome." });
const incomingHookReceived = z
  .strictObject({ type: z.literal("incoming-hook.received"), id: identifier("incomingHook") })
  .meta({ id: "IncomingHookReceivedEvent", description: "A provider called an incoming webhook." });

const reset = z
  .strictObject({ type: z.literal("reset") })
  .meta({
    id: "ResetEvent",
    description: "Events may have been missed, or there were too many to send. Reload your lists.",
  });

export const workspaceEvent = z.discriminatedUnion("type", [
  testReceived,
  testAnalyzed,
  testObserved,
  testExamined,
  testFailed,
  testRecognised,
  testDeleted,
  domainChecked,
  alertDelivery,
  integrationChanged,
  monitorChanged,
  incomingHookReceived,
  reset,
]);
export type WorkspaceEvent = z.infer<typeof workspaceEvent>;

export const followEvents = defineEndpoint({
  method: "GET",
  path: "/api/events",
  token: "read",
  labelToken: "handler",
  summary:
    "Streams events in the workspace as server-sent events without a name. The data of each event is one of these records. To resume after a lost connection, send `Last-Event-ID`. If resuming is no longer possible, the stream starts with a `reset` event.",
  headers: z.strictObject({ "last-event-id": z.string().optional().describe("ID of the last event received.") }),
  answer: { mediaType: "text/event-stream", schema: workspaceEvent },
  errors: ["rate_limited", "overloaded"],
});
