import { defineCheck } from "../check.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { raiseEach } from "./senders.ts";
import { shown } from "./shown.ts";

export const linkCredentials = defineCheck({
  id: "link-credentials",
  area: "content",
  label: "Credentials in links",
  owner: "content",
  asks: "whether addresses carry log-in parts",
  why: "`https://bank.example@evil.test` opens evil.test.",
  refs: ["RFC 3986 §3.2.1"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim"],
  kinds: "all",
  domain: "no",
  passes: "No link has a log-in part.",
  findings: {
    userinfo: {
      severity: "major",
      cost: 18,
      title: "Credentials in a link",
      says: "{url} has a part before the @; it opens {host}.",
      fix: "Remove the part before the @, and the @.",
    },
  },
  run(facts) {
    const judged = judgeLinks(facts);
    const raised = raiseEach("userinfo", judged.of("link-credentials"), ({ href, host }) => ({
      subject: href,
      data: { url: shown(href), host: shown(host ?? "nothing") },
    }));
    return conclude("link-credentials", judged, raised);
  },
});
