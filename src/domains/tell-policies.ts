// What changed in BIMI, MTA-STS and TLS reporting.

import { toVisibleCut } from "../visible-text.ts";
import type { Told } from "./change-kind-table.ts";
import type { BimiMeaning, MtaStsMeaning, TlsRptMeaning } from "./policy-meanings.ts";
import { listNames, tellPresence } from "./tell-presence.ts";

export function tellBimi(before: BimiMeaning, after: BimiMeaning): Told {
  const what = "The BIMI record";
  if (before.state !== "read" || after.state !== "read")
    return tellPresence(what, before.state, after.state) ?? changed(`${what} is another`);
  if (after.logo === null && before.logo !== null)
    return { kind: "record_changed", direction: "worse", says: `${what} announces a logo no longer` };
  if (before.logo === null && after.logo !== null)
    return {
      kind: "record_changed",
      direction: "better",
      says: `${what} announces a logo, where it declined to`,
    };
  if (before.logo !== after.logo)
    return changed(`${what} names another logo: ${show(after.logo)} in place of ${show(before.logo)}`);
  if (before.certificate !== after.certificate)
    return changed(
      `${what} names another certificate: ${show(after.certificate)} in place of ${show(before.certificate)}`,
    );
  return changed(`${what} has other preferences (avp=, lps=)`);
}

function changed(says: string): Told {
  return { kind: "record_changed", direction: "neutral", says };
}

function show(url: string | null): string {
  return url === null ? "none" : toVisibleCut(url, 120);
}

const modeStrength = { none: 0, testing: 1, enforce: 2 } as const;

export function tellMtaSts(before: MtaStsMeaning, after: MtaStsMeaning): Told {
  if (before.state === "read" && after.state === "read") return tellMtaStsPolicy(before, after);
  if (after.state === "unusable")
    return {
      kind: "policy_lost",
      direction: before.state === "read" ? "worse" : "neutral",
      says: "The MTA-STS policy that the record announces is not there, or cannot be read",
    };
  if (before.state === "unusable" && after.state === "read")
    return { kind: "policy_found", direction: "better", says: "The MTA-STS policy is there and can be read" };
  const earlier = before.state === "unusable" ? "broken" : before.state;
  return tellPresence("The MTA-STS record", earlier, after.state) ?? changed("The MTA-STS record is another");
}

type Policy = Extract<MtaStsMeaning, { readonly state: "read" }>;

function tellMtaStsPolicy(before: Policy, after: Policy): Told {
  const gain = modeStrength[after.mode] - modeStrength[before.mode];
  if (gain !== 0)
    return {
      kind: gain < 0 ? "policy_mode_loosened" : "policy_mode_tightened",
      direction: gain < 0 ? "worse" : "better",
      says: `The mode of the MTA-STS policy went from ${before.mode} to ${after.mode}`,
    };
  const added = after.mx.filter((host) => !before.mx.includes(host));
  const removed = before.mx.filter((host) => !after.mx.includes(host));
  const moves = [
    ...(added.length > 0 ? [`names ${listNames(added)}, which it did not`] : []),
    ...(removed.length > 0 ? [`no longer names ${listNames(removed)}`] : []),
    ...(before.maxAgeSeconds === after.maxAgeSeconds
      ? []
      : [`is kept for ${after.maxAgeSeconds} seconds, and was for ${before.maxAgeSeconds}`]),
  ];
  return { kind: "policy_changed", direction: "neutral", says: `The MTA-STS policy ${moves.join(", and ")}` };
}

export function tellTlsRpt(before: TlsRptMeaning, after: TlsRptMeaning): Told {
  if (before.state !== "read" || after.state !== "read")
    return (
      tellPresence("The record for TLS reports", before.state, after.state) ??
      changed("The record for TLS reports is another")
    );
  const list = (uris: readonly string[]) => listNames(uris.map((uri) => toVisibleCut(uri, 80)));
  const says = `TLS reports go to ${list(after.rua)}, and went to ${list(before.rua)}`;
  return { kind: "reports_changed", direction: "neutral", says };
}
