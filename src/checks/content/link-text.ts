import type { Link } from "../../mail/links/links.ts";
import { defineCheck, passed, type Raised } from "../check.ts";
import { isNamed } from "../impersonation/brands.ts";
import { hostIn, imitatedBy, readClaim } from "./link-claim.ts";
import { conclude, type JudgedLinks, judgeLinks, type LinkCheck } from "./link-order.ts";
import { raiseEach, type Senders } from "./senders.ts";
import { shown } from "./shown.ts";

export const linkText = defineCheck({
  id: "link-text",
  area: "content",
  label: "Link text",
  owner: "content",
  asks: "whether link texts tell the truth",
  why: "A text that shows one site and opens another is the mark of phishing. A counter of clicks of your own, or of the service that you send with, is none.",
  refs: ["public filter rules"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim"],
  kinds: "all",
  domain: "no",
  passes: "{what}.",
  findings: {
    imitates: {
      severity: "critical",
      cost: 40,
      title: "Link looks like phishing",
      says: "The link reads {shown}[[, an address of {brand},]] but opens {host}.",
      fix: "Link to the address that is shown. If you did not write this link, don’t send the message: phishing looks like this.",
      why: "A link that shows a well-known brand’s address and opens another is how phishing works. Filters look for it, and mail programs warn of it.",
    },
    mismatch: {
      severity: "major",
      cost: 18,
      title: "Misleading link text",
      says: "The link reads {shown} but opens {host}.",
      fix: "Show the true address, or words.",
    },
    "own-tracker": {
      severity: "info",
      cost: 0,
      title: "Shown link uses tracking host",
      says: "The link reads {shown} and opens through {host}.",
      fix: "Optional: [[use a tracking host in {fromDomain}, or ]]show words in place of the address.",
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
              ? `Every link that shows an address opens it (${claims.length})`
              : "No link shows an address of the web",
        });
  },
});

/** Plain http is told beside it. */
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
 * A link that deceives, though an earlier check judges it. A host name in place of a bare address would deceive as much,
 * so that the lie is a fault of its own; with what stands before an @ the lie goes.
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
    // What its letters or a blocklist say of the host is graver than a mismatch, and not as grave as an imitation.
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
