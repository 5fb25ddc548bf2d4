import { readListAddresses } from "../../mail/headers/list-header.ts";
import type { AlignedSignature } from "../authentication-facts.ts";
import { defineCheck, notApplicable, passed, type Raised, skipped } from "../check.ts";
import type { Why } from "../fact.ts";
import type { KnownFacts } from "../facts.ts";
import { valuesOf } from "../mail-domain.ts";
import { quoted } from "../party.ts";

const rightValue = "List-Unsubscribe=One-Click";

export const oneClick = defineCheck({
  id: "one-click",
  helpPage: "fix-one-click",
  label: "One-click unsubscribe",
  owner: "email-service",
  asks: "whether bulk mail supports one-click unsubscribe",
  why: "Gmail requires it from bulk senders, and Yahoo requires it or an unsubscribe email address. Mail without it is not rejected, but Gmail offers its sender no mitigation support.",
  refs: ["RFC 8058 §3–5", "Gmail, Yahoo sender rules"],
  needs: ["message", "kind"],
  wants: ["dkim"],
  kinds: ["bulk"],
  sender: "bulk",
  passes:
    "The one-click headers are correct, but no valid DKIM signature covers them. See the DKIM checks for the reason.",
  findings: {
    missing: {
      severity: "minor",
      cost: 8,
      title: "No one-click unsubscribe",
      says: "List-Unsubscribe-Post is missing, so one-click unsubscribe does not work.",
      fix: "Add `List-Unsubscribe-Post: List-Unsubscribe=One-Click` and accept POST requests at {uri}.",
      gates: [{ provider: "gmail", sender: "bulk", reply: "no mitigation" }],
    },
    "mailto-only": {
      severity: "minor",
      cost: 8,
      title: "List-Unsubscribe has only mailto",
      says: "List-Unsubscribe has only a mailto URL. Yahoo accepts this, but Gmail does not.",
      fix: "Add an HTTPS URL and the List-Unsubscribe-Post header.",
      gates: [{ provider: "gmail", sender: "bulk", reply: "no mitigation" }],
    },
    "wrong-value": {
      severity: "minor",
      cost: 8,
      title: "Wrong List-Unsubscribe-Post value",
      says: 'List-Unsubscribe-Post has the wrong value "{value}".',
      fix: "Use `List-Unsubscribe-Post: List-Unsubscribe=One-Click` once.",
      gates: [{ provider: "gmail", sender: "bulk", reply: "no mitigation" }],
    },
    "several-https": {
      severity: "minor",
      cost: 3,
      title: "Multiple HTTPS unsubscribe URLs",
      says: "List-Unsubscribe has {count} HTTPS URLs. One-click unsubscribe allows only one.",
      fix: "Keep one HTTPS URL. You can also keep a mailto URL.",
    },
    // Costs the same as a missing header, because adding the header must not cost points.
    "not-signed": {
      severity: "minor",
      cost: 8,
      title: "Unsubscribe headers not signed",
      says: "No valid DKIM signature covers {headers}, so one-click unsubscribe does not count at {where} from bulk senders.",
      fix: "Add `list-unsubscribe:list-unsubscribe-post` to the signer's h= list.",
      gates: [{ provider: "gmail", sender: "bulk", reply: "no mitigation" }],
    },
    complete: {
      severity: "good",
      title: "One-click unsubscribe set up",
      says: "One-click unsubscribe is set up and signed by {domain}.",
      fix: null,
    },
  },
  run({ message, kind, dkim }) {
    if (kind.mailingList) return notApplicable("Mailing list posts do not need one-click unsubscribe.");
    const values = valuesOf(message, "list-unsubscribe");
    const { https, http, mailto } = readListAddresses(values[0] ?? "");
    if (values.length !== 1 || https.length + http.length + mailto.length === 0)
      return notApplicable("The message has no usable List-Unsubscribe header.");
    const [uri] = https;
    if (uri === undefined && http.length > 0) return notApplicable("The unsubscribe URL does not use HTTPS.");
    if (uri === undefined) return [{ finding: "mailto-only" }];
    const posts = valuesOf(message, "list-unsubscribe-post");
    if (posts.length === 0) return [{ finding: "missing", data: { uri: quoted(uri) } }];
    const raised: Raised<Finding>[] = [];
    if (posts.length > 1 || posts[0] !== rightValue)
      raised.push({ finding: "wrong-value", data: { value: quoted(posts.join(", ")) } });
    if (https.length > 1) raised.push({ finding: "several-https", data: { count: https.length } });
    const where = mailto.length > 0 ? "Gmail, which requires it" : "Gmail and Yahoo, which require it";
    return judgeSignature(raised, dkim, where);
  },
});

type Finding = "missing" | "mailto-only" | "wrong-value" | "several-https" | "not-signed" | "complete";

const covered = ["List-Unsubscribe", "List-Unsubscribe-Post"] as const;

function judgeSignature(raised: readonly Raised<Finding>[], dkim: KnownFacts["dkim"], where: string) {
  if (!dkim.known) return raised.length > 0 ? raised : skipped(dkim.why);
  const { signatures } = dkim.value;
  const passing = signatures.filter(({ result, assumed }) => result === "pass" && !assumed);
  const signer = passing.find((signature) => uncoveredBy(signature).length === 0);
  if (signer !== undefined)
    return raised.length > 0
      ? raised
      : [{ finding: "complete", data: { domain: signer.domain } } satisfies Raised<Finding>];
  const [best] = passing.toSorted((one, other) => uncoveredBy(one).length - uncoveredBy(other).length);
  const why = whyOpen(signatures, best);
  if (why !== null) return raised.length > 0 ? raised : skipped(why);
  if (best === undefined) return raised.length > 0 ? raised : passed();
  const headers = uncoveredBy(best);
  return [
    ...raised,
    {
      finding: "not-signed",
      data: { headers, where },
      evidence: { domain: best.domain, signed: best.headers },
    } as const,
  ];
}

/** Null if no other signature could cover them. */
function whyOpen(signatures: readonly AlignedSignature[], best: AlignedSignature | undefined): Why | null {
  if (signatures.some(({ result, assumed }) => result === "pass" && assumed)) return "not-seen";
  const open = signatures.filter(({ result }) => result === "temperror");
  const isOpen = best === undefined ? open.length > 0 : open.some((one) => uncoveredBy(one).length === 0);
  return isOpen ? "timeout" : null;
}

function uncoveredBy({ headers }: AlignedSignature): string[] {
  return covered.filter((name) => !headers.includes(name.toLowerCase()));
}
