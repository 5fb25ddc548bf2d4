import { defineCheck, notApplicable, passed } from "../check.ts";
import { ownershipFacts, whyNoAdvice } from "./spf-owner.ts";

/** RFC 1035 §4.2.1: the limit of a DNS packet without extensions. */
const maxBytes = 512;

export const spfSize = defineCheck({
  id: "spf-size",
  helpPage: "fix-spf",
  label: "TXT response size",
  owner: "dns",
  asks: "whether the TXT response fits in a plain DNS packet",
  why: "Large responses need TCP, which some firewalls block.",
  refs: ["RFC 7208 §3.4"],
  needs: ["spfRecord"],
  wants: ownershipFacts,
  passes: "The TXT response for {domain} is {bytes} bytes, which fits in a plain DNS packet.",
  findings: {
    large: {
      severity: "info",
      title: "Large TXT response",
      says: "The TXT response for {domain} is {bytes} bytes. Some resolvers fail on responses over 512 bytes.",
      fix: "Remove verification records that you no longer need, or move senders to an include.",
    },
  },
  run({ spfRecord, ...facts }) {
    const unfit = whyNoAdvice(spfRecord, facts);
    if (unfit !== null) return notApplicable(unfit);
    const { domain, bytes } = spfRecord;
    return bytes > maxBytes ? [{ finding: "large", data: { domain, bytes } }] : passed({ domain, bytes });
  },
});
