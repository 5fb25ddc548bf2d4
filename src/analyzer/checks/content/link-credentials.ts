import { defineCheck } from "../check.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { raiseEach } from "./senders.ts";
import { shown } from "./shown.ts";

export const linkCredentials = defineCheck({
  id: "link-credentials",
  helpPage: "fix-links",
  label: "Credentials in links",
  owner: "content",
  asks: "whether links contain a username or password",
  why: "`https://bank.example@evil.test` opens evil.test.",
  refs: ["RFC 3986 §3.2.1"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim", "session"],
  passes: "No link contains a username or password.",
  findings: {
    userinfo: {
      severity: "major",
      title: "Credentials in a link",
      says: "{url} has text before the @ and opens {host}.",
      fix: "Remove the @ and the text before it.",
    },
  },
  run(facts) {
    const judged = judgeLinks(facts);
    const raised = raiseEach("userinfo", judged.of("link-credentials"), ({ href, host }) => ({
      subject: href,
      data: { url: shown(href), host: shown(host ?? "no host") },
    }));
    return conclude("link-credentials", judged, raised);
  },
});
