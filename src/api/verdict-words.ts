// The report in one sentence: who it is from, where it lands, what is to be done. Each phrase leads to its proof.

import { type Tone, toList, toWord } from "./plain-words.ts";
import type { TestReport } from "./tests.ts";

export type Phrase = { readonly tone: Tone; readonly text: string; readonly to: string };

type PlacedFolder = NonNullable<TestReport["placement_results"]>[number]["folder"];

/** What the sentence is made of. */
export type Judged = Pick<TestReport, "spf" | "dkim" | "dmarc"> & {
  /** What the domain of the From header asks for. */
  readonly policy: "none" | "quarantine" | "reject" | null;
  /** The From header names no one domain. */
  readonly namesNobody: boolean;
  readonly placed: readonly Placed[];
  readonly faults: readonly { readonly severity: string }[];
};

export type Placed = {
  readonly name: string;
  readonly folder: PlacedFolder;
  readonly isObserved: boolean;
  /** A mailbox that stands for none of the large providers. */
  readonly isOwn: boolean;
};

export function toVerdict(judged: Judged): readonly Phrase[] {
  const placed = placementPhrases(judged.placed);
  const proof = proofPhrase(judged);
  const mending = mendingPhrase(judged);
  const isBad = placed.some(({ tone }) => tone === "critical" || tone === "major");
  return isBad ? [...placed, proof, mending] : [proof, ...placed, mending];
}

function proofPhrase({ policy, namesNobody, dmarc, spf, dkim }: Judged): Phrase {
  const to = "#authentication";
  if (dmarc === "pass") return { tone: "good", text: "the sender is proven genuine", to };
  if (dmarc === "fail") {
    const tone = policy === null || policy === "none" ? "major" : "critical";
    return { tone, text: "nothing proves who sent it", to };
  }
  if (namesNobody) return { tone: "major", text: "it names nobody whom proof could belong to", to };
  if (dkim === "pass" || spf === "pass")
    return { tone: "minor", text: "its domain has no DMARC policy that says what proof is needed", to };
  if (dmarc === "temperror" || (spf === null && dkim === null))
    return { tone: "unknown", text: "who sent it could not be checked", to };
  return { tone: "major", text: "nothing proves who sent it", to };
}

type Telling = {
  readonly folder: PlacedFolder;
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

function placementPhrases(placed: readonly Placed[]): Phrase[] {
  const large = placed.filter(({ isOwn }) => !isOwn);
  const phrases = tellings.flatMap(({ folder, tone, seen, likely }) =>
    [true, false].flatMap((isObserved): Phrase[] => {
      const here = placed.filter((one) => one.folder === folder && one.isObserved === isObserved);
      if (here.length === 0) return [];
      const isAll =
        large.length > 1 && large.every((one) => here.includes(one)) && here.length === large.length;
      const who = isAll ? "every large mailbox provider" : toNames(here);
      return [{ tone, text: (isObserved ? seen : likely)(who), to: "#placement" }];
    }),
  );
  // The sentence stays one: the two that matter most.
  return phrases.slice(0, 2);
}

const namesTold = 2;

function toNames(placed: readonly Placed[]): string {
  const names = placed.map(({ name }) => name);
  const others = names.length - namesTold;
  return others > 1 ? `${names.slice(0, namesTold).join(", ")} and ${toWord(others)} others` : toList(names);
}

function mendingPhrase({ faults }: Judged): Phrase {
  const count = faults.length;
  if (count === 0) return { tone: "good", text: "nothing is left to mend", to: "#fix" };
  // The first to mend is what gives most, and not always the gravest.
  const grave = ["critical", "major"] as const;
  const tone = grave.find((each) => faults.some(({ severity }) => severity === each)) ?? "minor";
  const text = count === 1 ? "one fault is yours to mend" : `${toWord(count)} faults are yours to mend`;
  return { tone, text, to: "#fix" };
}
