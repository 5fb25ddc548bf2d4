import { z } from "zod";
import { volumeAnswers } from "../../../analyzer/checks/volume.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { email, identifier, listOf, name, timestamp } from "../../../platform/contract/primitives.ts";
import { roles } from "../../../platform/contract/roles.ts";
import { learnedFields } from "../rules/learned.ts";
import { invitationMailStates } from "../rules/links.ts";
import { rehearsalSettings } from "../rules/rehearsal-setting.ts";

const role = z.enum(roles);

const member = z
  .strictObject({ id: identifier("user"), name: z.string(), email: z.string(), role, joinedAt: timestamp })
  .meta({ id: "Member" });

const invitationFields = {
  id: identifier("invitation"),
  email: z.string(),
  role,
  createdBy: z.string().nullable().describe("The user who sent the invitation. `null` for the server operator."),
  createdAt: timestamp,
  expiresAt: timestamp,
  mail: z
    .strictObject({
      state: z.enum(invitationMailStates).describe("`sent`: the relay accepted it. `bounced`: it came back later."),
      problem: z.string().nullable().describe("Why it wasn't sent, or why it bounced."),
      at: timestamp,
    })
    .nullable()
    .describe("What became of the email. `null` if none was requested."),
};

const invitation = z.strictObject(invitationFields).meta({ id: "Invitation" });

const sentInvitation = z
  .strictObject({
    ...invitationFields,
    link: z.url().describe("Shown only once. Anyone who opens it within 7 days can join."),
  })
  .meta({ id: "SentInvitation" });

export type Member = z.infer<typeof member>;
export type Invitation = z.infer<typeof invitation>;

export const listMembers = defineEndpoint({
  method: "GET",
  path: "/api/members",
  token: "admin",
  summary: "Lists the workspace's members, oldest first, and pending invitations.",
  answer: z.strictObject({ items: z.array(member), invitations: z.array(invitation) }),
});

export const inviteMember = defineEndpoint({
  method: "POST",
  path: "/api/members",
  access: "owner",
  token: "full",
  summary:
    "Invites a person. The link is shown only in this response. With `sendEmail`, it is also sent by email, and the response says whether the relay accepted it. A mailbox gets at most 3 invitations an hour and 6 a day by email, and a workspace sends at most 50 a day. Inviting the same address again creates a new link and invalidates the old one. An invitation that an API token created ends with it, unless the person has joined.",
  body: z
    .strictObject({
      email,
      role,
      sendEmail: z
        .boolean()
        .default(false)
        .describe("Needs a relay (GET /api/alert-email). Without one, nothing is created."),
    })
    .meta({
      examples: [
        { email: "ben@example.com", role: "member" },
        { email: "ben@example.com", role: "member", sendEmail: true },
      ],
    }),
  answer: sentInvitation,
  errors: ["conflict", "plan_limit", "rate_limited", "email_not_configured"],
});

export const changeMember = defineEndpoint({
  method: "PATCH",
  path: "/api/members/:id",
  access: "owner",
  token: "full",
  summary: "Changes a member's role. The last owner's role cannot be changed.",
  body: z.strictObject({ role }).meta({ examples: [{ role: "owner" }] }),
  answer: member,
  errors: ["conflict"],
});

export const removeMember = defineEndpoint({
  method: "DELETE",
  path: "/api/members/:id",
  token: "full",
  summary:
    "Removes a member and their tokens for this workspace, or revokes an invitation. Requires the owner role, but any member can leave. The last owner cannot be removed.",
  errors: ["conflict"],
});

const sendingVolume = z
  .enum(volumeAnswers)
  .nullable()
  .describe(
    "How many messages the workspace sends to any one mailbox provider. `small`: fewer than 5,000 a day. Rules for bulk senders cost no points and are not used in predictions. `large`: more. They count in full. `unsure`, or `null` if not set: reports show both predictions where they differ. Applies to later analyses.",
  );

const typed = z.string().max(300).nullable();

const outgoingServer = z
  .strictObject({
    host: typed.default(null).describe("Public IP address or host name that mail leaves from."),
    domain: typed.default(null).describe("The `d=` tag of its DKIM signatures. Needs `selector`."),
    selector: typed.default(null).describe("The `s=` tag of its DKIM signatures. Needs `domain`."),
  })
  .nullable()
  .describe(
    "The server that passes the workspace's mail on to the internet. Mail from a private network is judged as if it had come through it, and the results are marked `assumed`. `null`: not set. Applies to later analyses.",
  );

