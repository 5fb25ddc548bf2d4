import type { Message } from "../../mail/mime/message.ts";
import type { AlignedSignature } from "../authentication-facts.ts";
import { defineCheck, passed, type Raised } from "../check.ts";
import { bestSeen, failuresOf, unprovenDkimGates, withoutPass } from "./signatures.ts";

type Finding = "from-unsigned" | "visible-unsigned" | "others-unsigned" | "not-oversigned";

const visible = ["Subject", "Date"];
/** Some of these Gmail and Microsoft 365 do not sign by default. */
const others = ["To", "Cc", "Reply-To", "Content-Type"];
/** Email clients show either the first or the last of two. */
const doubled = ["From", "Subject"];

export const dkimSignedHeaders = defineCheck({
  id: "dkim-signed-headers",
  helpPage: "fix-dkim-signature",
  label: "Signed headers",
  owner: "email-service",
  asks: "whether the headers that recipients see are signed",
  why: "An unsigned header can be replaced while the signature stays valid.",
  refs: ["RFC 6376 §5.4, §6.1.1"],
  needs: ["dkim", "message"],
  passes: "The {domain} signature covers the visible headers and prevents a second From or Subject.",
  findings: {
    "from-unsigned": {
      severity: "critical",
      title: "DKIM does not cover From",
      says: "The {domain} signature does not cover the From header, so receivers must reject it.",
      fix: "Add `from` to the signer's list of signed headers.",
      gates: unprovenDkimGates,
    },
    "visible-unsigned": {
      severity: "minor",
      cost: 3,
      title: "Visible headers not signed",
      says: "The {domain} signature does not protect {headers} from changes.",
      fix: "Sign at least `from:to:subject:date:reply-to:message-id:mime-version:content-type`.",
    },
    "others-unsigned": {
      severity: "info",
      title: "Some headers not signed",
      says: "The {domain} signature does not cover {headers}.",
      fix: "Optional: sign `from:to:subject:date:reply-to:message-id:mime-version:content-type`.",
    },
    "not-oversigned": {
      severity: "info",
      title: "Headers not oversigned",
      says: "The {domain} signature does not stop someone from adding a second {headers} header.",
      fix: "Optional: list `from:from` and `subject:subject` in `h=`.",
      why: "If a header appears twice, DKIM verifies the last one, but some email clients show the first.",
    },
  },
  run({ dkim, message }) {
    const failing = failuresOf(dkim, "dkim-signed-headers");
    if (failing.length > 0)
      return failing.map(({ domain, selector, headers }) => ({
        finding: "from-unsigned",
        subject: selector ?? "",
        data: { domain },
        evidence: { selector, headers },
      }));
    const best = bestSeen(dkim);
    if (best === null) return withoutPass(dkim);
    const found = judge(best, message);
    return found.length > 0 ? found : passed({ domain: best.domain });
  },
});

function judge({ domain, selector, headers: signed }: AlignedSignature, message: Message): Raised<Finding>[] {
  const inMessage = countNames(message.headers.map(({ key }) => key));
  const inSignature = countNames(signed);
  const count = (counts: ReadonlyMap<string, number>, name: string) => counts.get(name.toLowerCase()) ?? 0;
  const isUnsigned = (name: string) => count(inMessage, name) > 0 && count(inSignature, name) === 0;
  const isOpen = (name: string) => count(inSignature, name) > 0 && count(inSignature, name) <= count(inMessage, name);
  const lists = {
    "visible-unsigned": visible.filter(isUnsigned),
    "others-unsigned": others.filter(isUnsigned),
    "not-oversigned": doubled.filter(isOpen),
  };
  return (["visible-unsigned", "others-unsigned", "not-oversigned"] as const).flatMap((finding) => {
    const names = lists[finding];
    const headers = finding === "not-oversigned" ? names.join(" or ") : names;
    const evidence = { selector, signed };
    return names.length > 0 ? [{ finding, data: { domain, headers }, evidence }] : [];
  });
}

function countNames(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
