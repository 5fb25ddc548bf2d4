// What changed in an SPF record.

import { toVisibleCut } from "../visible-text.ts";
import type { Direction, Told } from "./change-kind-table.ts";
import type { SpfMeaning } from "./spf-meaning.ts";
import { listNames, tellPresence } from "./tell-presence.ts";

const what = "The SPF record";

export function tellSpf(before: SpfMeaning, after: SpfMeaning): Told {
  if (before.state !== "read" || after.state !== "read")
    return tellPresence(what, before.state, after.state) ?? otherwise("is another");
  const [end, newEnd] = [before.terms.at(-1) ?? "", after.terms.at(-1) ?? ""];
  const senders = toSenders(before.terms, after.terms);
  if (end !== newEnd) return tellEnd(end, newEnd, senders);
  if (senders !== null) return senders;
  if (before.exp !== after.exp) return otherwise("says something else to those that it refuses (exp=)");
  return otherwise("judges some senders otherwise, by the order or the signs of its terms");
}

function otherwise(says: string): Told {
  return { kind: "record_changed", direction: "neutral", says: `${what} ${says}` };
}

/** How much an end asks of receivers; a redirect leaves that to another record. */
const strictness: Readonly<Record<string, number>> = { "+all": 0, "?all": 1, "~all": 2, "-all": 3 };

const effects: Readonly<Record<string, string>> = {
  "+all": "so that any computer on the internet passes",
  "?all": "so that it says nothing of unlisted senders",
  "~all": "so that unlisted senders are only suspected",
  "-all": "so that unlisted senders are refused",
};

function tellEnd(end: string, newEnd: string, senders: Told | null): Told {
  const [one, other] = [strictness[end], strictness[newEnd]];
  const effect = effects[newEnd] === undefined ? "" : `, ${effects[newEnd]}`;
  const more = senders === null || other === 0 ? "" : `; ${senders.says.replace(`${what} `, "it ")}`;
  const says = `${what} ends with ${quote(newEnd)} where it ended with ${quote(end)}${effect}${more}`;
  if (one === undefined || other === undefined) return { kind: "record_changed", direction: "neutral", says };
  const direction: Direction = other < one ? "worse" : "better";
  return { kind: other < one ? "all_loosened" : "all_tightened", direction, says };
}

function toSenders(before: readonly string[], after: readonly string[]): Told | null {
  const [one, other] = [allowed(before), allowed(after)];
  const added = other.filter((term) => !one.includes(term));
  const removed = one.filter((term) => !other.includes(term));
  if (added.length + removed.length === 0) return null;
  const says = [
    ...(added.length > 0 ? [`allows ${listTerms(added)}, which it did not`] : []),
    ...(removed.length > 0 ? [`no longer allows ${listTerms(removed)}`] : []),
  ].join(", and ");
  const kind =
    added.length === 0 ? "senders_removed" : removed.length === 0 ? "senders_added" : "senders_changed";
  return { kind, direction: "neutral", says: `${what} ${says}` };
}

function allowed(terms: readonly string[]): readonly string[] {
  return terms.filter((term) => term.startsWith("+") && term !== "+all");
}

function listTerms(terms: readonly string[]): string {
  return listNames(terms.map((term) => quote(term.replace(/^\+/, "").replace(/\/(?:32|128)$/, ""))));
}

function quote(term: string): string {
  return `"${toVisibleCut(term, 80)}"`;
}
