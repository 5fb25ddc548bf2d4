import { z } from "zod";
import { volumeAnswers } from "../checks/volume.ts";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, idParams, listOf, name, timestamp } from "./primitives.ts";

const sendingVolume = z
  .enum(volumeAnswers)
  .nullable()
  .describe(
    "How many messages the workspace sends to any one mailbox provider. small: fewer than 5,000 a day, so that rules for bulk senders cost no points and decide no prediction; large: more, so that they count in full; unsure, or null where nobody answered yet: reports show both predictions where they differ. It holds for analyses from now on.",
  );

export const workspace = z
  .strictObject({
    id: identifier("workspace"),
    name: z.string(),
    plan: z.string().describe("Its name; what it bounds is in GET /api/billing."),
    seedAddress: z
      .string()
      .nullable()
      .describe(
        "Where to send the next test: the active seed inbox, or another where this server takes no mail for its domain any more; null: it takes mail for none of them.",
      ),
    sendingVolume,
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
  summary:
    "Creates a workspace with an active seed inbox. An owner of some workspace may, and becomes the owner of this one; the server's operator becomes no member of it.",
  body: z.strictObject({ name }).meta({ examples: [{ name: "Newsletter" }] }),
  answer: workspace,
});

export const changeWorkspace = defineEndpoint({
  method: "PATCH",
  path: "/api/workspaces/:id",
  access: "caller",
  summary:
    "Renames a workspace, or says how much it sends; what is left out stays. Its owner may; the path names it, so that X-Workspace-Id is not needed.",
  params: idParams,
  body: z
    .strictObject({ name: name.optional(), sendingVolume: sendingVolume.optional() })
    .superRefine((body, context) => {
      if (body.name !== undefined || body.sendingVolume !== undefined) return;
      const message = 'or "sendingVolume" is required';
      // As of a name that is blank.
      context.addIssue({ code: "custom", path: ["name"], message, input: "" });
    })
    .meta({ examples: [{ name: "Newsletter" }, { sendingVolume: "small" }] }),
  answer: workspace,
  errors: ["missing_name"],
});

export const deleteWorkspace = defineEndpoint({
  method: "DELETE",
  path: "/api/workspaces/:id",
  access: "caller",
  summary:
    "Deletes a workspace with all that it holds. Its owner may; the path names it, so that X-Workspace-Id is not needed. It is gone for everybody at once, and its addresses take no mail; the server's first workspace stays.",
  params: idParams,
  answer: null,
  errors: ["conflict"],
});
