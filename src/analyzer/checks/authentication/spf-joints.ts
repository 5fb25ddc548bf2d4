// DNS splits a long text into strings of at most 255 bytes, which receivers join without a space (RFC 7208 §3.3). If a
// record is split between two terms without a space, the two become one wrong term.

import { parseSpf } from "../../dns/spf.ts";
import type { SpfRecord } from "../authentication-facts.ts";
import type { Gate } from "../check.ts";

type JoinedTerm = {
  readonly term: string;
  /** The strings before and after the joint. */
  readonly first: string;
  readonly second: string;
};

/** The start of a term, which cannot occur inside a domain name. */
const beginning = /^[-+~?]?(?:include|exists|ip4|ip6|a|mx|ptr|redirect|exp)[:=]/i;

export function findJoinedTerm({ strings }: Pick<SpfRecord, "strings">): JoinedTerm | null {
  for (const [index, second] of strings.entries()) {
    const first = strings[index - 1] ?? "";
    const left = first.slice(first.lastIndexOf(" ") + 1);
    const [right = ""] = second.split(" ", 1);
    if (index === 0 || left === "" || right === "") continue;
    const term = `${left}${right}`;
    const isTwo = isReadable(left) && isReadable(right);
    if (isTwo && (beginning.test(right) || !isReadable(term))) return { term, first, second };
  }
  return null;
}

function isReadable(term: string): boolean {
  return parseSpf(`v=spf1 ${term}`).problem === null;
}

// Replies of large providers to bulk mail that does not pass SPF.

export const unprovenSpfGates: readonly Gate[] = [
  { provider: "gmail", sender: "bulk", reply: "550 5.7.27" },
  { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
];
