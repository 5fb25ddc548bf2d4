import { defineCheck } from "../check.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { raiseEach } from "./senders.ts";
import { shown } from "./shown.ts";

export const linkLookalike = defineCheck({
  id: "link-lookalike",
  helpPage: "fix-links",
  label: "Lookalike links",
  owner: "content",
  asks: "whether link hosts imitate other domains",
  why: "Lookalike hosts are typical of phishing.",
  refs: ["UTS #39"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim", "session"],
  passes: "No link host looks like another known domain.",
  findings: {
    imitates: {
      severity: "major",
      title: "Lookalike link host",
      says: "A link host {how}: {unicode}[[ ({punycode})]].",
      fix: "Link to the real host.",
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
