// Which folders of a mailbox show where mail lands. The server's special-use attributes (RFC 6154) count first, then the
// name.

import { inboxTabNames, promotionNames, spamNames } from "./folder-names-table.ts";
import type { ObservedFolder } from "./sighting.ts";

export type ListedFolder = {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  /** Attributes from LIST: `\Junk`, `\Noselect`. */
  readonly flags: readonly string[];
};

export type CountingFolder = {
  readonly path: string;
  /**
   * There is at most one inbox and one spam folder, and they are watched closely. Other relevant folders are checked
   * now and then.
   */
  readonly role: "inbox" | "spam" | "other";
  /** How a message in it counts. */
  readonly folder: ObservedFolder;
};

/** No personal mailbox has more relevant folders. */
const maxOthers = 20;
const longestPath = 1_000;
/** Folders without deliveries, or with copies of mail in other folders. */
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
