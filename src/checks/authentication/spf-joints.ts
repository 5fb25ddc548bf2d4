// DNS holds a long text as strings of 255 bytes at most, which receivers put together without a space (RFC 7208 §3.3). A
// record that was cut between two terms, and lost the space there, has one term that nobody wrote.

import { parseSpf } from "../../dns/spf.ts";
import type { SpfRecord } from "../authentication-facts.ts";
import type { Gate } from "../check.ts";

type JoinedTerm = {
  readonly term: string;
  /** The strings before and behind the joint. */
  readonly first: string;
  readonly second: string;
};

/** In the middle of a domain no such thing can stand. */
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

// What large providers answer to mail in bulk of which SPF does not pass.

export const unprovenSpfGates: readonly Gate[] = [
  { provider: "gmail", sender: "bulk", reply: "550 5.7.27" },
  { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
];
