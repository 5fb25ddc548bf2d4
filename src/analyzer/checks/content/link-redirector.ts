import { defineCheck } from "../check.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { raiseEach } from "./senders.ts";
import { shown } from "./shown.ts";

const maxTargetLength = 500;

export const linkRedirector = defineCheck({
  id: "link-redirector",
  helpPage: "fix-links",
  label: "Open redirects",
  owner: "content",
  asks: "whether links go through open redirects",
  why: "Phishers use open redirects on trusted sites, so filters distrust such links.",
  refs: ["Spamhaus DBL pages"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim", "session"],
  passes: "No link goes through a known open redirect.",
  findings: {
    open: {
      severity: "minor",
      cost: 8,
      title: "Link through open redirect",
      says: "{url} goes through an open redirect at {host} to {targetHost}.",
      fix: "Link to {target}",
    },
  },
  run(facts) {
    const judged = judgeLinks(facts);
    const raised = raiseEach("open", judged.of("link-redirector"), ({ href, host, target }) => ({
      subject: href,
      data: {
        url: shown(href),
        host,
        targetHost: target?.host ?? null,
        // Not shortened, because people copy it.
        target: target?.href.slice(0, maxTargetLength) ?? null,
      },
    }));
    return conclude("link-redirector", judged, raised);
  },
});
