// One-time links. The secret stands behind the #, because that part of an address no browser sends: it is in no log of
// any server or proxy, and in no Referer.

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Where each is opened, and how long it lasts. */
export const links = {
  /** Whoever opens it becomes the owner of the server's first workspace. */
  setUp: { path: "/setup", lifeMs: dayMs },
  /** Whoever opens it becomes a member of a workspace. */
  invitation: { path: "/invite", lifeMs: 7 * dayMs },
  /** Whoever opens it gives an account a new password. */
  passwordReset: { path: "/reset", lifeMs: dayMs },
} as const;

export type LinkKind = keyof typeof links;

/** `baseUrl` without a slash at its end. */
export function toLink(kind: LinkKind, baseUrl: string, secret: string): string {
  return `${baseUrl}${links[kind].path}#${secret}`;
}
