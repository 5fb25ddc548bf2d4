// The words for a second reading, the same in the app and in the terminal.

import type { ComparedThing, ComparisonOutcome, SecondReadingOutcome } from "../reports/second-reading.ts";

export const thingLabels: Readonly<Record<ComparedThing, string>> = {
  spf: "SPF",
  dkim: "DKIM",
  arc: "ARC",
  dmarc: "DMARC",
  alignment: "Alignment",
  from: "From",
  subject: "Subject",
  date: "Date",
  text: "Text",
  html: "HTML",
  attachments: "Attachments",
  links: "Links",
};

export const comparisonWords: Readonly<Record<ComparisonOutcome, string>> = {
  agrees: "Same",
  explained: "Differs, explained",
  differs: "Differs",
  "not-compared": "Not compared",
};

export const readingHeadlines: Readonly<Record<SecondReadingOutcome, string>> = {
  agree: "Two independent readers agree.",
  explained: "Two independent readers agree, apart from known differences.",
  differ: "Two readers disagree about this message.",
  partly: "A mail library could not read this message.",
};

export const blameWords = {
  message: "The message can be read in two ways",
  choice: "The standards leave a choice",
  library: "Known difference of the library",
  unknown: "No known reason",
} as const;

export const scoreNote = "Found after the report, so it doesn't change the score.";
