import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import type { Fact } from "../fact.ts";
import type { Listing, Row } from "../infrastructure-facts.ts";
import { hostNameFor, toClient } from "./client.ts";
import { knownValues } from "./rows.ts";

export const ptrGeneric = defineCheck({
  id: "ptr-generic",
  helpPage: "fix-reverse-dns",
  label: "Reverse DNS name",
  owner: "mail-server",
  asks: "whether the reverse DNS name looks like a mail server",
  why: "Several providers reject mail from names that look like home or dynamic connections.",
  refs: ["Yahoo and GMX sender rules"],
  needs: ["session", "kind"],
  wants: ["ptr", "dnsbl", "message"],
  passes: "The reverse DNS name {name} does not look like a home or dynamic connection.",
  findings: {
    dynamic: {
      severity: "major",
      title: "Dynamic-looking reverse DNS",
      says: "The reverse DNS name {name} looks like a home or dynamic connection ({sign}).",
      fix: "Have the PTR record for {ip} set to a hostname in your domain, for example `{host}`.",
      gates: [
        { provider: "gmx", sender: "any", reply: "rejection" },
        { provider: "outlook", sender: "any", may: true, reply: "550 DY-001" },
      ],
    },
    "provider-default": {
      severity: "minor",
      cost: 8,
      title: "Provider's default reverse DNS",
      says: "The reverse DNS name {name} looks like your hosting provider's default ({sign}).",
      fix: "Have the PTR record for {ip} set to a hostname in your domain, for example `{host}`.",
    },
  },
  run({ session, kind: { esp }, ptr, dnsbl, message }) {
    const client = toClient(session);
    if ("skipped" in client) return client;
    if (!ptr.known) return skipped(ptr.why);
    const { ip } = client;
    const { confirmed, count, generic, pattern } = ptr.value;
    const [name] = confirmed;
    if (count === 0) return notApplicable("The sending IP has no reverse DNS.");
    if (name === undefined) return notApplicable("Reverse DNS does not resolve back to the sending IP.");
    if (esp?.shared) return notApplicable(`${esp.name} sets the reverse DNS of its shared IPs.`);
    if (generic === null || (generic === "provider-default" && esp !== null)) return passed({ name });
    if (generic === "dynamic" && isOnPolicyList(dnsbl))
      return notApplicable("A policy blocklist already covers this range.");
    const sign = pattern ?? "its form";
    return [{ finding: generic, data: { ip, name, sign, host: hostNameFor({ message }) } }];
  },
});

function isOnPolicyList(dnsbl: Fact<readonly Row<Listing>[]>): boolean {
  return dnsbl.known && knownValues(dnsbl.value).some((row) => row.listed && row.class === "policy");
}
