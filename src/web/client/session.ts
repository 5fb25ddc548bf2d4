// The person who is logged in and their current workspace. This browser remembers the workspace.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Person } from "../../features/people/contract/accounts.ts";
import { call, setCaller } from "./call.ts";
import { closeEvents } from "./events.ts";
import { keep, readKept, workspaceKey } from "./kept.ts";
import { goTo } from "./router.tsx";

export type Session = {
  readonly person: Person;
  /** The current workspace. */
  readonly workspace: Person["workspaces"][number];
};

/** `renew` reads it again after a change. */
type OpenSession = Session & { readonly renew: () => Promise<void> };

const SessionContext = createContext<OpenSession | null>(null);
export const SessionProvider = SessionContext.Provider;

export function useSession(): OpenSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("This page needs a session.");
  return session;
}

export function useIsOwner(): boolean {
  return useSession().workspace.role === "owner";
}

/** Null: the person is no longer a member of any workspace. */
export async function openSession(signal?: AbortSignal): Promise<Session | null> {
  setCaller(null, leadToLogIn);
  const session = await readSession(signal);
  if (session !== null) setCaller(session.workspace.id, leadToLogIn);
  return session;
}

/** Keeps this tab's workspace: another tab may have switched. */
export async function renewSession(now: Session): Promise<Session> {
  const session = await readSession(undefined, now.workspace.id);
  if (session?.workspace.id === now.workspace.id) return session;
  // They are no longer a member, so nothing of the workspace may stay on the page.
  window.location.assign("/");
  return now;
}

async function readSession(
  signal: AbortSignal | undefined,
  kept: string | null = readKept(workspaceKey),
): Promise<Session | null> {
  // A browser has a session, never a token.
  const person = (await call("GET /api/me", { signal })) as Person;
  const { workspaces } = person;
  const workspace = workspaces.find(({ id }) => id === kept) ?? workspaces[0];
  return workspace === undefined ? null : { person, workspace };
}

/** Reloads the page, so nothing of the old workspace stays. */
export function switchWorkspace(id: string): void {
  keep(workspaceKey, id);
  window.location.assign("/");
}

/** A session that began at an organization ends there too. */
export async function logOut(): Promise<void> {
  const { url } = await call("POST /api/auth/oidc/logout");
  closeEvents();
  window.location.assign(url ?? "/login");
}

/** The login page leads back here. */
export function leadToLogIn(): void {
  closeEvents();
  const { pathname, search, hash } = window.location;
  if (pathname === "/login") return;
  const here = pathname + search + hash;
  goTo(here === "/" ? "/login" : `/login?next=${encodeURIComponent(here)}`, { replace: true });
}
