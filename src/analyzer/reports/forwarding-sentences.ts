// What the report, the terminal and the API say about forwarding.

import { isLocalName } from "../checks/party.ts";
import type { Change } from "../mail/forwarding/compare.ts";
import type { TransitId } from "../mail/forwarding/transits.ts";
import type { Forwarding, ForwardingGap, TransitOutcome } from "./forwarding.ts";

/** already-fails: the message isn't authenticated before either. */
type TransitResult = "survives" | "breaks" | "already-fails" | "unknown";

type ForwardingTransit = {
  readonly id: TransitId;
  readonly title: string;
  readonly result: TransitResult;
  /** Plain sentences. */
  readonly says: readonly string[];
};

const transitTitles: Readonly<Record<TransitId, string>> = {
  alias: "Alias",
  redirect: "Filter rule (Sieve redirect)",
  sealed: "Forwarder that seals with ARC",
  list: "Mailing list that keeps the text",
  "list-tag": "Mailing list that tags the subject",
  "list-footer": "Mailing list that adds a footer",
  "list-sealed": "Mailing list with tag and footer that seals with ARC",
  downgrade: "Server that converts 8-bit text",
  recode: "Gateway that encodes text as base64",
  boundary: "Gateway that changes MIME boundaries",
  unfold: "Gateway that unfolds headers",
};

const lists: readonly TransitId[] = ["list", "list-tag", "list-footer", "list-sealed"];

const gaps: Readonly<Record<ForwardingGap, string>> = {
  unsent: "Not known: the message has no DKIM signature yet, because no server has sent it.",
  "no-answer": "Not known: DNS did not answer for the DKIM key.",
  malformed: "Not known: the header section is malformed, and servers read it in different ways.",
  "too-large": "Not known: the message is larger than 20 MB.",
};

export function toForwardingTransits(forwarding: Forwarding): ForwardingTransit[] {
  return forwarding.transits.map((outcome) => {
    const result = toResult(forwarding, outcome);
    return { id: outcome.id, title: transitTitles[outcome.id], result, says: explain(forwarding, outcome, result) };
  });
}

function toResult({ alignedBy }: Forwarding, { isAuthenticated }: TransitOutcome): TransitResult {
  if (isAuthenticated === null) return "unknown";
  if (isAuthenticated) return "survives";
  return alignedBy.length > 0 ? "breaks" : "already-fails";
}

/** One or two sentences. */
export function toForwardingSummary(forwarding: Forwarding): string {
  const { gap, signatures, alignedBy, fromDomain } = forwarding;
  if (gap !== null) return gaps[gap];
  const aligned = signatures.filter(({ isAligned }) => isAligned);
  const author = fromDomain === null ? "the From domain" : fromDomain;
  if (aligned.length === 0 && alignedBy.includes("spf"))
    return signatures.length === 0
      ? "Does not survive forwarding: only SPF authenticates it."
      : `Does not survive forwarding: only SPF authenticates it, because no passing DKIM signature is aligned with ${author}.`;
  if (signatures.length === 0) return "Does not apply: no passing DKIM signature.";
  if (alignedBy.length === 0)
    return `Does not apply: no passing DKIM signature is aligned with ${author}, so DMARC fails already.`;
  const results = new Map(toForwardingTransits(forwarding).map(({ id, result }) => [id, result]));
  return [summarizeForwards(results), summarizeLists(results), summarizeConversion(results)]
    .filter((sentence) => sentence !== null)
    .join(" ");
}

type Results = ReadonlyMap<TransitId, TransitResult>;

function summarizeForwards(results: Results): string {
  const found = (["alias", "redirect", "sealed"] as const).map((id) => results.get(id));
  if (found.every((result) => result === "survives")) return "Survives forwarding.";
  if (found.every((result) => result === "breaks")) return "Does not survive forwarding.";
  if (found.includes("unknown")) return "Not known whether it survives forwarding.";
  return "Survives some ways of forwarding.";
}

