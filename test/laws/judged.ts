// A letter as it is judged, for laws about the score.

import { analyzeMessage } from "../../src/analyzer/analyze-message.ts";
import type { Kind } from "../../src/analyzer/checks/kind.ts";
import type { Volume } from "../../src/analyzer/checks/volume.ts";
import { createZoneDns } from "../../src/analyzer/dns/zone.ts";
import type { Judgment } from "../../src/analyzer/reports/judgment.ts";
import type { Letter } from "../fixtures/messages/letter.ts";
import { analystWith, circumstances, inputOf } from "../fixtures/messages/run.ts";

export type Said = { readonly kind: Kind | null; readonly volume?: Volume };

export async function judge(letter: Letter, { kind, volume = null }: Said): Promise<Judgment> {
  const said = { ...circumstances, kindOverride: kind, volume };
  const input = { ...inputOf(letter), circumstances: said };
  const { report } = await analyzeMessage(input, analystWith(createZoneDns(letter.zone)));
  if (report === null) throw new Error("The letter was taken for something that is no test.");
  return report.judgment;
}

export const scoreOf = ({ score }: Judgment) => score.composite ?? 0;
