import type { Link, Links } from "../../mail/links/links.ts";
import { riskyEndings } from "../../mail/urls/link-tables.ts";
import { defineCheck, passed } from "../check.ts";
import { finishedLinks, judgeLinks, type LinkCheck } from "./link-order.ts";
import { isOwn, raiseEach } from "./senders.ts";
import { shown } from "./shown.ts";

const maxOrganisations = 10;
const manyLinks = 60;

export const linkHosts = defineCheck({
  id: "link-hosts",
  helpPage: "fix-links",
  label: "Link hosts",
  owner: "content",
  asks: "how many links and domains the message contains",
  why: "Each linked domain adds its own reputation. Social networks and unsubscribe links do not count.",
  refs: ["public filter rules"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim", "session"],
  kinds: ["bulk", "transactional"],
  passes: "Links: {count}. Linked organizations: {organisations}.",
  findings: {
    // Link collections are normal in newsletters, and blocklists are checked for each domain.
    many: {
      severity: "info",
      title: "Links to many organizations",
      says: "The links go to {count} organizations: {organisations}.",
      fix: "Optional: link to fewer domains, because each domain's reputation counts.",
    },
    count: {
      severity: "info",
      title: "Many links",
      says: "The message has {count} links.",
      fix: "Optional: remove links that recipients do not need.",
    },
    "risky-ending": {
      severity: "minor",
      cost: 3,
      title: "Risky top-level domain in link",
      says: "The linked host {host} is in a top-level domain that spammers often use (.{ending}).",
      fix: "Link to your main domain instead.",
      why: "Spam filters trust links in such domains less.",
    },
  },
  run(facts) {
    const { links } = facts;
    const { context, judgeOf } = judgeLinks(facts);
    const organisations = organisationsIn(links);
    const count = countShown(links);
    const risky = finishedLinks(links).filter(
      (link) => riskyEndings.has(endingOf(link)) && !isOwn(link, context.senders) && isFine(judgeOf(link)),
    );
    const found = [
      ...(organisations.length > maxOrganisations
        ? [{ finding: "many" as const, data: { count: organisations.length, organisations } }]
        : []),
      ...(count > manyLinks ? [{ finding: "count" as const, data: { count } }] : []),
      ...raiseEach("risky-ending", risky, (link) => ({
        subject: link.orgDomain ?? link.href,
        data: { host: shown(link.host ?? ""), ending: endingOf(link) },
      })),
    ];
    return found.length > 0 ? found : passed({ count, organisations: organisations.length });
  },
});

/** Any other issue with a link is worse, except plain http, which says nothing about the domain. */
function isFine(judge: LinkCheck | null): boolean {
  return judge === null || judge === "link-scheme";
}

function endingOf({ host, orgDomain }: Link): string {
  return host === null || orgDomain === null ? "" : host.slice(host.lastIndexOf(".") + 1);
}

function organisationsIn(links: Links): string[] {
  const counted = finishedLinks(links).filter(({ role }) => role === "content" || role === "image");
  return [...new Set(counted.flatMap(({ target, orgDomain }) => target?.orgDomain ?? orgDomain ?? []))];
}

/** The plain text repeats the links of the HTML. Links beyond the limit are only counted. */
function countShown({ list, total }: Links): number {
  const inHtml = list.filter(({ place }) => place === "html").length;
  if (total > list.length) return total;
  return inHtml > 0 ? inHtml : list.length;
}
