// Whether a link's host pretends to be another by its letters (UTS #39): several alphabets in one label, or characters
// that are not shown.

import type { Link } from "../../mail/links.ts";

export type Imitation = { readonly how: string };

export function imitationIn(link: Link, _ownDomains: readonly string[]): Imitation | null {
  if (link.host === null) return null;
  if (link.isMixedScript) return { how: "mixes letters of several alphabets" };
  return link.hasInvisible && isUnseenIn(hostAsWritten(link)) ? { how: "holds invisible characters" } : null;
}

function hostAsWritten({ href }: Link): string {
  return /^(?:https?:)?[/\\]{0,8}([^/?#\\]{0,300})/i.exec(href)?.[1] ?? "";
}

function isUnseenIn(host: string): boolean {
  return /\p{Default_Ignorable_Code_Point}/u.test(host);
}
