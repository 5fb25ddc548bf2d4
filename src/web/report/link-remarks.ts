// What the table of links says of each, and how many different ones there are.

import type { TestReport } from "../../api/tests.ts";
import { tones } from "../parts/tone.tsx";
import type { Eml } from "./content.tsx";
import type { Remark } from "./listing.tsx";

type Link = Eml["links"][number];

/** The text part repeats the links of the HTML, with or without the scheme: that makes no further link. */
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
            text: name === null ? `Counts clicks through ${host}.` : `Goes through ${name}.`,
          },
        ]),
    ...(place === "text" ? [{ tone: "info" as const, text: "In the plain-text part." }] : []),
  ];
}

/**
 * As bad as the finding about this link. Not each link has its own: the finding of the check then stands for all, but for
 * what a text shows, which the check finds misleading with some links alone.
 */
function toTone(
  { href }: Link,
  check: string,
  findings: NonNullable<TestReport["findings"]>,
): Remark["tone"] {
  const raised = findings.filter((one) => one.check === check && one.severity !== "good");
  const about = raised.filter(({ occurrences }) =>
    occurrences.some(({ evidence }) => hrefIn(evidence) === href),
  );
  const meant = about.length > 0 || check === "link-text" ? about : raised;
  const told = new Set<string>(meant.map(({ severity }) => severity));
  return tones.find((tone) => told.has(tone)) ?? "info";
}

function hrefIn({ href, link }: Readonly<Record<string, unknown>>): unknown {
  return typeof link === "object" && link !== null && "href" in link ? link.href : href;
}
