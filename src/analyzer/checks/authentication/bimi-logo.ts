import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { whyNotTheAuthors } from "./policy-owner.ts";

/** BIMI Group: receivers may ignore larger files. */
const maxLogoBytes = 32_768;

export const bimiLogo = defineCheck({
  id: "bimi-logo",
  helpPage: "fix-bimi",
  label: "BIMI logo",
  owner: "content",
  asks: "whether the logo file is valid",
  why: "A single forbidden element can keep providers from showing the logo.",
  refs: ["draft-svg-tiny-ps-abrotman", "BIMI Group: creating BIMI SVG logo files"],
  needs: ["bimi"],
  wants: ["kind"],
  passes: "The logo at {url} is SVG Tiny PS ({bytes} bytes).",
  findings: {
    "not-found": {
      severity: "minor",
      cost: 3,
      title: "BIMI logo not found",
      says: "The logo at {url} could not be fetched ({status}).",
      fix: "Serve the SVG at {url} as image/svg+xml.",
    },
    invalid: {
      severity: "minor",
      cost: 3,
      title: "Invalid BIMI logo",
      says: "The logo at {url} is not SVG Tiny PS: {problem}.",
      fix: 'Re-export the logo as SVG Tiny 1.2 with `version="1.2" baseProfile="tiny-ps"` and a `<title>`.',
    },
    "too-large": {
      severity: "minor",
      cost: 3,
      title: "BIMI logo too large",
      says: "The logo at {url} is too large ({bytes} bytes). The limit is 32,768 bytes.",
      fix: "Simplify the paths in the file, and remove metadata.",
    },
  },
  run({ bimi, kind }) {
    const { domain, result, l, logo } = bimi;
    if (result === "temperror") return skipped("timeout");
    const notTheirs = domain && whyNotTheAuthors(domain, kind);
    if (notTheirs) return notApplicable(notTheirs);
    if (l === null) return notApplicable("No BIMI record points to a logo.");
    if (!logo.known) return skipped(logo.why);
    const { url, status, bytes, problem } = logo.value;
    // A server error may be gone in an hour.
    if (status !== null && status >= 500) return skipped("refused");
    if (status === null || status < 200 || status > 299)
      return [{ finding: "not-found", data: { url, status: status ?? problem ?? "no response" } }];
    if (bytes === null) return [{ finding: "too-large", data: { url, bytes: "far too many" } }];
    if (bytes > maxLogoBytes) return [{ finding: "too-large", data: { url, bytes } }];
    if (problem !== null) return [{ finding: "invalid", data: { url, problem } }];
    return passed({ url, bytes });
  },
});
