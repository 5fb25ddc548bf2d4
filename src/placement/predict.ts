// Predicts where large providers would put a message, and why: gates first, then the odds of spam, then the tab. The
// prediction uses published rules and this one message. Only a real mailbox shows the actual result. What a provider
// knows about the sender is hidden from us, so no prediction is certain.

import type { KnownFacts } from "../checks/facts.ts";
import type { KindFact } from "../checks/kind.ts";
import { type Finding, findingsIn, type Outcome } from "../checks/run.ts";
import type { Volume } from "../checks/volume.ts";
import { findGates } from "./gates.ts";
import type { Folder, IfLarge, Placement, Prediction, Profile } from "./provider.ts";
import { findGaps, type Knowledge, most, type PlacementWeights, toKnowledge, toReasons } from "./reasons.ts";
import type { Shifts } from "./shifts.ts";
import { findHeld, type SpamEvidence, weighSpam } from "./spam.ts";
import { chooseTab, readTabMarks, type TabOdds } from "./tab-marks.ts";
import { weightsVersion } from "./weights-table.ts";

// outlook.com, hotmail.com, live.com and msn.com. Focused and Other depend on what each recipient opens, so both count
// as the inbox here.

const outlook: Profile = {
  id: "outlook",
  name: "Outlook.com",
  gate: "outlook",
  ifBulk: "from senders of more than 5,000 messages a day",
  hasTabs: false,
  ceiling: 0.7,
  hidden: "your complaint rate (a main factor) and how Microsoft rates your IP address",
};

// icloud.com, me.com and mac.com. Apple Mail sorts categories on the recipient's device, so the server has one inbox.
// Apple publishes the least of the four, so its ceiling is the lowest among them.

const icloud: Profile = {
  id: "icloud",
  name: "iCloud",
  gate: "apple",
  ifBulk: "from bulk senders",
  hasTabs: false,
  ceiling: 0.65,
  hidden: "how Apple and its gateway rate your IP address and domain",
};

// Personal Gmail accounts. Rules and replies are from "Email sender guidelines" and "Gmail SMTP errors and codes". The
// weights of its filter and tabs are not published.

const gmail: Profile = {
  id: "gmail",
  name: "Gmail",
  gate: "gmail",
  ifBulk: "from senders of more than 5,000 messages a day",
  hasTabs: true,
  ceiling: 0.75,
  hidden: "how often recipients reported your mail as spam, and how Gmail rates your domain and IP address",
};

// A server with SpamAssassin, rspamd or similar, as used by companies and small hosts. Every setup differs, so its
// ceiling is the lowest. It uses rules and blocklists, and hardly any reputation.

const generic: Profile = {
  id: "generic",
  name: "A typical spam filter",
  gate: "other",
  ifBulk: "from bulk senders",
  hasTabs: false,
  ceiling: 0.6,
  hidden: "how its operator configured and trained it",
};

// Yahoo and AOL mailboxes. Yahoo publishes no volume from which its rules for bulk senders apply.

const yahoo: Profile = {
  id: "yahoo",
  name: "Yahoo",
  gate: "yahoo",
  ifBulk: "from bulk senders",
  hasTabs: false,
  ceiling: 0.7,
  hidden: "how recipients rated your mail, and how Yahoo rates your domain, links and network",
};

export const profiles: readonly Profile[] = [gmail, outlook, yahoo, icloud, generic];

type PlacementInput = {
  readonly facts: Partial<KnownFacts>;
  readonly outcomes: readonly Outcome[];
  /** Set by users of the message's workspace. */
  readonly shifts?: Shifts;
  /** How much the workspace sends. */
  readonly volume?: Volume;
};

export function predictPlacement({ facts, outcomes, shifts = {}, volume = null }: PlacementInput): Placement {
  const findings = findingsIn(outcomes);
  const marks = readTabMarks(facts);
  const evidence: Evidence = {
    findings,
    kind: facts.kind?.known ? facts.kind.value : null,
    held: findHeld(findings, facts),
    gaps: findGaps(outcomes, facts),
    tab: marks && chooseTab(marks),
    shifts,
    volume,
  };
  const predictions = profiles.map((profile) => predict(profile, evidence));
  return { version: weightsVersion, predictions };
}

type Evidence = {
  readonly findings: readonly Finding[];
  readonly kind: KindFact | null;
  readonly held: SpamEvidence;
  readonly gaps: ReturnType<typeof findGaps>;
  readonly tab: TabOdds | null;
  readonly shifts: Shifts;
  readonly volume: Volume;
};

function predict(profile: Profile, evidence: Evidence): Prediction {
  const { findings, kind, held, gaps, tab, shifts, volume } = evidence;
  const shift = shifts[profile.id] ?? null;
  const weighed: PlacementWeights = {
    gates: findGates(findings, kind, profile, volume === "large"),
    spam: weighSpam(held, profile.id, shift),
    tab: profile.hasTabs ? tab : null,
    knowledge: toKnowledge(gaps, profile.id),
  };
  const odds = toOdds(weighed);
  const folder = likeliest(odds);
  const ifLarge = volume === null ? toIfLarge(folder, weighed, profile, evidence) : null;
  return {
    provider: profile.id,
    folder,
    odds,
    smtpReply: folder === "rejected" ? weighed.gates.reply : null,
    confidence: toConfidence(odds[folder], folder, weighed.knowledge, profile),
    reasons: toReasons(folder, weighed, profile),
    ...(shift && { shift }),
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
    ...{ folder: large, odds },
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

/**
 * A published rejection applies whatever else is known about the sender. Every other folder depends on unknown facts.
 */
const refusalCeiling = 0.9;
const refusalHangsOn = 0.25;

function toConfidence(odds: number, folder: Folder, { share }: Knowledge, { ceiling }: Profile): number {
  return folder === "rejected"
    ? round(refusalCeiling * odds * (1 - refusalHangsOn * (1 - share)))
    : round(ceiling * odds * share);
}

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
