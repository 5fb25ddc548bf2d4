import type { Link } from "../../mail/links/links.ts";
import { defineCheck, notApplicable } from "../check.ts";
import { imitatedBy } from "./link-claim.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { isPrivateHost } from "./private-host.ts";
import { raiseEach } from "./senders.ts";
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
    private: {
      severity: "info",
      cost: 0,
      title: "Link to private address",
      says: "A link opens {host}, which works only inside a private network: {url}.",
      fix: "Nothing, if all recipients are in that network. Otherwise link to a public host name.",
    },
  },
  run(facts) {
    const judged = judgeLinks(facts);
    const links = judged.of("link-address");
    const describe = ({ href, host }: Link) => ({ subject: host ?? href, data: { host, url: shown(href) } });
    const groups = Map.groupBy(links, (link) => {
      if (isPrivateHost(link)) return "private";
      return imitatedBy(link, judged.context.senders) === null ? "public" : "imitating";
    });
    const ownedBy = "link-text.imitates" as const;
    const raised = [
      // Who links to the brand instead is rid of the address, too.
      ...raiseEach("numeric", groups.get("imitating") ?? [], describe).map((one) => ({ ...one, ownedBy })),
      ...raiseEach("numeric", groups.get("public") ?? [], describe),
      ...raiseEach("private", groups.get("private") ?? [], describe),
    ];
    // One that claims to open a named host is judged by the check of that.
    if (raised.length === 0 && facts.links.list.some(isPrivateHost))
      return notApplicable("Another check finds something graver wrong with the same link.");
    return conclude("link-address", judged, raised);
  },
});
