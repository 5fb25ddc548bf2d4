// Redeems one-time links. A link is checked twice: before the password is hashed, so strangers cannot make us hash, and
// in the write, so only one of two simultaneous uses succeeds. Redeeming a link logs the user in. An invitation to an
// address with an account requires that account's password and never sets one. Otherwise anyone who may invite could
// take over any account whose address they know.

import { toPerson } from "../../../platform/audit/rows/actors.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { Role } from "../../../platform/contract/roles.ts";
import { hashSecret, isSecret } from "../../../platform/contract/secrets.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { hasOwner, insertMembership } from "../rows/memberships.ts";
import {
  findInvitation,
  findPasswordReset,
  hasSetUpLink,
  type InvitationRow,
  removeSetUpLinks,
  takeInvitation,
  takePasswordReset,
  takeSetUpLinks,
} from "../rows/one-time-links.ts";
import { removeSessionsOf } from "../rows/sessions.ts";
import {
  findUserByEmail,
  forgetLoginFailures,
  insertEmergencyAccount,
  insertUser,
  readUser,
  updatePassword,
} from "../rows/users.ts";
import { lockIfThere, lockWorkspace, readFirstWorkspaceId } from "../rows/workspaces.ts";
import type { LinkKind } from "../rules/links.ts";
import type { AccountSteps } from "./accounts.ts";
import { requirePasswordUse, requireSamePassword } from "./password-use.ts";
import { type Browser, type StartedSession, startSession } from "./sessions.ts";

/** `token`: the secret from the link. */
export type WantedPassword = { readonly token: string; readonly password: string };
export type WantedOwner = Omit<WantedPassword, "token"> & {
  readonly name: string;
  readonly email: string;
  /** Null: the setup code was checked instead. */
  readonly token: string | null;
};
/** Existing accounts keep their name. */
export type WantedMember = WantedPassword & { readonly name: string | null };

const howToGetAnother: Readonly<Record<LinkKind, string>> = {
  setUp: "While the server has no owner, assay setup-link prints a new one.",
  invitation: "Ask a workspace owner for a new one.",
  passwordReset:
    "To get a new one, choose “Forgot your password?” on the login page, or ask your administrator (assay user reset-password).",
};

const isLinkThere: Readonly<Record<LinkKind, (db: Db, hash: string, now: number) => Promise<boolean>>> = {
  setUp: hasSetUpLink,
  invitation: async (...link) => (await findInvitation(...link)) !== undefined,
  passwordReset: async (...link) => (await findPasswordReset(...link)) !== undefined,
};

/** Says that a link is of no use before anyone fills in its form. Uses nothing up. */
export async function checkLink(
  { store, system }: Pick<AccountSteps, "store" | "system">,
  kind: LinkKind,
  token: string,
): Promise<void> {
  const isThere = isSecret(token) && (await isLinkThere[kind](store.read, hashSecret(token), system.now()));
  if (!isThere) throw invalidLink(kind);
}

export async function setUp(
  { store, system, hashNewPassword, config }: AccountSteps,
  { token, name, email, password }: WantedOwner,
  browser: Browser,
): Promise<StartedSession> {
  if (token !== null) await checkLink({ store, system }, "setUp", token);
  const passwordHash = await hashNewPassword(password, [email, name], "password");
  return await store.write(async (db) => {
    const workspaceId = (await readFirstWorkspaceId(db)) ?? "";
    const scope = inWorkspace(db, workspaceId);
    await lockWorkspace(scope);
    if (await hasOwner(scope)) throw invalidLink("setUp");
    if (token === null) await removeSetUpLinks(db);
    else if (!(await takeSetUpLinks(db, hashSecret(token), system.now()))) throw invalidLink("setUp");
    const userId = await addUser(db, system, { name, email, passwordHash });
    await addMember(scope, system, { userId, role: "owner" });
    recordChange({ objectId: userId, by: toPerson(userId) });
    // Otherwise its password would open nothing.
    if (config.login === "oidc") await insertEmergencyAccount(db, userId, system.now());
    return await startSession(db, system, userId, browser);
  });
}

