// The report in one sentence: who it is from, where it lands, what is to be done. Each phrase leads to its proof.

import type { TestReport } from "../../api/tests.ts";
import { toList, toScore, toWord } from "../client/words.ts";
import type { Tone } from "../parts/tone.tsx";
import { faultsOf } from "./findings.ts";
import {
  type Folder,
  isOwnMailbox,
  type PlacementRow,
  toPlacementRows,
  toProviderName,
} from "./placement-row.ts";

export type Phrase = { readonly tone: Tone; readonly text: string; readonly to: string };

export function toVerdict(test: TestReport): readonly Phrase[] {
  const placed = placementPhrases(toPlacementRows(test));
  const proof = proofPhrase(test);
  const mending = mendingPhrase(test);
  const isBad = placed.some(({ tone }) => tone === "critical" || tone === "major");
  return isBad ? [...placed, proof, mending] : [proof, ...placed, mending];
}

function proofPhrase({ authentication, dmarc, spf, dkim }: TestReport): Phrase {
  const to = "#authentication";
  if (dmarc === "pass") return { tone: "good", text: "the sender is proven genuine", to };
  if (dmarc === "fail") {
    const policy = authentication?.dmarc?.policy ?? null;
    const tone = policy === null || policy === "none" ? "major" : "critical";
    return { tone, text: "nothing proves who sent it", to };
  }
  if (authentication?.dmarc?.domain === null)
    return { tone: "major", text: "it names nobody whom proof could belong to", to };
  if (dkim === "pass" || spf === "pass")
    return { tone: "minor", text: "its domain has no DMARC policy that says what proof is needed", to };
  if (dmarc === "temperror" || (spf === null && dkim === null))
    return { tone: "unknown", text: "who sent it could not be checked", to };
  return { tone: "major", text: "nothing proves who sent it", to };
}

type Telling = {
  readonly folder: Folder;
  readonly tone: Tone;
  readonly seen: (who: string) => string;
  readonly likely: (who: string) => string;
};

/** What readers miss most, first. */
const tellings: readonly Telling[] = [
  {
    folder: "rejected",
    tone: "critical",
    seen: (who) => `${who} refused it`,
    likely: (who) => `${who} would refuse it`,
  },
  {
    folder: "spam",
    tone: "major",
    seen: (who) => `${who} put it in spam`,
    likely: (who) => `${who} would probably put it in spam`,
  },
  {
    folder: "missing",
    tone: "major",
    seen: (who) => `${who} did not show it within an hour`,
    likely: (who) => `${who} did not show it within an hour`,
  },
  {
    folder: "promotions",
    tone: "info",
    seen: (who) => `${who} shows it under Promotions`,
    likely: (who) => `${who} will probably show it under Promotions`,
  },
  {
    folder: "inbox",
    tone: "good",
    seen: (who) => `${who} took it to the inbox`,
    likely: (who) => `${who} would probably take it to the inbox`,
  },
];

function placementPhrases(rows: readonly PlacementRow[]): Phrase[] {
  const large = rows.filter(({ provider }) => !isOwnMailbox(provider));
  const phrases = tellings.flatMap(({ folder, tone, seen, likely }) =>
    (["observed", "predicted"] as const).flatMap((method): Phrase[] => {
      const here = rows.filter((row) => row.folder === folder && row.method === method);
      if (here.length === 0) return [];
      const isAll =
        large.length > 1 && large.every((row) => here.includes(row)) && here.length === large.length;
      const who = isAll ? "every large mailbox provider" : toNames(here);
      return [{ tone, text: (method === "observed" ? seen : likely)(who), to: "#placement" }];
    }),
  );
  // The sentence stays one: the two that matter most.
  return phrases.slice(0, 2);
}

const namesTold = 2;

function toNames(rows: readonly PlacementRow[]): string {
  const names = rows.map(({ provider }) => toShortName(provider));
  const others = names.length - namesTold;
  return others > 1 ? `${names.slice(0, namesTold).join(", ")} and ${toWord(others)} others` : toList(names);
}

function toShortName(provider: string): string {
  return { yahoo: "Yahoo", generic: "other mailbox hosts" }[provider] ?? toProviderName(provider);
}

function mendingPhrase(test: TestReport): Phrase {
  const { length } = faultsOf(test);
  if (length === 0) return { tone: "good", text: "nothing is left to mend", to: "#fix" };
  const worst = faultsOf(test)[0]?.severity;
  const tone = worst === "critical" || worst === "major" ? worst : "minor";
  return {
    tone,
    text: length === 1 ? "one fault is yours to mend" : `${toWord(length)} faults are yours to mend`,
    to: "#fix",
  };
}

/** What comes first, and what it gives. */
export function toNextStep({ plan, composite, findings }: TestReport): string | null {
  if (plan === null || plan.length === 0 || composite === null) return null;
  const atOnce = plan.findIndex((step) => step.composite >= Math.min(90, plan.at(-1)?.composite ?? 0)) + 1;
  const reached = plan[atOnce - 1];
  const first = findings?.find(({ id }) => id === plan[0]?.finding);
  if (!reached || !first) return null;
  const gain =
    atOnce === 1
      ? `One repair brings it from ${toScore(composite)} to ${toScore(reached.composite)}.`
      : `${toWord(atOnce).replace(/^./, (letter) => letter.toUpperCase())} repairs bring it from ${toScore(composite)} to ${toScore(reached.composite)}.`;
  return reached.composite > composite ? `${gain} Begin with this: ${withStop(first.title)}` : null;
}

function withStop(title: string): string {
  const [sentence = title] = title.split(/(?<=\.)\s/);
  return sentence;
}
