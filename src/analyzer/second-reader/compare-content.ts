// Compares what two readers see in a message.

import type { ComparedThing } from "../reports/second-reading.ts";
import type { CauseId } from "../reports/second-reading-causes-table.ts";
import { compareFiles } from "./compare-files.ts";
import type { ReadContent, ReadMailbox } from "./content.ts";
import { asciiOf, inStructure, squeeze, toCharsetCause, withSingleSpaces } from "./content-causes.ts";
import type { DifferenceList } from "./differences.ts";
import { toShown } from "./excerpt.ts";
import {
  findCause,
  findCharset,
  findControls,
  findDamage,
  findEightBit,
  findFlowed,
  findFromSyntax,
  findHeaderLines,
  findSeveralBodies,
  findSeveralDates,
  findSeveralFrom,
  findSeveralSubjects,
  type OwnReading,
} from "./features.ts";

export const contentThings = [
  "from",
  "subject",
  "date",
  "text",
  "html",
  "attachments",
  "links",
] as const satisfies readonly ComparedThing[];

type Sides = { readonly ours: ReadContent; readonly theirs: ReadContent };

export function compareContent(own: OwnReading, sides: Sides, all: DifferenceList): void {
  const list = own.message.cuts.length > 0 ? blamingCuts(all) : all;
  compareFrom(own, sides, list);
  compareSubject(own, sides, list);
  compareDate(own, sides, list);
  const isSame = (["text", "html"] as const).map((thing) => compareBody(thing, own, sides, list));
  compareFiles(own, sides, list);
  compareLinks(own, sides, list, isSame.every(Boolean));
}

/** What is past our limits was not read, so no difference says anything about the message. */
function blamingCuts(list: DifferenceList): DifferenceList {
  return { ...list, add: (difference) => list.add({ ...difference, cause: "cut" }) };
}

const inHeader: Parameters<typeof findCause>[1] = [
  ["header-lines", findHeaderLines],
  ["control-characters", findControls],
];

function compareFrom(own: OwnReading, { ours, theirs }: Sides, list: DifferenceList): void {
  const addresses = (from: ReadContent["from"]) =>
    JSON.stringify(from?.filter(hasAddress).map(({ address }) => address.toLowerCase()) ?? null);
  const names = (from: ReadContent["from"]) => (from ?? []).map(nameOf).join();
  const isAddress = addresses(ours.from) !== addresses(theirs.from);
  const [our, their] = [names(ours.from), names(theirs.from)];
  if (!isAddress && our === their) return;
  const isGuess = !isAddress && asciiOf(our) === asciiOf(their);
  const found = isGuess
    ? toCharsetCause(own)
    : findCause(own, [
        ["several-from", findSeveralFrom],
        ["from-syntax", findFromSyntax],
        ...inHeader,
        ["eight-bit", findEightBit],
      ]);
  const shown = (from: ReadContent["from"]) => (from === null ? "none" : toShown(from.map(toWritten).join(", ")));
  list.add({
    thing: "from",
    about: null,
    ours: shown(ours.from),
    theirs: shown(theirs.from),
    ...found,
    issue: "ambiguous-from",
  });
}

/** False for the first half of a name with a comma, which some readers take for an address, and some for a name. */
const hasAddress = ({ address }: ReadMailbox) => address.includes("@");

/** A name that only repeats the address is none. */
function nameOf(mailbox: ReadMailbox): string {
  const { name, address } = mailbox;
  const text = squeeze(name);
  if (!hasAddress(mailbox)) return text || squeeze(address);
  return text.toLowerCase() === address.toLowerCase() ? "" : text;
}

function toWritten({ name, address }: ReadMailbox): string {
  return name === null ? address : `${name} <${address}>`;
}

function compareSubject(own: OwnReading, { ours, theirs }: Sides, list: DifferenceList): void {
  const [our, their] = [squeeze(ours.subject), squeeze(theirs.subject)];
  if (our === their) return;
  const found =
    asciiOf(our) === asciiOf(their)
      ? toCharsetCause(own)
      : findCause(own, [["several-fields", findSeveralSubjects], ...inHeader, ["eight-bit", findEightBit]]);
  list.add({
    thing: "subject",
    about: null,
    ours: toShown(ours.subject),
    theirs: toShown(theirs.subject),
    ...found,
    issue: "other-header",
  });
}

