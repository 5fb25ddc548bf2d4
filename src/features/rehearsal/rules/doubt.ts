// What an accepting reply still depends on: results that can't be known here, and without which the receiver would reject
// the message. Read from the same gates as the reply.

import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import type { Gate } from "../../../analyzer/checks/check.ts";
import { isNotInUse } from "../../../analyzer/checks/fact.ts";
import { consequenceOf } from "../../../analyzer/checks/gate-reply.ts";
import { whyWords } from "../../../analyzer/checks/inner-title.ts";
import type { Receiver } from "../../../analyzer/mail/headers/rehearsal-address.ts";
import type { Report } from "../../../analyzer/reports/report.ts";
import { actsOn, toReceiverName } from "./replies.ts";

type Judged = Pick<Report, "judgment" | "authentication">;

/** Continues "accepted". Null: everything that this receiver rejects for is known. */
export function findDoubt(report: Judged, receiver: Receiver): string | null {
  const { judgment, authentication } = report;
  const skipped = judgment.skipped.filter(({ why }) => !isNotInUse(why));
  const rejecting = skipped.flatMap(({ check, why }) =>
    rejectingGates(check, report)
      .filter((gate) => actsOn(gate, judgment, receiver))
      .map((gate) => ({ check, gate, why })),
  );
  const has = (pattern: RegExp) => rejecting.some(({ check }) => pattern.test(check));
  const isByServer = has(/^(?:ptr-record|fcrdns)$/);
  const conditions = [...toConditions(rejecting, report), ...(isByServer ? ["reverse DNS is missing"] : [])];
  const [first] = rejecting;
  if (first === undefined || conditions.length === 0) return null;
  const { spf, dkim, dmarc } = authentication;
  const isByAuthor = has(ofAlignment);
  const unknown = [
    ...(has(/^spf-/) || (isByAuthor && !spf.known) ? ["SPF"] : []),
    ...(has(/^dkim-(?!alignment)/) || (isByAuthor && !dkim.known) ? ["DKIM"] : []),
    ...(isByAuthor && !dmarc.known ? ["DMARC"] : []),
    ...(isByServer ? ["reverse DNS"] : []),
  ];
  const isFromHere = rejecting.some(({ why }) => why === "not-public" || why === "no-session");
  const where = isFromHere ? " from this computer" : `, because ${whyWords[first.why]}`;
  const who = receiver === "strict" ? "A strict receiver" : toReceiverName(receiver);
  // SPF and DKIM may be known while DNS leaves their alignment open.
  const open = unknown.length > 0 ? unknown : ["DMARC"];
  return `but ${toWords(open, "and")} can't be checked${where}. ${who} rejects this if ${conditions.join(", or if ")}.`;
}

/** These need SPF and DKIM together. */
const ofAlignment = /^(?:dmarc-result|dkim-alignment|freemail-from)$/;

type Rejecting = readonly { readonly check: string; readonly gate: Gate }[];

function toConditions(rejecting: Rejecting, { authentication: { spf, dkim, dmarc } }: Judged): string[] {
  const together = rejecting.filter(({ check, gate }) => gate.when === "spf-fails" || ofAlignment.test(check));
  const ofOne = (mechanism: string) =>
    rejecting.some((one) => one.check.startsWith(mechanism) && !together.includes(one));
  const alone = [...(ofOne("spf-") ? ["SPF"] : []), ...(ofOne("dkim-") ? ["DKIM"] : [])];
  const needsAlignment = toPolicy({ dmarc }) === "reject" || together.some(({ gate }) => gate.sender === "bulk");
  const unknown = [...(spf.known ? [] : ["SPF"]), ...(dkim.known ? [] : ["DKIM"])];
  const isJoint = together.length > 0 && !needsAlignment;
  if (isJoint && alone.length === 0 && unknown.length > 1) return ["both SPF and DKIM fail"];
  const joint = together.length === 0 || (isJoint && alone.length > 0) ? [] : isJoint ? unknown : ["DMARC"];
  const failing = [...alone, ...joint];
  return failing.length === 0 ? [] : [`${toWords(failing, "or")} fails`];
}

/** Null: unknown. */
function toPolicy({ dmarc }: Pick<Report["authentication"], "dmarc">): string | null {
  return dmarc.known ? (dmarc.value.effective ?? "none") : null;
}

/** Those of findings that the check could still raise. */
function rejectingGates(check: string, { authentication: { dkim, dmarc } }: Judged): readonly Gate[] {
  const policy = toPolicy({ dmarc });
  const mayBe = (word: string) => policy === null || policy === word;
  const isSigned = dkim.known && dkim.value.signatures.some(({ result }) => result === "pass");
  const holds: Readonly<Record<string, boolean>> = {
    "policy-rejects": mayBe("reject"),
    "policy-reject": mayBe("reject"),
    "policy-quarantine": mayBe("quarantine"),
    unauthenticated: !isSigned,
    "nothing-passes": !isSigned,
    "spf-fails": !isSigned,
  };
  return Object.entries(checkCatalog.checks.get(check)?.findings ?? {})
    .filter(([finding]) => holds[finding] ?? true)
    .flatMap(([, { gates = [] }]) => gates)
    .filter((gate) => consequenceOf(gate) === "refusal" && (holds[gate.when ?? ""] ?? true));
}

function toWords(names: readonly string[], joint: "and" | "or"): string {
  if (names.length < 3) return names.join(` ${joint} `);
  return `${names.slice(0, -1).join(", ")}, ${joint} ${names.at(-1)}`;
}
