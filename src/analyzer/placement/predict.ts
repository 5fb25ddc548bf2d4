// Predicts where large providers would put a message, and why: gates first, then the odds of spam, then the tab. The
// prediction uses published rules and this one message. The odds of spam are the same for all: what a provider knows
// about the sender is hidden from us, and only a real mailbox shows the actual result.

import type { KnownFacts } from "../checks/facts.ts";
import type { KindFact } from "../checks/kind.ts";
import { type Finding, findingsIn, type Outcome } from "../checks/run.ts";
import type { Volume } from "../checks/volume.ts";
import { findGates } from "./gates.ts";
import { type Learned, withLearned } from "./learned.ts";
import { type Folder, type IfLarge, type Placement, type Prediction, type Profile, profiles } from "./provider.ts";
import { findGaps, type Knowledge, most, type PlacementWeights, toKnowledge, toReasons } from "./reasons.ts";
import { findHeld, type Spam, weighSpam } from "./spam.ts";
import { chooseTab, readTabMarks, type TabOdds } from "./tab-marks.ts";
import { weightsVersion } from "./weights-table.ts";

type PlacementInput = {
  readonly facts: Partial<KnownFacts>;
  readonly outcomes: readonly Outcome[];
  /** How much the workspace sends. */
  readonly volume?: Volume;
  /** What it learned from its own mail. */
  readonly learned?: Learned | null;
};

export function predictPlacement({ facts, outcomes, volume = null, learned = null }: PlacementInput): Placement {
  const findings = findingsIn(outcomes);
  const marks = readTabMarks(facts);
  const held = findHeld(findings, facts);
  const evidence: Evidence = {
    findings: findings.filter(({ gates }) => gates.length > 0),
    kind: facts.kind?.known ? facts.kind.value : null,
    spam: withLearned(weighSpam(held), learned),
    knowledge: toKnowledge(findGaps(outcomes, facts), held.text?.unread ?? null),
    tab: marks && chooseTab(marks),
    volume,
  };
  const predictions = profiles.map((profile) => predict(profile, evidence));
  return { version: weightsVersion, predictions };
}

type Evidence = {
  /** Those that break a provider's rule. */
  readonly findings: readonly Finding[];
  readonly kind: KindFact | null;
  readonly spam: Spam;
  readonly knowledge: Knowledge;
  readonly tab: TabOdds | null;
  readonly volume: Volume;
};

function predict(profile: Profile, evidence: Evidence): Prediction {
  const { findings, kind, spam, knowledge, tab, volume } = evidence;
  const weighed: PlacementWeights = {
    gates: findGates(findings, kind, profile, volume === "large"),
    spam,
    tab: profile.hasTabs ? tab : null,
    knowledge,
  };
  const odds = toOdds(weighed);
  const folder = likeliest(odds);
  const ifLarge = volume === null ? toIfLarge(folder, weighed, profile, evidence) : null;
  return {
    provider: profile.id,
    folder,
    odds,
    smtpReply: folder === "rejected" ? weighed.gates.reply : null,
    confidence: round(odds[folder] * toSureness(folder, knowledge)),
    reasons: toReasons(folder, weighed, profile),
    ...(ifLarge && { ifLarge }),
  };
}

/** Null if a bulk sender's message would go to the same folder. */
function toIfLarge(
  folder: Folder,
  weighed: PlacementWeights,
  profile: Profile,
  { findings, kind }: Evidence,
): IfLarge | null {
  const gates = findGates(findings, kind, profile, true);
  const odds = toOdds({ ...weighed, gates });
  const large = likeliest(odds);
  if (large === folder) return null;
  return {
    folder: large,
    odds,
    smtpReply: large === "rejected" ? gates.reply : null,
    reasons: gates.reasons.slice(0, most.gates),
  };
}

function toOdds({ gates, spam, tab }: PlacementWeights): Prediction["odds"] {
  const rejected = round(gates.rejected);
  const spamLeft = 1 - (1 - spam.probability) * (1 - gates.junk);
  const inSpam = round((1 - rejected) * spamLeft);
  const promotions = round((1 - rejected) * (1 - spamLeft) * (tab?.promotions ?? 0));
  return { inbox: round(1 - rejected - inSpam - promotions), promotions, spam: inSpam, rejected };
}

/** Inbox tabs count together until the inbox is chosen. */
function likeliest({ inbox, promotions, spam, rejected }: Prediction["odds"]): Folder {
  const most = Math.max(rejected, spam, inbox + promotions);
  if (rejected === most) return "rejected";
  if (spam === most) return "spam";
  return promotions > inbox ? "promotions" : "inbox";
}

/** A published rejection applies whatever else is known. Every other folder depends on all of the evidence. */
function toSureness(folder: Folder, { share }: Knowledge): number {
  return folder === "rejected" ? 1 : share;
}

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
