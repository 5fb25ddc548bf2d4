// Where each large provider would put a message and how many of its rules it keeps, for a person.

import { toReach, toVolumeBasis } from "../api/volume-words.ts";
import { toProviderName } from "../checks/provider-names.ts";
import type { Tally } from "../checks/tally.ts";
import type { Prediction, Reason } from "../placement/provider.ts";
import type { Judgment } from "../reports/judgment.ts";
import { indent, toParagraph } from "./paragraph.ts";
import type { Style, Tone } from "./style.ts";

const folderTones: Readonly<Record<Prediction["folder"], Tone>> = {
  inbox: "good",
  promotions: "good",
  spam: "major",
  rejected: "critical",
};
const nameWidth = 15;
const folderWidth = 10;
const askVolume =
  "The answers differ by how much you send. Give --volume small (fewer than 5,000 a day to any one provider) or --volume large to see the one that applies.";
const heading = "Where it would land: predicted from published rules, not seen";

export function toProviderLines(
  { placement, tallies, kind, volume = null }: Judgment,
  style: Style,
): string[] {
  if (placement === null) return [];
  const toLines = (prediction: Prediction) => {
    const tally = tallies.find(({ provider }) => provider === prediction.provider);
    return toPrediction(prediction, tally, style);
  };
  const faint = (text: string) =>
    toParagraph(text, indent(2), style).map((line) => style.paint("faint", line));
  return [
    ...toParagraph(heading, indent(0), style).map((line) => style.paint("strong", line)),
    ...(volume !== null && kind?.kind === "bulk" ? faint(toVolumeBasis(volume)) : []),
    ...placement.predictions.flatMap(toLines),
    ...(placement.predictions.some(({ ifLarge }) => ifLarge) ? faint(askVolume) : []),
  ];
}

function toPrediction(prediction: Prediction, tally: Tally | undefined, style: Style): string[] {
  const { provider, folder, confidence, ifLarge } = prediction;
  const name = toProviderName(provider).padEnd(nameWidth);
  const landing = style.paint(folderTones[folder], folder.padEnd(folderWidth));
  const lead = { text: `  ${name}  ${landing}  `, width: nameWidth + folderWidth + 6 };
  const sure = `${Math.round(confidence * 100)} % sure`;
  const why = folder === "inbox" || folder === "promotions" ? null : prediction.reasons.find(isTelling);
  return [
    ...toParagraph(tally ? `${sure}; ${toTallyText(tally)}` : sure, lead, style),
    ...(why ? toParagraph(why.text, indent(4), style) : []),
    ...(ifLarge ? toParagraph(toLargeText(provider, ifLarge), indent(4), style) : []),
  ];
}

function toLargeText(provider: string, { folder, reasons }: NonNullable<Prediction["ifLarge"]>): string {
  const where = folder === "rejected" ? "rejected" : `in ${folder}`;
  return [`Likely ${where} ${toReach(provider)}.`, ...reasons.slice(0, 1).map(({ text }) => text)].join(" ");
}

function isTelling({ points }: Reason): boolean {
  return points === null || points > 0;
}

function toTallyText({ items }: Tally): string {
  const count = (standing: Tally["items"][number]["standing"]) =>
    items.filter((one) => one.standing === standing).length;
  const unknown = count("unknown");
  const kept = `${count("met")} of ${count("met") + count("not-met")} rules kept`;
  return unknown === 0 ? kept : `${kept}, ${unknown} not checked`;
}
