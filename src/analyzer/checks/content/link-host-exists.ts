import { defineCheck, findOpen, notApplicable, passed, skipped } from "../check.ts";
import { maxRaised } from "./shown.ts";

export const linkHostExists = defineCheck({
  id: "link-host-exists",
  helpPage: "fix-links",
  label: "Link hosts resolve",
  owner: "content",
  asks: "whether linked hosts resolve",
  why: "Dead links suggest a mistake or a campaign that was taken down.",
  refs: ["RFC 1035"],
  needs: ["linkHosts"],
  kinds: ["bulk", "transactional", "personal"],
  passes: "All linked hosts exist in DNS ({count} checked).",
  findings: {
    gone: {
      severity: "minor",
      cost: 8,
      title: "Link host does not exist",
      says: "The linked host {host} does not exist in DNS.",
      fix: "Correct the link, or publish the host in DNS.",
    },
  },
  run({ linkHosts }) {
    if (linkHosts.length === 0) return notApplicable("The message has no links to hosts that can be looked up.");
    const answers = linkHosts.map(({ fact }) => fact);
    const known = answers.flatMap((fact) => (fact.known ? [fact.value] : []));
    const [unknown] = answers.filter((fact) => !fact.known);
    if (known.length === 0 && unknown) return skipped(unknown.why);
    const gone = known.filter(({ exists }) => !exists).slice(0, maxRaised);
    if (gone.length === 0) return passed({ count: known.length });
    return gone.map(({ host }) => ({ finding: "gone", subject: host, data: { host } }));
  },
  open: ({ linkHosts }) =>
    findOpen(
      "linkHosts",
      linkHosts.map(({ fact }) => fact),
    ),
});
