import type { Session } from "../client/session.ts";
import { useSession } from "../client/session.ts";

type Role = Session["person"]["workspaces"][number]["role"];

/** Of the workspace that the reader is in. */
export function useIsOwner(): boolean {
  const { person, workspace } = useSession();
  return roleIn(person, workspace.id) === "owner";
}

export function roleIn(person: Session["person"], workspaceId: string): Role | null {
  return person.workspaces.find(({ id }) => id === workspaceId)?.role ?? null;
}
