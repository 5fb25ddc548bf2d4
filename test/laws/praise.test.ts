// No line of praise that another line contradicts: what a report praises, no check of the same report finds fault with.

import { expect, test } from "vitest";
import { isAboveInfo, type Judgment } from "../../src/reports/judgment.ts";
import type { Report } from "../../src/reports/report.ts";
import { analyzeMessage } from "../../src/tasks/analyze-message.ts";
import { bases, fixtures, letterOf } from "../fixtures/messages/fixture.ts";
import { gallery, galleryAnalyst, galleryInput } from "../fixtures/messages/gallery.ts";
import { situations } from "../fixtures/messages/quiet.ts";
import { analyze } from "../fixtures/messages/run.ts";
import { allHeaders, families, namesIn, ofAbsence, universalOfHeaders } from "./praise-families.ts";

type Line = { readonly check: string; readonly says: string; readonly id: string };

function praiseIn({ passes, findings }: Judgment): Line[] {
  return [
    ...passes.map(({ check, says }) => ({ check, says, id: `${check}.passed` })),
    ...findings.filter(({ severity }) => severity === "good").flatMap(linesOf),
  ].filter(({ says }) => says !== "");
}

function faultsIn({ findings }: Judgment): Line[] {
  return findings.filter(isAboveInfo).flatMap(linesOf);
}

function linesOf({ check, id, occurrences }: Judgment["findings"][number]): Line[] {
  return occurrences.map(({ title, subject }) => ({ check, id, says: `${title} ${subject ?? ""}` }));
}

/** Each as "praise ↔ fault". */
function contradictionsIn(judgment: Judgment): string[] {
  const faults = faultsIn(judgment);
  return praiseIn(judgment).flatMap((praise) =>
    faults
      .filter((fault) => isOfSameThing(praise, fault))
      .map((fault) => `${praise.id}: ${praise.says} ↔ ${fault.id}: ${fault.says}`),
  );
}

function isOfSameThing(praise: Line, fault: Line): boolean {
  if (praise.check === fault.check || ofAbsence.includes(fault.id)) return false;
  if (universalOfHeaders.includes(praise.check) && allHeaders.test(fault.check)) return true;
  return families.some(
    ({ checks, isSingle }) =>
      checks.test(praise.check) &&
      checks.test(fault.check) &&
      (isSingle || sharesName(namesIn(praise.says), namesIn(fault.says))),
  );
}

function sharesName(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === 0 || other.size === 0 || !one.isDisjointFrom(other);
}

const ofFixtures = Object.entries(bases).map(([name, letter]) => [name, letter] as const);

async function ofGallery(): Promise<(readonly [string, Report])[]> {
  return Promise.all(
    gallery.map(async (prepared) => {
      const { report } = await analyzeMessage(galleryInput(prepared), galleryAnalyst);
      if (report === null) throw new Error(`${prepared.id} was taken for something that is no test.`);
      return [prepared.id, report] as const;
    }),
  );
}

test("no fixture praises what it finds fault with", async () => {
  const letters = [
    ...ofFixtures,
    ...fixtures.map((one) => [`fixture ${one.number}`, letterOf(one)] as const),
    ...situations.map((one) => [one.name, letterOf(one)] as const),
  ];
  const found: string[] = [];
  for (const [name, letter] of letters)
    found.push(...contradictionsIn((await analyze(letter)).judgment).map((one) => `${name}: ${one}`));
  expect(found).toEqual([]);
});

test("no message of the sample gallery does", async () => {
  const reports = await ofGallery();
  expect(
    reports.flatMap(([id, { judgment }]) => contradictionsIn(judgment).map((one) => `${id}: ${one}`)),
  ).toEqual([]);
});
