import { defineCheck } from "../check.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { raiseEach } from "./senders.ts";
import { shown } from "./shown.ts";

export const linkLookalike = defineCheck({
  id: "link-lookalike",
  area: "content",
  label: "Lookalike links",
  owner: "content",
  asks: "whether link hosts imitate others",
  why: "A host that looks like another is a mark of fraud.",
  refs: ["UTS #39"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim"],
  kinds: "all",
  domain: "no",
  passes: "No link's host imitates another.",
  findings: {
    imitates: {
      severity: "major",
      cost: 18,
      title: "Lookalike link host",
      says: "A link's host {how}: {unicode}[[ ({punycode})]].",
      fix: "Link to the true host.",
    },
  },
  run(facts) {
    const judged = judgeLinks(facts);
    const { context, of } = judged;
    const raised = raiseEach("imitates", of("link-lookalike"), (link) => {
      const { host, unicodeHost } = link;
      return {
        subject: host ?? link.href,
        data: {
          how: context.findImitation(link),
          unicode: shown(unicodeHost ?? link.href),
          punycode: host === unicodeHost ? null : host,
        },
      };
    });
    return conclude("link-lookalike", judged, raised);
  },
});
