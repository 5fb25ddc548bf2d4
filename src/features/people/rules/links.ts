// One-time links. The secret is in the fragment, which browsers don't send: no log of a server or proxy contains it,
// and no Referer.

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The path and lifetime of each link. */
export const links = {
  /** Opening it makes a user the owner of the server's first workspace. */
  setUp: { path: "/setup", lifeMs: dayMs },
  /** Opening it makes a user a member of a workspace. */
  invitation: { path: "/invite", lifeMs: 7 * dayMs },
  /** Opening it sets a new password for an account. */
  passwordReset: { path: "/reset", lifeMs: dayMs },
} as const;

/** A link that anyone can request by email works for less long than one that the operator hands out. */
export const mailedResetLifeMs = hourMs;

/** sent: the relay accepted it. bounced: it came back later. */
export const invitationMailStates = ["sending", "sent", "failed", "bounced"] as const;
export type InvitationMailState = (typeof invitationMailStates)[number];

export type LinkKind = keyof typeof links;

/** `baseUrl` has no trailing slash. */
export function toLink(kind: LinkKind, baseUrl: string, secret: string): string {
  return `${baseUrl}${links[kind].path}#${secret}`;
}
