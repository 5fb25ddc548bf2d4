// The folders of a mailbox → those that tell where mail lands. What a server says of a folder's use (RFC 6154) counts
// first, then its name.

import { inboxTabNames, promotionNames, spamNames } from "./folder-names-table.ts";
import type { ObservedFolder } from "./sighting.ts";

export type ListedFolder = {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  /** As LIST tells: `\Junk`, `\Noselect`. */
  readonly flags: readonly string[];
};

export type CountingFolder = {
  readonly path: string;
  /** inbox and spam are one at most, and watched closely; whatever else counts is looked at now and then. */
  readonly role: "inbox" | "spam" | "other";
  /** What a message in it counts as. */
  readonly folder: ObservedFolder;
};

/** More folders that count are no mailbox of a person. */
const maxOthers = 20;
const longestPath = 1_000;
/** What nobody delivers to, or what shows mail of other folders again. */
const besidePlacement = new Set(["\\sent", "\\drafts", "\\trash", "\\all", "\\flagged", "\\important"]);
const unselectable = new Set(["\\noselect", "\\nonexistent"]);

/** The inbox first, then spam. */
export function readFolderRoles(listed: readonly ListedFolder[]): CountingFolder[] {
  const usable = listed
    .filter(({ path }) => path.length > 0 && path.length <= longestPath)
    .map(({ path, name, flags }) => ({
      path,
      name: name.normalize("NFC").toLowerCase(),
      flags: new Set(flags.map((flag) => flag.toLowerCase())),
    }))
    .filter(({ flags }) => unselectable.isDisjointFrom(flags));
  const inbox = usable.find(({ path }) => path.toUpperCase() === "INBOX");
  const rest = usable.filter((one) => one !== inbox && besidePlacement.isDisjointFrom(one.flags));
  const spam = rest.find(({ flags }) => flags.has("\\junk")) ?? rest.find(({ name }) => spamNames.has(name));
  const others = rest.flatMap((one): CountingFolder[] => {
    const folder = one === spam ? undefined : countsAs(one);
    return folder ? [{ path: one.path, role: "other", folder }] : [];
  });
  return [
    ...(inbox ? [{ path: inbox.path, role: "inbox", folder: "inbox" } as const] : []),
    ...(spam ? [{ path: spam.path, role: "spam", folder: "spam" } as const] : []),
    ...others.slice(0, maxOthers),
  ];
}

type KnownFolder = { readonly name: string; readonly flags: ReadonlySet<string> };

function countsAs({ name, flags }: KnownFolder): ObservedFolder | undefined {
  if (flags.has("\\junk") || spamNames.has(name)) return "spam";
  if (promotionNames.has(name)) return "promotions";
  return flags.has("\\archive") || inboxTabNames.has(name) ? "inbox" : undefined;
}