const learned = z
  .strictObject(learnedFields)
  .describe(
    "A line over the natural log odds of spam, fitted to the workspace's own labeled mail by `assay learn`: `slope` times the log odds plus `intercept`. `spam` and `wanted` are the messages that it was fitted to. `brierBefore` and `brierAfter` are the mean squared errors without and with it. `null`: none. Applies to later analyses.",
  );

const requiresSecondFactor = z
  .boolean()
  .describe("Whether members need a session with a second factor. API tokens are not affected.");

const rehearsal = z
  .enum(rehearsalSettings)
  .nullable()
  .describe(
    "Whether addresses such as `…+as-gmail@` and `…+probe-drop@` answer as receivers would. `null`: only on listeners that are limited to this machine or a private network. `on`: also on public listeners. `off`: they are ordinary addresses.",
  );

export const workspace = z
  .strictObject({
    id: identifier("workspace"),
    name: z.string(),
    plan: z.string().describe("Name of the plan. GET /api/billing has its limits."),
    seedAddress: z
      .string()
      .nullable()
      .describe(
        "The address for the next test: the active seed inbox, or another one if the server no longer accepts mail for its domain. `null` if it accepts mail for none of them.",
      ),
    sendingVolume,
    outgoingServer,
    learned: learned.extend({ at: timestamp }).nullable(),
    rehearsal,
    requiresSecondFactor,
    createdAt: timestamp,
  })
  .meta({ id: "Workspace" });

export type Workspace = z.infer<typeof workspace>;

export const listWorkspaces = defineEndpoint({
  method: "GET",
  path: "/api/workspaces",
  access: "caller",
  token: "read",
  summary: "Lists the caller's workspaces.",
  answer: listOf(workspace),
});

export const createWorkspace = defineEndpoint({
  method: "POST",
  path: "/api/workspaces",
  access: "caller",
  token: "person",
  summary:
    "Creates a workspace with an active seed inbox. The caller must be an owner of any workspace, and becomes the owner of the new one. The plan of a workspace that they own must allow another one.",
  body: z.strictObject({ name }).meta({ examples: [{ name: "Newsletter" }] }),
  answer: workspace,
  errors: ["plan_limit"],
});

export const changeWorkspace = defineEndpoint({
  method: "PATCH",
  path: "/api/workspaces/:id",
  access: "caller",
  token: "admin",
  summary:
    "Renames a workspace, sets its sending volume, its outgoing server, or what it learned from its mail, turns rehearsals on or off, or requires a second factor. Omitted fields stay unchanged. Requires the owner role. With an API token, `requiresSecondFactor` needs the scope `full`. `X-Workspace-Id` is not needed, because the path names the workspace.",
  body: z
    .strictObject({
      name: name.optional(),
      sendingVolume: sendingVolume.optional(),
      outgoingServer: outgoingServer.optional(),
      learned: learned.nullable().optional(),
      rehearsal: rehearsal.optional(),
      requiresSecondFactor: requiresSecondFactor.optional(),
    })
    .superRefine((body, context) => {
      if (Object.values(body).some((value) => value !== undefined)) return;
      const message = "or another field is required";
      // The same error as for a blank name.
      context.addIssue({ code: "custom", path: ["name"], message, input: "" });
    })
    .meta({
      examples: [
        { name: "Newsletter" },
        { sendingVolume: "small" },
        { outgoingServer: { host: "192.0.2.1", domain: "example.com", selector: "s1" } },
        { rehearsal: "on" },
        { requiresSecondFactor: true },
      ],
    }),
  answer: workspace,
  errors: ["missing_name", "second_factor_required", "conflict"],
});

export const deleteWorkspace = defineEndpoint({
  method: "DELETE",
  path: "/api/workspaces/:id",
  access: "caller",
  token: "full",
  summary:
    "Deletes a workspace and everything in it. Requires the owner role. `X-Workspace-Id` is not needed, because the path names the workspace. The workspace disappears for all members immediately, and its addresses stop accepting mail. The server's first workspace cannot be deleted.",
  errors: ["conflict"],
});
