import { defineCheck } from "../check.ts";
import { raiseEach } from "./link-findings.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { shown } from "./shown.ts";

export const linkAddress = defineCheck({
  id: "link-address",
  area: "content",
  label: "IP address links",
  owner: "content",
  asks: "whether links name hosts",
  why: "Bare addresses are what malware links to.",
  refs: ["Microsoft sender rules", "public filter rules"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim"],
  kinds: "all",
  domain: "no",
  passes: "Every link names its host.",
  findings: {
    numeric: {
      severity: "major",
      cost: 18,
      title: "Link to raw IP address",
      says: "A link opens {host}, a bare address: {url}.",
      fix: "Use a host name.",
    },
  },
  run(facts) {
    const judged = judgeLinks(facts);
    const raised = raiseEach("numeric", judged.of("link-address"), ({ href, host }) => ({
      subject: host ?? href,
      data: { host, url: shown(href) },
    }));
    return conclude("link-address", judged, raised);
  },
});
