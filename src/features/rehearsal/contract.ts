// Mail to addresses that answer as a receiver would (`+as-gmail`), or that probe the sender (`+probe-drop`).

import { z } from "zod";
import { type RehearsalTag, rehearsalTags, toReceiver } from "../../analyzer/mail/headers/rehearsal-address.ts";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { identifier, timestamp, toTimestamp } from "../../platform/contract/primitives.ts";
import type { Attempt } from "./rules/attempt.ts";
import { nameBehavior } from "./rules/behavior.ts";

const tag = z
  .union([
    z.enum(rehearsalTags as readonly [RehearsalTag, ...RehearsalTag[]]),
    z.templateLiteral(["code-", z.string()]),
    z.templateLiteral(["rate-", z.string()]),
  ])
  .describe("As in the address, such as `as-gmail`, `probe-drop`, `code-550-5.7.1-data`, or `rate-5`.");

const attempt = z
  .strictObject({
    kind: z
      .enum(["message", "connection"])
      .describe("`connection`: a connection that a probe prepared, and that brought no message."),
    at: timestamp,
    address: z.string().nullable().describe("The client's IP address."),
    helo: z.string().nullable(),
    tls: z.string().nullable().describe("The TLS version. `null` without TLS."),
    special: z
      .enum(["no-tls", "bad-cert", "size"])
      .nullable()
      .describe(
        "What was different on this connection: no STARTTLS, a certificate for another name, or a size limit below the message.",
      ),
    testId: identifier("test")
      .nullable()
      .describe("The test with this message. Attempts with the same bytes share one."),
    likeness: z
      .enum(["bytes", "message-id", "body", "subject"])
      .nullable()
      .describe("How the message was recognized as the first one. `null` for the first."),
    outcome: z
      .enum(["accepted", "deferred", "refused", "dropped"])
      .nullable()
      .describe("`dropped`: the connection was closed without a reply. `null` for a connection."),
    reply: z.array(z.string()).describe("The reply to the message, as sent."),
    because: z
      .enum([
        ...(["predicted", "probe", "finished", "not-carried-out", "shared", "too-slow", "busy"] as const),
        ...(["not-analyzed", "not-a-test", "too-often", "stopping"] as const),
      ])
      .nullable()
      .describe(
        "Why this reply was given. `predicted`: the report predicts it. `probe`: the probe is like this. `finished`: the probe is complete. With the other values, the message was accepted without a rehearsal.",
      ),
    waitedMs: z.int().nullable().describe("How long the sender waited for the reply."),
    hungUp: z.boolean().describe("The sender closed the connection before the reply."),
    finding: z.string().nullable().describe("The finding that the reply comes from."),
    reached: z
      .enum(["ehlo", "handshake-failed", "handshake", "mail", "envelope", "data"])
      .nullable()
      .describe("How far a connection without a message came. `null` for a message."),
  })
  .meta({ id: "RehearsalAttempt" });

const observation = z
  .strictObject({
    id: z.string().describe("Identifies the kind of observation, such as `queue.returned`."),
    tone: z.enum(["good", "bad", "info", "waiting"]).describe("`waiting`: it may still change."),
    says: z.string(),
    section: z.string().nullable().describe("The standard that it refers to."),
  })
  .meta({ id: "SenderObservation" });

const rehearsal = z
  .strictObject({
    tag,
    kind: z.enum(["receiver", "probe"]).describe("A chosen code or rate is a `probe`."),
    address: z.string().describe("The recipient."),
    firstTestId: identifier("test"),
    attempts: z.array(attempt).describe("In order."),
    behavior: z.array(observation).describe("What the attempts say about the sender."),
  })
  .meta({ id: "Rehearsal" });

export type Rehearsal = z.infer<typeof rehearsal>;

export const readRehearsal = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/rehearsal",
  token: "read",
  summary: "Returns how mail to a rehearsal address was answered, and what the sender did over all its connections.",
  answer: z.strictObject({
    asked: tag.nullable().describe("What the address of the test asks for. `null` for an ordinary address."),
    rehearsal: rehearsal
      .nullable()
      .describe("`null` if nothing was rehearsed, because the address is ordinary or rehearsals were turned off."),
  }),
});

type Kept = {
  readonly tag: RehearsalTag;
  readonly address: string;
  readonly testId: string;
  readonly attempts: readonly Attempt[];
};

export function toRehearsal({ tag, address, testId, attempts }: Kept, now: number): Rehearsal {
  return {
    tag,
    kind: toReceiver(tag) === null ? "probe" : "receiver",
    address,
    firstTestId: testId,
    attempts: attempts.map(toAttempt),
    behavior: nameBehavior({ tag, attempts, now }).map((one) => ({ ...one })),
  };
}

function toAttempt(one: Attempt): Rehearsal["attempts"][number] {
  const { at, address, helo, tls, special } = one;
  const shared = { at: toTimestamp(at), address, helo, tls, special };
  if (one.kind === "connection") {
    const without = { testId: null, likeness: null, outcome: null, reply: [], because: null };
    const alsoWithout = { waitedMs: null, hungUp: false, finding: null };
    return { ...shared, kind: "connection", ...without, ...alsoWithout, reached: one.reached };
  }
  const { testId, likeness, outcome, reply, because, waitedMs, hungUp, finding } = one;
  const lines = reply === null ? [] : toLines(reply);
  return {
    ...shared,
    kind: "message",
    testId,
    likeness,
    outcome,
    reply: lines,
    because,
    waitedMs,
    hungUp,
    finding,
    reached: null,
  };
}

function toLines({ code, lines }: { readonly code: number; readonly lines: readonly string[] }): string[] {
  return lines.map((line, index) => `${code}${index < lines.length - 1 ? "-" : " "}${line}`);
}
