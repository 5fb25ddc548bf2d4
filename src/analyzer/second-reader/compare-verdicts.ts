// Compares what two implementations make of a message's authentication.

import type { AlignedSignature } from "../checks/authentication-facts.ts";
import type { HeaderSection } from "../mail/headers/fields.ts";
import type { Authentication } from "../reports/report.ts";
import type { ComparedThing } from "../reports/second-reading.ts";
import type { CauseId } from "../reports/second-reading-causes-table.ts";
import type { DifferenceList } from "./differences.ts";
import type { LibrarySignature, LibraryVerdicts } from "./library-verdicts.ts";

export const verdictThings = ["spf", "dkim", "arc", "dmarc", "alignment"] as const satisfies readonly ComparedThing[];

type Comparing = {
  readonly raw: Uint8Array;
  readonly section: HeaderSection;
  readonly ours: Authentication;
  readonly theirs: LibraryVerdicts;
  readonly list: DifferenceList;
};

/** Why it isn't compared. Null: it is, whatever the outcome. */
type Skipped = string | null;

const noDns = "DNS gave no answer to at least one of the readers.";
const assumed = "The result is assumed from the settings of the workspace.";
const recorded = "The result is the one that your receiving server recorded.";
const noSession = "The session that SPF checks is unknown.";

/** Returns what isn't compared, and why. */
export function compareVerdicts(comparing: Comparing): ReadonlyMap<ComparedThing, string> {
  const spf = compareSpf(comparing);
  const dkim = compareSignatures(comparing);
  const follows = spf.differs || dkim.differs;
  const skipped: readonly (readonly [ComparedThing, Skipped])[] = [
    ["spf", spf.skipped],
    ["dkim", dkim.skipped],
    ["arc", compareArc(comparing)],
    ["dmarc", compareDmarc(comparing, follows)],
    ["alignment", compareAlignment(comparing, follows)],
  ];
  return new Map(skipped.flatMap(([thing, why]) => (why === null ? [] : [[thing, why] as const])));
}

type Compared = { readonly skipped: Skipped; readonly differs: boolean };

const same: Compared = { skipped: null, differs: false };
const skip = (skipped: string): Compared => ({ skipped, differs: false });

const openIssue = { issue: "one-sided-verdict", offsets: [] } as const;

function compareSpf({ ours: { spf }, theirs, list }: Comparing): Compared {
  if (!spf.known || theirs.spf === null) return skip(noSession);
  const { result, domain: about, recordedBy } = spf.value;
  if (spf.value.assumed) return skip(assumed);
  if (recordedBy !== undefined) return skip(recorded);
  if (result === theirs.spf) return same;
  if (theirs.isUnanswered("spf")) return skip(noDns);
  list.add({ thing: "spf", about, ours: result, theirs: theirs.spf, cause: "one-sided", ...openIssue });
  return { skipped: null, differs: true };
}

function compareSignatures({ raw, section, ours: { dkim }, theirs, list }: Comparing): Compared {
  if (!dkim.known) return skip("DKIM was not evaluated.");
  const { signatures, ignored } = dkim.value;
  if (signatures.some((signature) => signature.assumed)) return skip(assumed);
  if (signatures.some(({ recordedBy }) => recordedBy !== undefined)) return skip(recorded);
  const isOpen = signatures.some(({ result }, at) => result !== theirs.dkim[at]?.result);
  const isUnsure =
    theirs.isUnanswered("dkim") || [...signatures, ...theirs.dkim].some(({ result }) => result === "temperror");
  if (isOpen && isUnsure) return skip(noDns);
  let differs = false;
  for (const [at, own] of signatures.entries()) {
    const their = theirs.dkim[at];
    noteLenient(own, their, list);
    if (own.result === their?.result) continue;
    const cause = causeOf(own, their);
    differs ||= cause === "one-sided";
    list.add({
      thing: "dkim",
      about: nameOf(own),
      ours: withWhy(own.result, own.says),
      cause,
      theirs: their ? withWhy(their.result, their.comment) : "no signature",
      issue: "one-sided-signature",
      offsets: placesOf(own, raw, section),
    });
  }
  const more = theirs.dkim.length - signatures.length;
  if (more > 0)
    list.add({
      thing: "dkim",
      about: `${more} more signatures`,
      ours: "not evaluated",
      theirs: "evaluated",
      cause: ignored > 0 ? "signature-limit" : "one-sided",
      issue: "one-sided-signature",
      offsets: [],
    });
  return { skipped: null, differs };
}

/** Results of both are refusals, with different words. */
function isRefusal(result: string): boolean {
  return /^(fail|neutral|permerror|policy|none)$/.test(result);
}

function causeOf({ result }: AlignedSignature, their: LibrarySignature | undefined): CauseId {
  return their && isRefusal(result) && isRefusal(their.result) ? "result-word" : "one-sided";
}

/** The signature, and the first line end that isn't CR LF, because signatures are made over CR LF. */
function placesOf({ index }: AlignedSignature, raw: Uint8Array, { fields }: HeaderSection): number[] {
  const signature = fields.filter(({ key }) => key === "dkim-signature")[index];
  const bareLf = findBareLf(raw);
  return [...(signature ? [signature.offset] : []), ...(bareLf === null ? [] : [bareLf])];
}

