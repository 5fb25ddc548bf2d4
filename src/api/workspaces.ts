import { z } from "zod";
import { roles } from "../accounts/roles.ts";
import { volumeAnswers } from "../checks/volume.ts";
import { defineEndpoint } from "./endpoint.ts";
import { email, identifier, idParams, listOf, name, timestamp } from "./primitives.ts";

const role = z.enum(roles);

const member = z
  .strictObject({
    id: identifier("user"),
    name: z.string(),
    email: z.string(),
    role,
    joinedAt: timestamp,
  })
  .meta({ id: "Member" });

const invitationFields = {
  id: identifier("invitation"),
  email: z.string(),
  role,
  createdBy: z.string().nullable().describe("The user who invited; null: the server's operator."),
  createdAt: timestamp,
  expiresAt: timestamp,
};

const invitation = z.strictObject(invitationFields).meta({ id: "Invitation" });

const sentInvitation = z
  .strictObject({
    ...invitationFields,
    link: z.url().describe("Shown this once; whoever opens it within 7 days can become the member."),
  })
  .meta({ id: "SentInvitation" });

export type Member = z.infer<typeof member>;
export type Invitation = z.infer<typeof invitation>;

export const listMembers = defineEndpoint({
  method: "GET",
  path: "/api/members",
  access: "member",
  summary: "The workspace's members, who came first standing first, and the invitations that are open.",
  answer: z.strictObject({ items: z.array(member), invitations: z.array(invitation) }),
});

export const inviteMember = defineEndpoint({
  method: "POST",
  path: "/api/members",
  access: "owner",
  summary:
    "Invites somebody. The link is in this answer and nowhere else; nobody is written to. Who is invited again gets a new link, and the old one is dead.",
  body: z.strictObject({ email, role }).meta({ examples: [{ email: "ben@example.com", role: "member" }] }),
  answer: sentInvitation,
  errors: ["conflict", "plan_limit"],
});

export const changeMember = defineEndpoint({
  method: "PATCH",
  path: "/api/members/:id",
  access: "owner",
  summary: "Gives a member another role. The last owner keeps theirs.",
  params: idParams,
  body: z.strictObject({ role }).meta({ examples: [{ role: "owner" }] }),
  answer: member,
  errors: ["conflict"],
});

export const removeMember = defineEndpoint({
  method: "DELETE",
  path: "/api/members/:id",
  access: "member",
  summary:
    "Removes a member, whose tokens of this workspace end with it, or takes back an invitation. An owner may, and everybody may leave; the last owner stays.",
  params: idParams,
  answer: null,
  errors: ["conflict"],
});

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
