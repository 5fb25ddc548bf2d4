// Links as the server's operator and a workspace's owner hand them out, for a world over HTTP.

import { randomBytes } from "node:crypto";
import { links } from "../../src/features/people/rules/links.ts";
import { createPasswordReset, createSetUpLink } from "../../src/features/people/work/operator-links.ts";
import type { Role } from "../../src/platform/contract/roles.ts";
import { createSecret, hashSecret } from "../../src/platform/contract/secrets.ts";
import { inWorkspace } from "../../src/platform/database/scope.ts";
import { createId } from "../../src/platform/ids.ts";
import type { HttpWorld } from "./http-world.ts";

export const goodPassword = "lamp quarrel tundra";

type Place = Pick<HttpWorld, "store" | "clock">;

const systemOf = ({ clock }: Place) => ({ now: () => clock.nowMs, random: randomBytes });

/** What the set-up link bears; the world needs a workspace. */
export async function setUpToken(world: Place): Promise<string> {
  const link = await createSetUpLink(world.store, systemOf(world));
  if (link === null) throw new Error("There is an owner already.");
  return link.secret;
}

export async function resetToken(world: Place, email: string): Promise<string> {
  return (await createPasswordReset(world.store, systemOf(world), email)).secret;
}

export type Invited = { readonly workspaceId: string; readonly email: string; readonly role?: Role };

export async function invitationToken(
  world: Place,
  { workspaceId, email, role = "member" }: Invited,
  createdBy: string | null = null,
): Promise<string> {
  const secret = createSecret(randomBytes(32));
  const now = world.clock.nowMs;
  const row = {
    id: createId("invitation", now, randomBytes(16)),
    hash: hashSecret(secret),
    email,
    role,
    created_by: createdBy,
    created_with: null,
    created_at: now,
    expires_at: now + links.invitation.lifeMs,
    mail_state: null,
    mail_problem: null,
    mailed_at: null,
  };
  await world.store.write((db) => inWorkspace(db, workspaceId).insertInto("invitations", row).execute());
  return secret;
}

/** The session's cookie that an answer sets, as a browser sends it back; and all that the answer said of it. */
export function cookieOf(headers: Headers): { readonly cookie: string; readonly attributes: string } {
  const sessions = headers.getSetCookie().filter((cookie) => !/^(?:__Host-)?assay_browser=/.test(cookie));
  const [header = "", ...others] = sessions;
  if (others.length > 0) throw new Error("More than one cookie was set.");
  const [cookie = "", ...attributes] = header.split("; ");
  return { cookie, attributes: attributes.join("; ") };
}

/** What a browser keeps after a login, and sends with the next. */
export function browserCookieOf(headers: Headers): string {
  return (
    headers
      .getSetCookie()
      .find((cookie) => /^(?:__Host-)?assay_browser=/.test(cookie))
      ?.split(";")[0] ?? ""
  );
}
