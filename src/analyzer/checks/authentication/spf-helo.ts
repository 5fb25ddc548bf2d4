import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { allowAddress, correctRecord, toMechanism } from "./spf-correction.ts";

export const spfHelo = defineCheck({
  id: "spf-helo",
  helpPage: "fix-helo",
  label: "SPF for HELO",
  owner: "dns",
  asks: "whether SPF for the HELO name allows the sending IP",
  why: "Receivers check it when the return path is empty, as in bounces.",
  refs: ["RFC 7208 §2.3, §2.4"],
  needs: ["spfHelo", "session"],
  wants: ["spf"],
  passes: "SPF for the HELO name {helo} does not reject {ip}.",
  findings: {
    fail: {
      severity: "minor",
      cost: 3,
      title: "SPF fails for HELO name",
      says: "The SPF record for the HELO name {helo} does not allow {ip}.",
      fix: "Publish this TXT record at {helo}: `{corrected}`.",
    },
  },
  run({ spfHelo, session, spf }) {
    const { result, domain: helo, record } = spfHelo;
    const ip = session.clientAddress;
    if (!session.isPublic || ip === null) return notApplicable("The message did not come from a public IP.");
    if (session.mailFrom === "")
      return notApplicable("The return path is empty, so spf-result already checks the HELO name.");
    if (helo === null) return notApplicable("The client sent no HELO name.");
    if (spf.known && spf.value.domain === helo)
      return notApplicable(`${helo} is also the return-path domain, which spf-result checks.`);
    if (result === "temperror") return skipped("timeout");
    if (result !== "fail") return passed({ helo, ip });
    const corrected = correctRecord(record, (terms) => allowAddress(ip, terms)) ?? `v=spf1 ${toMechanism(ip)} -all`;
    return [{ finding: "fail", data: { helo, ip, corrected }, evidence: { record } }];
  },
});
