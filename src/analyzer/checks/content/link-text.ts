import type { Link } from "../../mail/links/links.ts";
import { defineCheck, passed, type Raised } from "../check.ts";
import { isNamed } from "../impersonation/brands.ts";
import { hostIn, imitatedBy, readClaim } from "./link-claim.ts";
import { conclude, type JudgedLinks, judgeLinks, type LinkCheck } from "./link-order.ts";
import { raiseEach, type Senders } from "./senders.ts";
import { shown } from "./shown.ts";

export const linkText = defineCheck({
  id: "link-text",
  helpPage: "fix-links",
  label: "Link text",
  owner: "content",
  asks: "whether links open the address that their text shows",
  why: "A link that shows one site and opens another is typical of phishing. Your own click tracking, or your email service's, does not count.",
  refs: ["public filter rules"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim", "session"],
  passes: "{what}.",
  findings: {
    imitates: {
      severity: "critical",
      cost: 40,
      title: "Link looks like phishing",
      says: "The link shows {shown}[[, which belongs to {brand},]] but opens {host}.",
      fix: "Link to the address that the text shows. If you did not write this link, do not send the message.",
      why: "Phishing links show a well-known brand's address and open another. Filters look for such links, and email clients warn about them.",
    },
    mismatch: {
      severity: "major",
      title: "Misleading link text",
      says: "The link shows {shown} but opens {host}.",
      fix: "Show the real address, or use descriptive link text.",
    },
    "own-tracker": {
      severity: "info",
      title: "Link text hides tracking host",
      says: "The link shows {shown} and goes through the tracking host {host}.",
      fix: "Optional: [[use a tracking host under {fromDomain}, or ]]use descriptive link text.",
    },
  },
  run(facts) {
    const judged = judgeLinks(facts);
    const { context, of, judgeOf, leftBy } = judged;
    const { senders } = context;
    const tracked = facts.links.list.filter(
      (link) => readClaim(link, senders).is === "tracked" && isNone(judgeOf(link)),
    );
    const found = [
      ...raiseBroken(of("link-text"), senders),
      ...raiseDeceiving(judged),
      ...raiseEach("own-tracker", tracked, (link) => describe(link, senders)),
    ];
    const claims = facts.links.list.filter((link) => readClaim(link, senders).is !== "none");
    return found.length > 0 || leftBy("link-text").length > 0
      ? conclude("link-text", judged, found)
      : passed({
          what:
            claims.length > 0
              ? `Every link that shows an address opens that address (${claims.length} checked)`
              : "No link text shows a web address",
        });
  },
});

/** Plain http is reported separately. */
function isNone(check: LinkCheck | null): boolean {
  return check === null || check === "link-scheme";
}

function raiseBroken(links: readonly Link[], senders: Senders): Raised<"imitates" | "mismatch">[] {
  const byBrand = Map.groupBy(links, (link) => imitatedBy(link, senders) !== null);
  return [
    ...raiseEach("imitates", byBrand.get(true) ?? [], (link) => describe(link, senders)),
    ...raiseEach("mismatch", byBrand.get(false) ?? [], (link) => describe(link, senders)),
  ];
}

/**
 * Misleading links that an earlier check judges. A link to an IP address stays misleading when it gets a host name, so this
 * is a separate issue. A link with text before an @ is fixed by removing that text.
 */
function raiseDeceiving({ context, judgeOf, leftBy }: JudgedLinks): Raised<"imitates" | "mismatch">[] {
  const links = leftBy("link-text");
  const by = (check: LinkCheck) =>
    raiseBroken(
      links.filter((link) => judgeOf(link) === check),
      context.senders,
    );
  const ownedBy = "link-credentials.userinfo";
  return [
    ...by("link-address"),
    // A lookalike or blocklisted host is worse than a mismatch, but not as bad as an imitated brand.
    ...[...by("link-lookalike"), ...by("link-blocklist")].filter(({ finding }) => finding === "imitates"),
    ...by("link-credentials").map((raised) => ({ ...raised, ownedBy }) as const),
  ];
}

function describe(link: Link, senders: Senders) {
  const claim = readClaim(link, senders);
  const host = shown(hostIn(claim) ?? link.host ?? link.href);
  const text = shown(link.textHost ?? link.text);
  const imitated = imitatedBy(link, senders);
  const brand = imitated !== null && isNamed(imitated, link.textOrgDomain ?? "") ? imitated.name : null;
  return { subject: `${text} → ${host}`, data: { shown: text, host, brand, fromDomain: senders.fromDomain } };
}