function summarizeLists(results: Results): string {
  const breaks = (id: TransitId) => results.get(id) === "breaks";
  if (breaks("list")) return "Breaks on mailing lists.";
  if (results.get("list") === "unknown") return "Not known for mailing lists.";
  const changes = [...(breaks("list-footer") ? ["a footer"] : []), ...(breaks("list-tag") ? ["a subject tag"] : [])];
  if (changes.length > 0) return `Breaks on mailing lists that add ${changes.join(" or ")}.`;
  return "Survives mailing lists.";
}

function summarizeConversion(results: Results): string | null {
  const isNews = results.get("alias") === "survives" && results.get("downgrade") === "breaks";
  return isNews ? "Breaks where a server converts its 8-bit text." : null;
}

function explain(forwarding: Forwarding, outcome: TransitOutcome, result: TransitResult): string[] {
  const { signatures, body } = forwarding;
  if (result === "unknown") return ["The effect on this message can't be predicted."];
  const reasons = outcome.signatures.flatMap(({ index, fate, changes }) => {
    if (fate !== "breaks") return [];
    const words = describeChanges(changes, outcome.id, body);
    const signature = signatures.find((one) => one.index === index);
    const owner = signatures.length > 1 ? `Signature of ${signature?.domain} (${signature?.selector}): ` : "";
    return [`${owner}${words}`];
  });
  const survivors = outcome.signatures.filter(({ fate }) => fate === "survives").length;
  const dkim = survivors > 0 && survivors === signatures.length ? ["DKIM still passes."] : [];
  return [...dkim, ...new Set(reasons), describeSpf(forwarding, outcome), ...describeArc(forwarding, outcome, result)];
}

const mostNames = 6;

