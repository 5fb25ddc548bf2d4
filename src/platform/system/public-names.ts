// A resolver of a private network may say of every public name that it does not exist. Reports would then blame senders
// for missing domains and records. So before "does not exist" is believed, the server that says so is asked for a name
// that exists everywhere on the internet.

import type { DnsAnswer, DnsStatus } from "../../analyzer/dns/answer.ts";

export const publicName = "example.com";

/** RFC 6761 §6, RFC 6762 §3, RFC 8375: the public DNS has none of these, so any server can say so. */
const absentNames = /(^|\.)(localhost|test|invalid|example|local|internal|home\.arpa)$/;

type PublicNamesOptions = {
  /** Asks this server for the public name. */
  readonly askServer: (server: string) => Promise<DnsStatus>;
  readonly now: () => number;
  /** The operator's own domains, about which any server is believed. */
  readonly trusted: readonly string[];
};

type Seen = { readonly knowsPublic: Promise<boolean>; readonly at: number };

/** A server is asked once for all names that wait for it, and again after this time. */
const keptMs = 60_000;

/** Turns "does not exist" into "private" if it comes from a server that knows no public names. */
export function createAbsenceDoubt({ askServer, now, trusted }: PublicNamesOptions) {
  // DMARC also looks above a domain, up to _dmarc.com.
  const isAbove = (name: string, own: string) => name.startsWith("_dmarc.") && own.endsWith(name.slice(6));
  const isTrusted = (name: string) =>
    trusted.some((own) => name === own || name.endsWith(`.${own}`) || isAbove(name, own));
  const seen = new Map<string, Seen>();
  const knowsPublic = (server: string): Promise<boolean> => {
    const last = seen.get(server);
    const ageMs = last === undefined ? Number.POSITIVE_INFINITY : now() - last.at;
    if (last !== undefined && ageMs >= 0 && ageMs < keptMs) return last.knowsPublic;
    // Trouble with this one name says nothing about the others.
    const asked = askServer(server).then((status) => status !== "nxdomain");
    seen.set(server, { knowsPublic: asked, at: now() });
    return asked;
  };
  return async (answer: DnsAnswer): Promise<DnsAnswer> => {
    const { status, server, name } = answer;
    if (status !== "nxdomain" || server === null || absentNames.test(name) || isTrusted(name)) return answer;
    return (await knowsPublic(server)) ? answer : { ...answer, status: "private" };
  };
}
