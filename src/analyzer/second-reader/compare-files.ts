// Compares the attachments that two readers see.

import type { ReadContent, ReadFile } from "./content.ts";
import { asciiOf, inStructure, squeeze, toCharsetCause } from "./content-causes.ts";
import type { DifferenceList } from "./differences.ts";
import { toShown } from "./excerpt.ts";
import {
  findCause,
  findControls,
  findDamage,
  findSeveralBodies,
  findTwoNames,
  findUntyped,
  type OwnReading,
} from "./features.ts";

type Sides = { readonly ours: ReadContent; readonly theirs: ReadContent };

export function compareFiles(own: OwnReading, { ours, theirs }: Sides, list: DifferenceList): void {
  const [our, their] = [[...ours.files], [...theirs.files]];
  const pairs = [...takePairs(our, their, isSameContent), ...takePairs(our, their, isSameName)];
  const rest = our.length === their.length ? takePairs(our, their, () => true) : [];
  for (const pair of [...pairs, ...rest]) compareFile(own, pair, list);
  for (const file of our) notePresence(own, { ours: file, theirs: null }, list);
  for (const file of their) notePresence(own, { ours: null, theirs: file }, list);
}

type FilePair = { readonly ours: ReadFile; readonly theirs: ReadFile };

/** Removes the pairs from both lists. */
function takePairs(our: ReadFile[], their: ReadFile[], fits: (pair: FilePair) => boolean): FilePair[] {
  const pairs: FilePair[] = [];
  for (const ours of [...our]) {
    const at = their.findIndex((theirs) => fits({ ours, theirs }));
    const theirs = their[at];
    if (theirs === undefined) continue;
    their.splice(at, 1);
    our.splice(our.indexOf(ours), 1);
    pairs.push({ ours, theirs });
  }
  return pairs;
}

function isSameContent({ ours, theirs }: FilePair): boolean {
  return ours.sha256 === theirs.sha256 && (ours.sha256 !== null || ours.type === theirs.type);
}

function isSameName({ ours, theirs }: FilePair): boolean {
  return ours.name !== null && ours.name === theirs.name;
}

function compareFile(own: OwnReading, { ours, theirs }: FilePair, list: DifferenceList): void {
  const about = nameOf(ours.name ?? theirs.name);
  const base = { thing: "attachments", about } as const;
  const [our, their] = [squeeze(ours.name), squeeze(theirs.name)];
  if (our !== their) {
    const isGuess = asciiOf(our) === asciiOf(their);
    const found = isGuess ? toCharsetCause(own) : findCause(own, [["two-names", findTwoNames], ...inStructure]);
    const shown = { ours: toShown(ours.name), theirs: toShown(theirs.name) };
    list.add({ ...base, ...shown, ...found, issue: "attachment-name" });
  }
  if (bareType(ours) !== bareType(theirs)) {
    const isGuess = bareType(theirs) === "application/octet-stream" && findUntyped(own).length > 0;
    const found = isGuess ? { cause: "guessed-type" as const, offsets: [] } : findCause(own, inStructure);
    const shown = { ours: toShown(ours.type), theirs: toShown(theirs.type) };
    list.add({ ...base, ...shown, ...found, issue: "attachment-type" });
  }
  if (ours.sha256 !== null && theirs.sha256 !== null && ours.sha256 !== theirs.sha256) {
    const found = findCause(own, [
      ...inStructure,
      ["damaged-encoding", findDamage],
      ["control-characters", findControls],
    ]);
    const shown = { ours: `${ours.bytes} bytes`, theirs: `${theirs.bytes} bytes` };
    list.add({ ...base, ...shown, ...found, issue: "attachment-content" });
  }
}

function bareType({ type }: ReadFile): string {
  return type.split(/[\s;]/)[0] ?? "";
}

const otherBody = /^text\/(?:enriched|richtext|x-amp-html|x-watch-html)$/;

function notePresence(
  own: OwnReading,
  { ours, theirs }: { readonly ours: ReadFile | null; readonly theirs: ReadFile | null },
  list: DifferenceList,
): void {
  const file = ours ?? theirs;
  // A file without content can hide nothing.
  if (file === null || file.bytes === 0) return;
  const found = otherBody.test(bareType(file))
    ? { cause: "other-body" as const, offsets: [] }
    : findCause(own, [...inStructure, ["several-bodies", findSeveralBodies], ["control-characters", findControls]]);
  const shown = (one: ReadFile | null) => (one === null ? "none" : `${one.type} of ${one.bytes} bytes`);
  list.add({
    thing: "attachments",
    about: nameOf(file.name),
    ours: shown(ours),
    theirs: shown(theirs),
    ...found,
    issue: "hidden-attachment",
  });
}

function nameOf(name: string | null): string {
  return name === null ? "an attachment without a name" : `attachment ${toShown(name)}`;
}
