// The report in one line of at most 20 words: where the message lands, and how many issues there are. Each part links
// to its section.

import { toActor } from "../../../analyzer/words/gate-words.ts";
import { type Tone, toInnerTitle } from "../../../analyzer/words/plain-words.ts";
import { publishesVolume } from "../../../analyzer/words/provider-words.ts";
import type { TestReport } from "../contract/tests.ts";

/** Without a full stop. */
export type Phrase = { readonly tone: Tone; readonly text: string; readonly to: string };

type Row = NonNullable<TestReport["placement_results"]>[number];
type PlacedFolder = Row["folder"];

/** The data for the line. */
type VerdictInput = {
  readonly placed: readonly PlacementAt[];
  readonly issues: readonly { readonly severity: string }[];
  /** Enough was checked for a grade. */
  readonly isWellChecked: boolean;
  /** What has to pass at the receiver, because it is unknown here. Null: a result is known to pass, or nothing can. */
  readonly openSender: OpenSender;
};

type OpenSender = "SPF" | "SPF or DKIM" | null;

/** `spf` and `dkim` as a test has them; null if a result is unknown. */
export function toOpenSender({ spf, dkim }: Readonly<Record<"spf" | "dkim", string | null>>): OpenSender {
  if (spf !== null || dkim === "pass") return null;
  return dkim === null ? "SPF or DKIM" : "SPF";
}

type PlacementAt = {
  readonly provider: string;
  readonly folder: PlacedFolder;
  readonly isObserved: boolean;
  /** The odds of inbox and spam are about the same. */
  readonly isOpen?: boolean;
  /** The folder for a bulk sender, if different. */
  readonly ifLarge: PlacedFolder | null;
};

export function toVerdict({ placed, openSender, ...rest }: VerdictInput): readonly Phrase[] {
  return [placementPhrase(placed, openSender), issuesPhrase(rest)];
}

const isSeen = ({ folder }: PlacementAt) => folder !== "pending" && folder !== "missing";
const isIn = (folder: PlacedFolder) => (placed: PlacementAt) => placed.folder === folder;

function placementPhrase(placed: readonly PlacementAt[], openSender: OpenSender): Phrase {
  const to = "#placement";
  const observed = placed.filter((one) => one.isObserved && isSeen(one));
  const predicted = placed.filter(({ isObserved }) => !isObserved);
  if (observed.length + predicted.length === 0)
    return { tone: "unknown", text: placed.length > 0 ? "Not seen yet" : "Placement unknown", to };
  const seen = observed.length > 0 ? toSeen(observed, predicted.length === 0) : null;
  // Without an authenticated sender, we can't say what a higher volume would change.
  const judged = openSender === null ? predicted : predicted.map((one) => ({ ...one, ifLarge: null }));
  const likely = judged.length > 0 ? toLikely(judged, seen === null) : null;
  const parts = [seen, likely].filter((part) => part !== null);
  const tone = gravestTones.find((each) => parts.some((part) => part.tone === each)) ?? "good";
  const text = parts.map(({ text }) => text).join(", ");
  return seen === null && likely?.isInbox === true && openSender !== null
    ? { tone: tone === "good" ? "minor" : tone, text: `${text}, if ${openSender} passes`, to }
    : { tone, text, to };
}

const gravestTones = ["critical", "major", "minor"] as const;

type Part = Pick<Phrase, "tone" | "text">;

/** `isAlone`: nothing else is predicted. */
function toSeen(observed: readonly PlacementAt[], isAlone: boolean): Part {
  const spam = observed.filter(isIn("spam")).length;
  const all = observed.length;
  const where = isAlone ? `${all} ${all === 1 ? "provider" : "providers"}` : `${all}`;
  if (spam === 0) return { tone: "good", text: `Seen in the inbox at ${where}` };
  return { tone: "major", text: `Seen in spam at ${spam === all ? "" : `${spam} of `}${where}` };
}

