import type { Link } from "../../mail/links/links.ts";
import { defineCheck } from "../check.ts";
import { conclude, judgeLinks } from "./link-order.ts";
import { raiseEach } from "./senders.ts";
import { maxRaised, shown } from "./shown.ts";

export const linkScheme = defineCheck({
  id: "link-scheme",
  helpPage: "fix-links",
  label: "Secure links",
  owner: "content",
  asks: "whether links use HTTPS",
  why: "Browsers warn about pages without HTTPS.",
  refs: ["public filter rules"],
  needs: ["links", "message"],
  wants: ["uribl", "own", "dkim", "session"],
  passes: "No link uses HTTP.",
  findings: {
    deceptive: {
      severity: "minor",
      cost: 8,
      title: "Link shows HTTPS, opens HTTP",
      says: "The link text shows https, but the link opens {url}.",
      fix: "Use HTTPS.",
      why: "Link text that shows https but opens http is misleading.",
    },
    plain: {
      severity: "minor",
      cost: 3,
      title: "Links without HTTPS",
      says: "Links that use HTTP instead of HTTPS: {count}, for example {url}.",
      fix: "Use HTTPS.",
    },
  },
  run(facts) {
    const judged = judgeLinks(facts);
    const found = judged.of("link-scheme");
    const isDeceptive = ({ textScheme }: Link) => textScheme === "https";
    const deceptive = raiseEach("deceptive", found.filter(isDeceptive), ({ href }) => ({
      subject: href,
      data: { url: shown(href) },
    }));
    const plain = [...new Set(found.filter((link) => !isDeceptive(link)).map(({ href }) => href))];
    const [first] = plain;
    if (first === undefined) return conclude<"deceptive" | "plain">("link-scheme", judged, deceptive);
    const evidence = { links: plain.slice(0, maxRaised) };
    return [...deceptive, { finding: "plain", data: { count: plain.length, url: shown(first) }, evidence } as const];
  },
});