function describeChanges(changes: readonly Change[], id: TransitId, body: Forwarding["body"]): string {
  const named = (how: string) =>
    changes.flatMap((change) => (change.part === "header" && change.how === how ? [toHeaderName(change.name)] : []));
  const groups: [string[], one: string, several: string][] = [
    [named("changed"), "is signed and changes", "are signed and change"],
    [named("removed"), "is signed and is removed", "are signed and are removed"],
    [named("added"), "is added, which h= does not allow", "are added, which h= does not allow"],
    [
      named("spacing"),
      "is refolded, which c=simple does not allow for headers",
      "are refolded, which c=simple does not allow for headers",
    ],
  ];
  const parts = groups.flatMap(([names, one, several]) =>
    names.length === 0 ? [] : [`${joinNames(names)} ${names.length === 1 ? one : several}`],
  );
  const changed = changes.find(({ part }) => part === "body");
  if (changed) parts.push(describeBody(changed.how, id, body));
  return parts.length === 0
    ? "The signature no longer verifies."
    : `${parts.join("; ")}.`.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, mostNames);
  const rest = names.length - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more`] : shown;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

function describeBody(how: string, id: TransitId, { longLines, fromLines }: Forwarding["body"]): string {
  if (how === "spacing") return "white space in the body changes, which c=simple does not allow for bodies";
  if (id === "list-footer" || id === "list-sealed") return "the footer changes the body";
  if (id === "downgrade" && !longLines) return "the 8-bit text becomes quoted-printable";
  if (id === "recode") return "the text becomes base64";
  if (id === "boundary") return "the boundaries in the body change";
  if (longLines) return "lines of the body over 998 bytes are broken";
  if (lists.includes(id) && fromLines) return 'lines of the body that begin with "From " get a > in front';
  return lists.includes(id) ? "the list rewrites the structure of the body" : "the body changes";
}

const knownNames: Readonly<Record<string, string>> = {
  "dkim-signature": "DKIM-Signature",
  "mime-version": "MIME-Version",
  "message-id": "Message-ID",
};

/** From h=, which a stranger wrote. */
function toHeaderName(name: string): string {
  const plain = name.replace(/[^!-9;-~]/g, "?").slice(0, 60);
  return knownNames[plain] ?? plain.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function describeSpf({ passesAnyone }: Forwarding, { id }: TransitOutcome): string {
  if (lists.includes(id)) return "SPF passes for the list's own domain, which is not aligned.";
  if (passesAnyone) return "SPF still passes, because the record allows any server.";
  return "SPF fails, or with SRS passes for the forwarder's domain, which is not aligned.";
}

function describeArc({ dmarc }: Forwarding, { arc }: TransitOutcome, result: TransitResult): string[] {
  if (arc === null) return [];
  if (arc === "unknown") return ["The ARC chain could not be checked."];
  if (arc === "fail") return ["The ARC chain was broken before, so the seal adds nothing."];
  if (result !== "breaks") return ["The ARC seal isn't needed."];
  const what = dmarc === "pass" ? "that DMARC passed on arrival" : "how the message was authenticated on arrival";
  return [`The ARC seal records ${what}. A receiver that trusts the sealing domain may accept the message.`];
}

/** What the sender can change, and what to leave as it is. */
export function toForwardingAdvice(forwarding: Forwarding): string[] {
  const { gap, signatures, alignedBy, fromDomain, body } = forwarding;
  if (gap !== null) return [];
  const author = fromDomain === null || isLocalName(fromDomain) ? "your domain" : `${fromDomain} (d=${fromDomain})`;
  if (!signatures.some(({ isAligned }) => isAligned))
    return [
      `Sign with DKIM for ${author}. SPF does not pass for your domain once another server passes the message on.`,
    ];
  if (alignedBy.length === 0) return [];
  const breaking = (ids: readonly TransitId[]) =>
    forwarding.transits.filter(({ id, isAuthenticated }) => ids.includes(id) && isAuthenticated === false);
  const changes = breaking(["alias", "redirect", "list", "list-tag", "list-footer", "downgrade", "unfold"]).flatMap(
    (outcome) => outcome.signatures.flatMap((signature) => signature.changes),
  );
  const advice: string[] = [];
  if (changes.some(({ how }) => how === "spacing"))
    advice.push("Sign with c=relaxed/relaxed, which ignores new folds and white space.");
  if (breaking(["alias"]).length > 0 && body.longLines)
    advice.push("Encode the text as quoted-printable or base64: servers break lines over 998 bytes.");
  else if (breaking(["list"]).length > 0 && body.fromLines)
    advice.push('Encode the text as quoted-printable, with =46 for the F of "From " at a line start.');
  if (body.eightBit && breaking(["downgrade"]).length > 0)
    advice.push("Send the text as quoted-printable or base64, so that no server has to convert it.");
  const removed = new Set(
    changes.flatMap((change) => (change.part === "header" && change.how === "removed" ? [change.name] : [])),
  );
  for (const name of ["return-path", "bcc", "content-length", "received"])
    if (removed.has(name)) advice.push(`Do not sign ${toHeaderName(name)}: servers remove it.`);
  return [...advice, ...adviseOnLists(forwarding, changes), ...adviseOnLength(signatures)];
}

function adviseOnLists({ transits, policy }: Forwarding, changes: readonly Change[]): string[] {
  const breaksOnLists = transits.some(({ id, isAuthenticated }) => lists.includes(id) && isAuthenticated === false);
  if (!breaksOnLists) return [];
  const isEnforced = policy === "reject" || policy === "quarantine";
  const isUnsubscribe = changes.some((change) => change.part === "header" && change.name === "list-unsubscribe");
  return [
    "Sign Subject and the whole body. A signature that covers less survives more lists, but lets strangers change your message. Lists can rewrite From or seal with ARC instead.",
    ...(isUnsubscribe ? ["Keep signing List-Unsubscribe: one-click unsubscribe requires it."] : []),
    ...(isEnforced
      ? [`With p=${policy}, many lists rewrite From, so the message passes DMARC for the list's domain.`]
      : []),
  ];
}

function adviseOnLength(signatures: Forwarding["signatures"]): string[] {
  return signatures.some(({ bodyLength }) => bodyLength !== null)
    ? ["Remove l=: it lets a footer pass, but also anything else that a stranger appends."]
    : [];
}