/** `isAlone`: nothing was seen. */
function toLikely(predicted: readonly PlacementAt[], isAlone: boolean): Part & { readonly isInbox: boolean } {
  const all = predicted.length;
  const unit = isAlone ? ` ${all === 1 ? "provider" : "providers"}` : all === 1 ? " other" : " others";
  const of = (count: number) =>
    count < all ? `${count} of ${all}${unit}` : all > 1 ? `all ${all}${unit}` : `${all}${unit}`;
  const large = toLarge(predicted, isAlone);
  const { rejected, spam, open, inbox } = countPlaces(predicted);
  if (rejected + spam + open === 0) return { ...toInbox(predicted, isAlone, of(all), large), isInbox: true };
  const isWhole = isAlone && large === "";
  const rest = isWhole && inbox > 0 ? `inbox at ${inbox}` : large;
  const alsoSpam = isWhole && rejected > 0 && spam > 0;
  const rejectedAt = alsoSpam ? `${rejected} and spam at ${spam} of ${all}${unit}` : of(rejected);
  const [tone, text] =
    rejected > 0
      ? (["critical", `Likely rejected at ${rejectedAt}`] as const)
      : spam > 0
        ? (["major", `Likely spam at ${of(spam)}`] as const)
        : (["minor", `Could go to the inbox or spam at ${of(open)}`] as const);
  return { tone, text: [isAlone ? text : toInnerTitle(text), rest].filter(Boolean).join(", "), isInbox: false };
}

function countPlaces(predicted: readonly PlacementAt[]) {
  const open = predicted.filter(({ isOpen }) => isOpen).length;
  const rejected = predicted.filter(isIn("rejected")).length;
  const spam = predicted.filter((one) => one.folder === "spam" && one.isOpen !== true).length;
  return { rejected, spam, open, inbox: predicted.length - rejected - spam - open };
}

function toInbox(predicted: readonly PlacementAt[], isAlone: boolean, all: string, large: string): Part {
  const tone = large === "" ? "good" : "minor";
  if (!isAlone) return { tone, text: `likely inbox at ${all}` };
  const where = hasTab(predicted) ? toTabbed(predicted.length - 1) : all;
  // Those that change are among them.
  return { tone, text: `Likely inbox at ${where}${large === "" ? "" : `, but ${large}`}` };
}

/** Only Gmail has it. */
function hasTab(predicted: readonly PlacementAt[]): boolean {
  return predicted.length > 1 && predicted.some(isIn("promotions"));
}

function toTabbed(others: number): string {
  return `${others} ${others === 1 ? "provider" : "providers"}, Promotions at Gmail`;
}

/** What changes for bulk senders. */
function toLarge(predicted: readonly PlacementAt[], isAlone: boolean): string {
  const rejecting = predicted.filter(({ ifLarge }) => ifLarge === "rejected");
  const junking = predicted.filter(({ ifLarge }) => ifLarge === "spam");
  const changing = rejecting.length > 0 ? rejecting : junking;
  if (changing.length === 0 || !isAlone) return "";
  const isCounting = changing.some(({ provider }) => publishesVolume(provider));
  const reach = isCounting && !hasTab(predicted) ? "above 5,000 a day" : "at high volume";
  const what = rejecting.length > 0 ? "rejected by" : "spam at";
  return `${what} ${toWho(changing)} ${reach}`;
}

/** A single provider by name, several by their number. */
function toWho(placed: readonly PlacementAt[]): string {
  const [only] = placed;
  return placed.length === 1 && only && only.provider !== "generic" ? toActor(only.provider) : `${placed.length}`;
}

function issuesPhrase({ issues, isWellChecked }: Omit<VerdictInput, "placed" | "openSender">): Phrase {
  const count = issues.length;
  const to = "#fix";
  if (count === 0)
    return { tone: "good", text: isWellChecked ? "Nothing to fix" : "No issues in completed checks", to };
  const tone = gravestTones.find((each) => issues.some(({ severity }) => severity === each)) ?? "minor";
  return { tone, text: countIssues(issues.map(({ severity }) => severity)), to };
}

/** With the number of the gravest ones. */
function countIssues(severities: readonly string[]): string {
  const count = severities.length;
  const gravest = (["critical", "major"] as const).find((each) => severities.includes(each)) ?? "minor";
  const grave = severities.filter((each) => each === gravest).length;
  const noun = count === 1 ? "issue" : "issues";
  return gravest === "minor" || grave === count
    ? `${count} ${gravest} ${noun}`
    : `${count} ${noun}, ${grave} ${gravest}`;
}
