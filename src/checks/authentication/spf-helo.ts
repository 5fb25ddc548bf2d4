import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { allowAddress, correctRecord, toMechanism } from "./spf-correction.ts";

export const spfHelo = defineCheck({
  id: "spf-helo",
  area: "authentication",
  label: "SPF for HELO",
  owner: "dns",
  asks: "whether the HELO name permits this address",
  why: "Receivers use it for messages with the empty return path, bounces above all.",
  refs: ["RFC 7208 §2.3, §2.4"],
  needs: ["spfHelo", "session"],
  wants: ["spf"],
  kinds: "all",
  domain: "no",
  passes: "Nothing that {helo} publishes speaks against {ip}.",
  findings: {
    fail: {
      severity: "minor",
      cost: 3,
      title: "SPF fails for HELO name",
      says: "{helo} publishes an SPF record that excludes {ip}.",
      fix: "Publish at {helo}: `{corrected}`.",
    },
  },
  run({ spfHelo, session, spf }) {
    const { result, domain: helo, record } = spfHelo;
    const ip = session.clientAddress;
    if (!session.isPublic || ip === null)
      return notApplicable("The message did not come from an address of the internet.");
    if (session.mailFrom === "")
      return notApplicable("With the empty return path SPF itself judges the HELO name.");
    if (helo === null) return notApplicable("The client gave no name.");
    if (spf.known && spf.value.domain === helo)
      return notApplicable(`${helo} is the envelope domain too, which SPF judges.`);
    if (result === "temperror") return skipped("timeout");
    if (result !== "fail") return passed({ helo, ip });
    const corrected =
      correctRecord(record, (terms) => allowAddress(ip, terms)) ?? `v=spf1 ${toMechanism(ip)} -all`;
    return [{ finding: "fail", data: { helo, ip, corrected }, evidence: { record } }];
  },
});
