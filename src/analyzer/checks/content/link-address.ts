import { toPlainAddress } from "../../addresses.ts";
import type { Link } from "../../mail/links/links.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import { imitatedBy } from "./link-claim.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { isPrivateHost } from "./private-host.ts";
import { raiseEach } from "./senders.ts";
import { shown } from "./shown.ts";

export const linkAddress = defineCheck({
  id: "link-address",
  helpPage: "fix-links",
  label: "IP address links",
  owner: "content",
  asks: "whether links use hostnames",
  why: "Malware often links to IP addresses.",
  refs: ["Microsoft sender rules", "public filter rules"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim", "session", "images"],
  passes: "No link uses a raw IP address[[, but an image is loaded from {imageHost}]].",
  findings: {
    numeric: {
      severity: "major",
      title: "Link to raw IP address",
      says: "The link {url} opens the raw IP address {host}.",
      fix: "Use a hostname.",
    },
    private: {
      severity: "info",
      title: "Link to private address",
      says: "The link {url} opens {host}, which works only inside a private network.",
      fix: "If some recipients are outside that network, link to a public hostname.",
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
      // Linking to the brand's real site also removes the IP address.
      ...raiseEach("numeric", groups.get("imitating") ?? [], describe).map((one) => ({ ...one, ownedBy })),
      ...raiseEach("numeric", groups.get("public") ?? [], describe),
      ...raiseEach("private", groups.get("private") ?? [], describe),
    ];
    // `link-text` judges a link that shows a host name but opens a private address.
    if (raised.length === 0 && facts.links.list.some(isPrivateHost))
      return notApplicable("Another check reports a more serious issue with the same link.");
    const images = facts.images.known ? facts.images.value.list : [];
    const imageHost = images.find(({ host }) => host !== null && toPlainAddress(host) !== undefined)?.host ?? null;
    const verdict = conclude("link-address", judged, raised);
    return "length" in verdict && verdict.length === 0 ? passed({ imageHost }) : verdict;
  },
});
