import { findListRow } from "../../dns/dnsbl.ts";
import { defineCheck, findOpen, passed, type Raised, skipped } from "../check.ts";
import type { Listing } from "../infrastructure-facts.ts";
import type { Esp } from "../kind.ts";
import { toClient } from "./client.ts";
import { knownValues, whyNone } from "./rows.ts";

export const ipBlocklist = defineCheck({
  id: "ip-blocklist",
  helpPage: "fix-blocklists",
  label: "IP blocklists",
  owner: "mail-server",
  asks: "whether the sending IP is on a blocklist",
  why: "Large receivers reject mail from IPs on some blocklists. Other blocklists hardly matter.",
  refs: ["RFC 5782", "list owners' pages"],
  needs: ["session", "kind"],
  wants: ["dnsbl"],
  passes: "{ip} is on none of the blocklists that responded: {lists}.",
  findings: {
    listed: {
      severity: "critical",
      title: "Sending IP on a blocklist",
      says: "{ip} is on {list} ({code}: {meaning}).",
      fix: "Find and fix the cause[[ ({reason})]], then request removal[[ at {advice}]].[[ On a shared IP, ask {esp} to move you.]]",
      gates: [
        { provider: "yahoo", sender: "any", reply: "553 5.7.1 [BL21]" },
        { provider: "outlook", sender: "any", reply: "550 OU-001" },
        { provider: "apple", sender: "any", reply: "550 5.7.1" },
      ],
    },
    policy: {
      severity: "major",
      title: "Sending IP on policy blocklist",
      says: "{ip} is in a range that should not send mail directly ({list}, {code}).",
      fix: "Send through your provider's relay. Or have the owner of the range set a PTR record, then request removal[[ at {advice}]].",
      gates: [{ provider: "outlook", sender: "any", may: true, reply: "550 DY-001" }],
    },
    "minor-list": {
      severity: "minor",
      cost: 8,
      title: "Sending IP on minor blocklist",
      says: "{ip} is on {list} ({code}: {meaning}).",
      fix: "Request removal[[ at {advice}]]. Lists like this carry little weight.",
    },
    shared: {
      severity: "info",
      title: "Shared IP on a blocklist",
      says: "{ip}, a shared IP of {esp}, is on {lists}.",
      fix: "No action needed now. Tell {esp} if bounces mention the list.",
    },
    broad: {
      severity: "info",
      title: "Sending network on broad blocklist",
      says: "The network that contains {ip} is on {lists}. Such listings cover entire providers.",
      fix: "No action needed. Do not pay for removal.",
    },
  },
  run({ session, kind: { esp }, dnsbl }) {
    const client = toClient(session);
    if ("skipped" in client) return client;
    if (!dnsbl.known) return skipped(dnsbl.why);
    const rows = knownValues(dnsbl.value);
    if (rows.length === 0) return skipped(whyNone(dnsbl.value));
    const { ip } = client;
    const shared = esp?.shared ? esp : null;
    const found = judge(ip, toListings(rows), shared);
    return found.length > 0 ? found : passed({ ip, lists: [...new Set(rows.map(nameOf))] });
  },
  open: ({ dnsbl }) =>
    dnsbl.known
      ? findOpen(
          "dnsbl",
          dnsbl.value.map(({ fact }) => fact),
        )
      : null,
});

type Finding = "listed" | "policy" | "minor-list" | "shared" | "broad";

function judge(ip: string, listings: readonly Listing[], shared: Esp | null): Raised<Finding>[] {
  const of = (wanted: Listing["class"]) => listings.filter((listing) => listing.class === wanted);
  const raise = (finding: Finding, listing: Listing) => toFinding(finding, ip, listing, shared);
  const [major, minor, broad] = [of("major"), of("minor"), of("broad")];
  const lists = (all: readonly Listing[]) => ({
    data: { ip, lists: all.map(nameOf), esp: shared?.name ?? null },
    evidence: { listings: all },
  });
  return [
    ...major.map((listing) => raise("listed", listing)),
    ...(major.length > 0 ? [] : of("policy").map((listing) => raise("policy", listing))),
    ...(shared ? [] : minor.map((listing) => raise("minor-list", listing))),
    ...(shared && minor.length > 0 ? [{ finding: "shared" as const, ...lists(minor) }] : []),
    ...(broad.length > 0 ? [{ finding: "broad" as const, ...lists(broad) }] : []),
  ];
}

function toFinding(finding: Finding, ip: string, listing: Listing, shared: Esp | null): Raised<Finding> {
  const { zone, code, meaning, text, delistUrl } = listing;
  const list = nameOf(listing);
  return {
    finding,
    subject: list,
    data: {
      ip,
      list,
      code: code ?? "listed",
      meaning: meaning ?? "listed",
      reason: text,
      advice: delistUrl,
      esp: shared?.name ?? null,
    },
    evidence: { zone },
  };
}

/** An operator may query a list and a part of it. That counts as one listing. */
function toListings(rows: readonly Listing[]): Listing[] {
  const byList = new Map<string, Listing>();
  for (const row of rows.filter(({ listed }) => listed)) {
    const key = `${row.class} ${nameOf(row)}`;
    if (!byList.has(key)) byList.set(key, row);
  }
  return [...byList.values()];
}

function nameOf({ zone }: Listing): string {
  return findListRow(zone)?.name ?? zone;
}
