// What the list of own addresses says of all of them.

import { toNumber, toPlural } from "../../analyzer/count-words.ts";

type Standing = {
  readonly total: number;
  /** What the lists take. The others are never looked up. */
  readonly taken: number;
  readonly checked: number;
  readonly listed: number;
  /** The worst listing. */
  readonly worst: { readonly value: string; readonly list: string; readonly class: string } | null;
  readonly lists: readonly { readonly problem: string | null }[];
};

type StandingWords = { readonly state: "bad" | "warning" | "unknown" | "fine"; readonly says: string };

const small = ["minor", "grey", "broad"];

export function toStanding({ total, taken, checked, listed, worst, lists }: Standing): StandingWords {
  const unknown = (says: string): StandingWords => ({ state: "unknown", says });
  if (total === 0)
    return unknown("No addresses yet. They are learned from your domains, their mail, and DMARC reports.");
  const everything = toPlural(total, "address", "addresses");
  const all = toPlural(taken, "address", "addresses");
  if (worst !== null) {
    const says = toListedWords({ all: everything, listed, worst });
    return { state: small.includes(worst.class) ? "warning" : "bad", says };
  }
  if (lists.length === 0) return unknown(`No blocklist is on, so your ${everything} can’t be looked up.`);
  if (taken === 0) return unknown(`No list that is on takes your ${everything}.`);
  if (lists.every(({ problem }) => problem !== null))
    return unknown(`No list answers, so it isn’t known whether your ${all} ${taken === 1 ? "is" : "are"} listed.`);
  if (checked === 0) return unknown(`The first lookup of your ${all} is on its way.`);
  if (checked < taken) return unknown(`${toNumber(checked)} of ${all} looked up, none on a list.`);
  return { state: "fine", says: taken === 1 ? "Your address isn’t on a list." : `None of your ${all} is on a list.` };
}

type Listed = Pick<Standing, "listed"> & { readonly all: string; readonly worst: NonNullable<Standing["worst"]> };

function toListedWords({ all, listed, worst }: Listed): string {
  const more = listed > 1 ? `, and ${toNumber(listed - 1)} more of ${all} ${listed > 2 ? "are" : "is"} listed` : "";
  const says = `${worst.value} is on ${worst.list}${more}`;
  if (worst.class === "policy")
    return `${says}. The range of ${worst.value} isn’t meant to send mail directly. Use your provider’s relay.`;
  if (small.includes(worst.class)) return `${says}, which hardly matters to the big providers.`;
  return `${says}. Stop the cause, then request removal.`;
}

const problems: Readonly<Record<string, string>> = {
  refused: "It refuses queries from your resolver",
  timeout: "It doesn’t answer",
  unreachable: "It can’t be reached",
  budget: "Its test isn’t done yet",
};

export function toProblem(why: string | null): string | null {
  if (why === null) return null;
  return problems[why] ?? "It lists everything, or not its own test entry";
}