/** The beginning of the line that it ends. */
function findBareLf(raw: Uint8Array): number | null {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  let begin = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at - 1] !== 13) return begin;
    begin = at + 1;
  }
  return null;
}

function noteLenient(own: AlignedSignature, their: LibrarySignature | undefined, list: DifferenceList): void {
  if (!their?.lenient || own.result === "pass") return;
  const accepted = their.lenient.length > 0 ? ` (accepted: ${their.lenient.join(", ")})` : "";
  const evidence = `${nameOf(own)}: ${(own.says ?? own.result).replace(/\.$/, "")}${accepted}`;
  list.raise({ finding: "lenient-signature", evidence, bytes: [] });
}

function nameOf({ index, domain, selector }: AlignedSignature): string {
  return `signature ${index + 1} (d=${domain ?? "?"}, s=${selector ?? "?"})`;
}

function withWhy(result: string, why: string | null): string {
  return why === null ? result : `${result} (${why.replace(/\.$/, "")})`;
}

function compareArc({ section, ours: { arc }, theirs, list }: Comparing): Skipped {
  if (!arc.known) return "ARC was not evaluated.";
  const { result, failure } = arc.value;
  if (result === theirs.arc) return null;
  if (theirs.isUnanswered("dkim") || result === "temperror") return noDns;
  const cause = hasUnusualTags(section) ? "arc-tags" : "one-sided";
  const ours = withWhy(result, failure?.says ?? null);
  list.add({ thing: "arc", about: null, ours, theirs: theirs.arc, cause, ...openIssue });
  return null;
}

/** An ARC-Message-Signature without c=, or with an empty h=. */
function hasUnusualTags({ fields }: HeaderSection): boolean {
  return fields.some(
    ({ key, value }) =>
      key === "arc-message-signature" && (!/(?:^|;)\s*c\s*=/.test(value) || /(?:^|;)\s*h\s*=\s*(?:;|$)/.test(value)),
  );
}

function compareDmarc(comparing: Comparing, follows: boolean): Skipped {
  const { ours, theirs, list } = comparing;
  if (!ours.dmarcResult.known) return "DMARC was not evaluated.";
  const { result, says, fromDomain: about, recordedBy } = ours.dmarcResult.value;
  const their = theirs.dmarc ?? "none";
  if (ours.dmarcResult.value.assumed) return assumed;
  if (recordedBy !== undefined) return recorded;
  if (theirs.isUnanswered("dmarc")) return noDns;
  // Without one author domain, the library says nothing, which is the same as a permerror.
  if (result === their || (theirs.dmarc === null && isNoVerdict(result))) return null;
  const isUndecided = isNoVerdict(result) && isNoVerdict(their);
  const skipped = isUndecided ? null : whyNoDmarc(comparing);
  if (skipped !== null) return skipped;
  const cause = isUndecided ? "no-author-domain" : toFollowing(follows);
  const shown = { ours: withWhy(result, says), theirs: theirs.dmarc ?? "not evaluated" };
  list.add({ thing: "dmarc", about, ...shown, cause, ...openIssue });
  return null;
}

/** What DMARC rests on is unknown to the library. */
function whyNoDmarc({ ours: { spf }, theirs }: Comparing): Skipped {
  if (!spf.known || theirs.spf === null) return noSession;
  return theirs.isUnanswered("spf") || theirs.isUnanswered("dkim") ? noDns : null;
}

function isNoVerdict(result: string): boolean {
  return result === "permerror" || result === "none";
}

function toFollowing(follows: boolean): CauseId {
  return follows ? "follows" : "one-sided";
}

function compareAlignment(
  { ours: { dmarcResult }, theirs: { aligned, isUnanswered }, list }: Comparing,
  follows: boolean,
): Skipped {
  if (!dmarcResult.known || aligned === null)
    return isUnanswered("dmarc") ? noDns : "There is no DMARC record that says how to align.";
  const { alignedBy, fromDomain: about, recordedBy } = dmarcResult.value;
  if (dmarcResult.value.assumed) return assumed;
  if (recordedBy !== undefined) return recorded;
  const theirsBy = (["spf", "dkim"] as const).filter((one) => aligned[one]);
  const [ours, theirs] = [toWords(alignedBy), toWords(theirsBy)];
  if (ours === theirs) return null;
  if ((["dmarc", "spf", "dkim"] as const).some(isUnanswered)) return noDns;
  list.add({ thing: "alignment", about, ours, theirs, cause: toFollowing(follows), ...openIssue });
  return null;
}

function toWords(aligned: readonly ("spf" | "dkim")[]): string {
  const words = (["spf", "dkim"] as const).filter((one) => aligned.includes(one)).map((one) => one.toUpperCase());
  if (words.length === 0) return "nothing passes and aligns";
  return words.length === 1 ? `only ${words[0]} passes and aligns` : "SPF and DKIM pass and align";
}
