// Whether a link's host pretends to be another by its letters (UTS #39): several alphabets in one label, characters that
// are not shown, or the look of a domain that people know.

import type { Link } from "../../mail/links.ts";
import { findImitated } from "../lookalike.ts";
import { mixedScriptsIn } from "../scripts.ts";
import { isOwn, type Senders } from "./senders.ts";

/** Completes "A link's host …"; null where it pretends nothing. */
export type FindImitation = (link: Link) => string | null;

/** A sender's own domain is judged where the sender is. Each host is looked at once. */
export function createFindImitation(senders: Senders, ownDomains: readonly string[]): FindImitation {
  const known = new Map<string, string | null>();
  return (link) => {
    const { host, unicodeHost } = link;
    if (host === null || isOwn(link, senders)) return null;
    const written = hostAsWritten(link);
    const before = known.get(written);
    if (before !== undefined) return before;
    const imitation = judgeHost(host, unicodeHost ?? host, written, ownDomains);
    known.set(written, imitation);
    return imitation;
  };
}

function judgeHost(
  host: string,
  unicodeHost: string,
  written: string,
  ownDomains: readonly string[],
): string | null {
  const scripts = unicodeHost.split(".").flatMap((label) => mixedScriptsIn(label) ?? []);
  if (scripts.length > 0) return `mixes ${[...new Set(scripts)].join(" and ")} letters`;
  if (/\p{Default_Ignorable_Code_Point}/u.test(written)) return "holds invisible characters";
  const other = findImitated(host, written, ownDomains);
  return other === null ? null : `looks like ${other}`;
}

function hostAsWritten({ href }: Link): string {
  return /^(?:https?:)?[/\\]{0,8}([^/?#\\]{0,300})/i.exec(href)?.[1] ?? "";
}
