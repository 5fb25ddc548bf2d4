import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, idParams, listOf, timestamp } from "./primitives.ts";

export const session = z
  .strictObject({
    id: identifier("session"),
    current: z.boolean().describe("The one that asks."),
    address: z.string().describe("Of the client that logged in."),
    agent: z.string().describe("What its browser called itself."),
    createdAt: timestamp,
    lastSeenAt: timestamp.describe("To the minute."),
    expiresAt: timestamp.describe("Put off by each use."),
  })
  .meta({ id: "Session" });

export type Session = z.infer<typeof session>;

export const listSessions = defineEndpoint({
  method: "GET",
  path: "/api/sessions",
  access: "caller",
  summary:
    "Where the caller is logged in, newest first; of a token its creator. The server's operator has none.",
  answer: listOf(session),
});

export const endSession = defineEndpoint({
  method: "DELETE",
  path: "/api/sessions/:id",
  access: "caller",
  summary: "Ends a session of the caller's at once.",
  params: idParams,
  answer: null,
});
