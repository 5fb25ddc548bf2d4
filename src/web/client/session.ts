// Who is logged in, and in which of their workspaces they are. The workspace is kept in this browser.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Person } from "../../api/accounts.ts";
import { call, setCaller } from "./call.ts";
import { closeEvents } from "./events.ts";
import { goTo } from "./router.tsx";
import { keep, readKept } from "./theme.ts";

export type Session = {
  readonly person: Person;
  /** The one of theirs that they are in. */
  readonly workspace: Person["workspaces"][number];
};

/** `renew` reads it again, after something in it was changed here. */
type OpenSession = Session & { readonly renew: () => Promise<void> };

const SessionContext = createContext<OpenSession | null>(null);
export const SessionProvider = SessionContext.Provider;

export function useSession(): OpenSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("This page stands behind the log-in.");
  return session;
}

export function useIsOwner(): boolean {
  return useSession().workspace.role === "owner";
}

const key = "assay-workspace";

/** Null: they are of no workspace any more. */
export async function openSession(signal?: AbortSignal): Promise<Session | null> {
  setCaller(null, leadToLogIn);
  const session = await readSession(signal);
  if (session !== null) setCaller(session.workspace.id, leadToLogIn);
  return session;
}

/** In the workspace where this tab is: another may have gone elsewhere. */
export async function renewSession(now: Session): Promise<Session> {
  const session = await readSession(undefined, now.workspace.id);
  if (session?.workspace.id === now.workspace.id) return session;
  // They are no longer of it, and nothing of it may stay.
  window.location.assign("/");
  return now;
}

async function readSession(
  signal: AbortSignal | undefined,
  kept: string | null = readKept(key),
): Promise<Session | null> {
  // A browser has a session, never a token.
  const person = (await call("GET /api/me", { signal })) as Person;
  const { workspaces } = person;
  const workspace = workspaces.find(({ id }) => id === kept) ?? workspaces[0];
  return workspace === undefined ? null : { person, workspace };
}

/** The whole page begins anew, so that nothing of the other stays. */
export function switchWorkspace(id: string): void {
  keep(key, id);
  window.location.assign("/");
}

export async function logOut(): Promise<void> {
  await call("POST /api/auth/logout");
  closeEvents();
  window.location.assign("/login");
}

/** Back to where they were, afterwards. */
export function leadToLogIn(): void {
  closeEvents();
  const { pathname, search, hash } = window.location;
  if (pathname === "/login") return;
  const here = pathname + search + hash;
  goTo(here === "/" ? "/login" : `/login?next=${encodeURIComponent(here)}`, { replace: true });
}

/** Only ever a page of ours: what stands behind one slash. */
export function toReturnPath(next: string | null): string {
  return next !== null && /^\/(?![/\\])[^\\\s]*$/.test(next) ? next : "/";
}
