import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import type { NameServer } from "../infrastructure-facts.ts";

export const nameservers = defineCheck({
  id: "nameservers",
  helpPage: "fix-dns",
  label: "Name servers",
  owner: "dns",
  asks: "whether the zone is served reliably",
  why: "If DNS fails, SPF, DKIM, and DMARC fail with it.",
  refs: ["RFC 2182"],
  needs: ["zone"],
  kinds: [],
  domain: "only",
  passes: "{zone} is served by {names}.",
  findings: {
    single: {
      severity: "minor",
      cost: 8,
      title: "Only one name server",
      says: "{zone} has only one independent name server ({names}).",
      fix: "Add a second name server on another network.",
    },
    lame: {
      severity: "minor",
      cost: 8,
      title: "Lame name server",
      says: "{server} is listed as a name server for {zone} but {fault}.",
      fix: "Remove it at your registrar, or set up the zone on this server.",
    },
  },
  run({ zone: { zone, ns } }) {
    if (ns.length === 0) return notApplicable("No zone with name servers was found for the domain.");
    const names = ns.map(({ name }) => name);
    const lame = ns.flatMap((server) => judgeServer(zone, server));
    const found = [...(isSingle(ns) ? [{ finding: "single" as const, data: { zone, names } }] : []), ...lame];
    return found.length > 0 ? found : passed({ zone, names });
  },
});

/** Several names can be the same machine. */
function isSingle(servers: readonly NameServer[]): boolean {
  if (servers.length < 2) return true;
  if (!servers.every(({ addresses }) => addresses.known)) return false;
  const all = servers.flatMap(({ addresses }) => (addresses.known ? addresses.value : []));
  return new Set(all).size === 1;
}

function judgeServer(zone: string, { name, addresses, authoritative }: NameServer): Raised<"lame">[] {
  const isNowhere = addresses.known && addresses.value.length === 0;
  const isDeaf = authoritative.known && !authoritative.value;
  if (!isNowhere && !isDeaf) return [];
  const fault = isNowhere ? "has no address" : "does not serve it";
  return [{ finding: "lame", subject: name, data: { zone, server: name, fault } }];
}
