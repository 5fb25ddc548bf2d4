import type { Link } from "../../mail/links.ts";
import { defineCheck, type FindingId, passed, type Raised } from "../check.ts";
import { type Claim, readClaim } from "./link-claim.ts";
import { raiseEach } from "./link-findings.ts";
import { conclude, type JudgedLinks, judgeLinks, type LinkCheck } from "./link-order.ts";
import type { Senders } from "./senders.ts";
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
      ...raiseEach("mismatch", of("link-text"), (link) => describe(link, senders)),
      ...followers(judged),
      ...raiseEach("own-tracker", tracked, (link) => describe(link, senders)),
    ];
    const claims = facts.links.list.filter((link) => readClaim(link, senders).is !== "none");
    return found.length > 0 || leftBy("link-text").length > 0
      ? conclude("link-text", judged, found)
      : passed({
          what:
            claims.length > 0
              ? `Every link that shows an address opens it (${claims.length})`
              : "No link shows an address",
        });
  },
});

/** Plain http is told beside it. */
function isNone(check: LinkCheck | null): boolean {
  return check === null || check === "link-scheme";
}

/** A link that deceives, though an earlier check judges its cause: told as what follows from that. */
const causes: readonly (readonly [LinkCheck, FindingId])[] = [
  ["link-credentials", "link-credentials.userinfo"],
  ["link-address", "link-address.numeric"],
];

function followers({ context, judgeOf, leftBy }: JudgedLinks): Raised<"mismatch">[] {
  const links = leftBy("link-text");
  return causes.flatMap(([judge, ownedBy]) => {
    const its = links.filter((link) => judgeOf(link) === judge);
    return raiseEach("mismatch", its, (link) => describe(link, context.senders)).map((raised) => ({
      ...raised,
      ownedBy,
    }));
  });
}

function describe(link: Link, senders: Senders) {
  const claim = readClaim(link, senders);
  const host = shown(hostIn(claim) ?? link.host ?? link.href);
  const text = shown(link.textHost ?? link.text);
  return { subject: `${text} → ${host}`, data: { shown: text, host, fromDomain: senders.fromDomain } };
}

function hostIn(claim: Claim): string | null {
  return "host" in claim ? claim.host : null;
}
