import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, listOf, name, timestamp } from "./primitives.ts";

export const workspace = z
  .strictObject({
    id: identifier("workspace"),
    name: z.string(),
    plan: z.string(),
    seedAddress: z.string().nullable().describe("The active seed inbox: where to send the next test."),
    createdAt: timestamp,
  })
  .meta({ id: "Workspace" });

export type Workspace = z.infer<typeof workspace>;

export const listWorkspaces = defineEndpoint({
  method: "GET",
  path: "/api/workspaces",
  access: "caller",
  summary: "The workspaces of the caller.",
  answer: listOf(workspace),
});

export const createWorkspace = defineEndpoint({
  method: "POST",
  path: "/api/workspaces",
  access: "caller",
  summary: "Creates a workspace with an active seed inbox. An owner of some workspace may.",
  body: z.strictObject({ name }).meta({ examples: [{ name: "Newsletter" }] }),
  answer: workspace,
});
