// What a report did not look at because a message goes beyond what is read of one, in plain sentences.

import type { Cut } from "../mail/mime-bounds.ts";

type Words = { readonly thing: string; readonly unit: "bytes" | "" };

const words: Readonly<Record<Cut["what"], Words>> = {
  headerBytes: { thing: "the header section", unit: "bytes" },
  headerFields: { thing: "header fields", unit: "" },
  fieldBytes: { thing: "a header field", unit: "bytes" },
  partHeaderBytes: { thing: "the header section of a part", unit: "bytes" },
  allPartHeaderBytes: { thing: "the header sections of all parts", unit: "bytes" },
  parts: { thing: "parts", unit: "" },
  nesting: { thing: "levels of parts inside one another", unit: "" },
  delimiters: { thing: "lines that may part the message", unit: "" },
  boundaryLength: { thing: "a boundary", unit: "bytes" },
  parameterBytes: { thing: "the parameters of a header field", unit: "bytes" },
  htmlBytes: { thing: "the HTML", unit: "bytes" },
  textBytes: { thing: "the text", unit: "bytes" },
  mailboxes: { thing: "addresses of a header field", unit: "" },
  faults: { thing: "faults", unit: "" },
  attachments: { thing: "attachments", unit: "" },
  archiveEntries: { thing: "files of an archive", unit: "" },
  inflatedBytes: { thing: "a compressed file", unit: "bytes" },
};

export function toShortened(cuts: readonly Cut[]): string[] {
  return cuts.map(({ what, bound, actual }) => {
    const { thing, unit } = words[what];
    const all = actual === null ? "" : ` of ${actual}`;
    return unit === "bytes"
      ? `Only the first ${bound} bytes${all} of ${thing} were read.`
      : `Only the first ${bound}${all} ${thing} were read.`;
  });
}
