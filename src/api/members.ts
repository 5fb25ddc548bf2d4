import { z } from "zod";
import { roles } from "../accounts/roles.ts";
import { defineEndpoint } from "./endpoint.ts";
import { email, identifier, idParams, timestamp } from "./primitives.ts";

const role = z.enum(roles);

export const member = z
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

export const invitation = z.strictObject(invitationFields).meta({ id: "Invitation" });

export const sentInvitation = z
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
