import type { WatchedFolder } from "./mailbox-words.ts";

/** What a person should know of a mailbox that is connected; null: what matters is watched. */
export function toConnectedProblem(folders: readonly WatchedFolder[]): string | null {
  const has = (role: WatchedFolder["role"]) => folders.some((folder) => folder.role === role);
  if (!has("inbox")) return "It has no inbox that we can find: what lands there is not seen.";
  if (!has("spam")) return "It has no folder for spam that we can find: what lands there is not seen.";
  return null;
}