export async function acceptInvitation(
  steps: AccountSteps,
  { token, name, password }: WantedMember,
  browser: Browser,
): Promise<StartedSession> {
  const { store, system } = steps;
  const hash = hashSecret(token);
  const invitation = isSecret(token) ? await findInvitation(store.read, hash, system.now()) : undefined;
  if (invitation === undefined) throw invalidLink("invitation");
  const known = await findUserByEmail(store.read, invitation.email);
  await requirePasswordUse(steps, known?.id ?? null);
  const toUserId = await prepareInvited(steps, invitation, { name, password, ...browser });
  const { workspace_id: workspaceId, role } = invitation;
  return await store.write(async (db) => {
    const scope = inWorkspace(db, workspaceId);
    const isThere = await lockIfThere(scope);
    if (!isThere || !(await takeInvitation(db, invitation.id))) throw invalidLink("invitation");
    const userId = await toUserId(db);
    await addMember(scope, system, { userId, role });
    recordChange({ objectId: userId, workspaceId, by: toPerson(userId) });
    return await startSession(db, system, userId, browser);
  });
}

/** The page of an invitation has no field for the email address, and many don't remember that they have an account. */
function explainKnownAccount(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== "invalid_credentials") throw error;
  throw new Refusal(
    "invalid_credentials",
    "You already have an account here, with another password. Enter that password, or reset it on the login page and open this link again.",
    { field: "password" },
  );
}

/** Whom the link invites. */
export async function findInvitedEmail(
  { store, system }: Pick<AccountSteps, "store" | "system">,
  token: string,
): Promise<string | undefined> {
  const hash = hashSecret(token);
  return isSecret(token) ? (await findInvitation(store.read, hash, system.now()))?.email : undefined;
}

/** Does the slow part (hashing) before the write. The returned function runs in the write and returns the user's ID. */
async function prepareInvited(
  { store, system, checkPassword, hashNewPassword }: AccountSteps,
  { email }: InvitationRow,
  { name, password, knownBrowser }: Pick<WantedMember, "name" | "password"> & Pick<Browser, "knownBrowser">,
): Promise<(db: Db) => Promise<string>> {
  const known = await findUserByEmail(store.read, email);
  if (known?.password_hash === "")
    throw new Refusal(
      "conflict",
      "Your account has no password. If you log in with your organization, your roles come from there. Otherwise, ask your administrator for a new password (assay user reset-password).",
    );
  if (known) {
    const user = await checkPassword(email, password, knownBrowser).catch(explainKnownAccount);
    return async (db) => {
      await requireSamePassword(db, user);
      return user.id;
    };
  }
  if (name === null) throw new Refusal("missing_name", '"name" is required.', { field: "name" });
  const passwordHash = await hashNewPassword(password, [email, name], "password");
  return (db) => addUser(db, system, { name, email, passwordHash });
}

export async function resetPassword(
  steps: AccountSteps,
  { token, password }: WantedPassword,
  browser: Browser,
): Promise<StartedSession> {
  const { store, system, hashNewPassword, notePasswordChange } = steps;
  const hash = hashSecret(token);
  const reset = isSecret(token) ? await findPasswordReset(store.read, hash, system.now()) : undefined;
  const user = reset && (await readUser(store.read, reset.user_id));
  if (user === undefined) throw invalidLink("passwordReset");
  await requirePasswordUse(steps, user.id);
  const passwordHash = await hashNewPassword(password, [user.email, user.name], "password");
  const started = await store.write(async (db) => {
    if (!(await takePasswordReset(db, hash))) throw invalidLink("passwordReset");
    await updatePassword(db, user.id, passwordHash);
    recordChange({ by: toPerson(user.id) });
    await removeSessionsOf(db, user.id);
    await forgetLoginFailures(db, hashSecret(user.email));
    return await startSession(db, system, user.id, browser);
  });
  notePasswordChange(user.id, browser.address);
  return started;
}

type NewUser = { readonly name: string; readonly email: string; readonly passwordHash: string };

async function addUser(
  db: Db,
  system: Pick<System, "now" | "random">,
  { name, email, passwordHash }: NewUser,
): Promise<string> {
  const now = system.now();
  const id = createId("user", now, system.random(16));
  if (await insertUser(db, { id, name, email, password_hash: passwordHash, created_at: now })) return id;
  throw new Refusal("conflict", "An account with this email address already exists.", { field: "email" });
}

async function addMember(
  scope: Scope,
  system: Pick<System, "now">,
  { userId, role }: { userId: string; role: Role },
): Promise<void> {
  const membership = { user_id: userId, role, created_at: system.now() };
  if (await insertMembership(scope, membership)) return;
  throw new Refusal("conflict", "You are already a member of this workspace. Log in instead.");
}

function invalidLink(kind: LinkKind): Refusal {
  return new Refusal("invalid_link", `This link is invalid, already used, or expired. ${howToGetAnother[kind]}`, {
    field: "token",
  });
}
