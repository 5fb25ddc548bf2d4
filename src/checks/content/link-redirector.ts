import { defineCheck } from "../check.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { raiseEach } from "./senders.ts";
import { shown } from "./shown.ts";

const maxTargetLength = 500;

export const linkRedirector = defineCheck({
  id: "link-redirector",
  area: "content",
  label: "Open redirects",
  owner: "content",
  asks: "whether links use foreign open redirects",
  why: "Phishers borrow the good name of such a service, so filters distrust links through it.",
  refs: ["Spamhaus DBL pages"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim"],
  kinds: "all",
  domain: "no",
  passes: "No link goes through a foreign open redirect.",
  findings: {
    open: {
      severity: "minor",
      cost: 8,
      title: "Link through open redirect",
      says: "{url} goes through {host} to {targetHost}.",
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
        // Whole, because it is to be copied.
        target: target?.href.slice(0, maxTargetLength) ?? null,
      },
    }));
    return conclude("link-redirector", judged, raised);
  },
});
