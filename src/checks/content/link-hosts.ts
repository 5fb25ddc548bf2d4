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
  area: "content",
  label: "Link hosts",
  owner: "content",
  asks: "how many places the message links to",
  why: "Every foreign domain brings its own reputation. Social networks and ways to unsubscribe are left out.",
  refs: ["public filter rules"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim"],
  kinds: ["bulk", "transactional"],
  domain: "no",
  passes: "Links: {count}; organisations that they lead to: {organisations}.",
  findings: {
    // Newsletters that collect links are meant to have them; blocklists are asked of each.
    many: {
      severity: "info",
      cost: 0,
      title: "Links to many organizations",
      says: "Links lead to {count} organisations: {organisations}.",
      fix: "Optional: link to fewer domains; the reputation of each counts.",
    },
    count: {
      severity: "info",
      cost: 0,
      title: "Many links",
      says: "The message has {count} links.",
      fix: "Fewer links are clearer.",
    },
    "risky-ending": {
      severity: "minor",
      cost: 3,
      title: "Risky link domain ending",
      says: "{host} has an ending that is often abused (.{ending}).",
      fix: "Prefer your usual domain.",
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

/** Whatever else is wrong with a link is worse; but for http, which says nothing of the domain. */
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

/** The plain text repeats what the HTML links to; beyond their bound links are only counted. */
function countShown({ list, total }: Links): number {
  const inHtml = list.filter(({ place }) => place === "html").length;
  if (total > list.length) return total;
  return inHtml > 0 ? inHtml : list.length;
}
