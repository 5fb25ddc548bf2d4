import { defineCheck } from "../check.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { raiseEach } from "./senders.ts";
import { shown } from "./shown.ts";

export const linkShortener = defineCheck({
  id: "link-shortener",
  helpPage: "fix-links",
  label: "Link shorteners",
  owner: "content",
  asks: "whether links use public shorteners",
  why: "Public shorteners have a poor reputation, because spammers use them too.",
  refs: ["Spamhaus DBL pages"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim", "session"],
  passes: "No link uses a known public shortener.",
  findings: {
    public: {
      severity: "minor",
      cost: 8,
      title: "Public link shortener",
      says: "{url} hides its target with the public shortener {host}.",
      fix: "Link to the target directly, or use your own short domain.",
    },
  },
  run(facts) {
    const judged = judgeLinks(facts);
    const raised = raiseEach("public", judged.of("link-shortener"), ({ href, shortener, host }) => ({
      subject: href,
      data: { url: shown(href), host: shortener?.host ?? host },
    }));
    return conclude("link-shortener", judged, raised);
  },
});