function compareDate(own: OwnReading, { ours, theirs }: Sides, list: DifferenceList): void {
  if (ours.date === theirs.date) return;
  const reading = own.message.date?.reading;
  const isPlain = reading?.ok === true && reading.date.faults.length === 0 && !reading.date.zoneIsGuess;
  const several = findSeveralDates(own);
  const cause: CauseId = several.length > 0 ? "several-fields" : isPlain ? "unknown" : "date-form";
  const shown = (date: ReadContent["date"]) => {
    if (date === null) return "none";
    return typeof date === "string" ? "unreadable" : toTime(date);
  };
  list.add({
    thing: "date",
    about: null,
    ours: shown(ours.date),
    theirs: shown(theirs.date),
    cause,
    offsets: several,
    issue: "other-header",
  });
}

/** Dates beyond the range of ISO 8601 exist in mail. */
function toTime(date: number): string {
  return new Date(date).toISOString().replace(/\.000Z$/, "Z");
}

/** Whether both show the same. */
function compareBody(thing: "text" | "html", own: OwnReading, { ours, theirs }: Sides, list: DifferenceList): boolean {
  let [our, their] = [squeeze(ours[thing]), squeeze(theirs[thing])];
  if (own.message[thing]?.isCut) {
    const length = Math.min(our.length, their.length);
    [our, their] = [our.slice(0, length), their.slice(0, length)];
  }
  if (our === their) return true;
  const found = findBodyCause(own, our, their);
  const place = firstDifference(our, their);
  const shown = (text: string | null) => around(withSingleSpaces(text), place);
  const about = own.message[thing]?.parts[0] ? `part ${own.message[thing]?.parts[0]?.path}` : null;
  list.add({ thing, about, ours: shown(ours[thing]), theirs: shown(theirs[thing]), ...found, issue: "two-bodies" });
  return false;
}

function findBodyCause(own: OwnReading, our: string, their: string): ReturnType<typeof findCause> {
  if (asciiOf(our) === asciiOf(their)) return toCharsetCause(own);
  const withoutQuotes = (text: string) => text.replaceAll(">", "");
  if (withoutQuotes(our) === withoutQuotes(their) && findFlowed(own).length > 0)
    return { cause: "flowed", offsets: [] };
  return findCause(own, [
    ...inStructure,
    ["damaged-encoding", findDamage],
    ["several-bodies", findSeveralBodies],
    ["charset", findCharset],
    ["eight-bit", findEightBit],
    ["control-characters", findControls],
  ]);
}

function firstDifference(our: string, their: string): number {
  let at = 0;
  while (at < our.length && our[at] === their[at]) at++;
  return at;
}

const before = 20;
const after = 60;

/** `at` counts characters without white space. */
function around(text: string, at: number): string {
  if (text === "") return "none";
  let place = 0;
  for (let seen = 0; place < text.length && seen < at; place++) if (text[place] !== " ") seen++;
  const begin = Math.max(0, place - before);
  return toShown(`${begin > 0 ? "…" : ""}${text.slice(begin, place + after)}`);
}

function compareLinks(own: OwnReading, { ours, theirs }: Sides, list: DifferenceList, isSame: boolean): void {
  const only = (links: readonly string[], others: readonly string[]) => {
    const known = new Set(others.map(asciiOf));
    return links.filter((link) => !known.has(asciiOf(link)));
  };
  const [our, their] = [only(ours.links, theirs.links), only(theirs.links, ours.links)];
  if (our.length === 0 && their.length === 0) return;
  // The limit on links is the same for both, but what is before it may not be.
  const found = isSame ? { cause: "cut" as const, offsets: [] } : findBodyCause(own, our.join(), their.join());
  const shown = (links: readonly string[]) =>
    links[0] === undefined ? "none" : `${toShown(links[0])}${more(links.length - 1)}`;
  list.add({ thing: "links", about: null, ours: shown(our), theirs: shown(their), ...found, issue: "other-links" });
}

function more(count: number): string {
  return count > 0 ? ` and ${count} more` : "";
}
