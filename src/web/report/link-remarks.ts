// The remarks on each link in the table, and the number of different links.

import type { TestReport } from "../../features/tests/contract/tests.ts";
import { tones } from "../parts/tone.tsx";
import type { Eml } from "./content.tsx";
import type { Remark } from "./listing.tsx";

type Link = Eml["links"][number];

/** The plain-text part often repeats links of the HTML, with or without the scheme. These count once. */
export function countDifferent(links: readonly Link[]): number {
  return new Set(links.map(({ href }) => href.trim().replace(/^(?:https?:)?\/\//i, ""))).size;
}

export function toLinkRemarks(link: Link, findings: TestReport["findings"]): Remark[] {
  const { host, place, redirector, warnings, warning_checks: checks } = link;
  const name = redirector?.name ?? null;
  const isNamed = name !== null && warnings.some((says) => says.includes(name));
  return [
    ...warnings.map((text, at) => ({ tone: toTone(link, checks[at] ?? "", findings ?? []), text })),
    ...(redirector === null || isNamed
      ? []
      : [
          {
            tone: "info" as const,
            text: name === null ? `Click tracking through ${host}.` : `Redirects through ${name}.`,
          },
        ]),
    ...(place === "text" ? [{ tone: "info" as const, text: "In the plain-text part." }] : []),
  ];
}

/**
 * The severity of the finding about this link. If no finding names the link, the check's worst finding is used. The
 * link-text check is an exception, because it only concerns the links that it names.
 */
function toTone({ href }: Link, check: string, findings: NonNullable<TestReport["findings"]>): Remark["tone"] {
  const raised = findings.filter((one) => one.check === check && one.severity !== "good");
  const about = raised.filter(({ occurrences }) => occurrences.some(({ evidence }) => hrefIn(evidence) === href));
  const meant = about.length > 0 || check === "link-text" ? about : raised;
  const told = new Set<string>(meant.map(({ severity }) => severity));
  return tones.find((tone) => told.has(tone)) ?? "info";
}

function hrefIn({ href, link }: Readonly<Record<string, unknown>>): unknown {
  return typeof link === "object" && link !== null && "href" in link ? link.href : href;
}
