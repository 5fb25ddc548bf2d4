// How the score is made, in words whose every number is one of the tables that make it.

import type { Catalogue, Scoring } from "../api/checks.ts";
import { toProviderName } from "../checks/provider-names.ts";
import { html, renderTable } from "./docs-page.ts";

export function renderScoring({ checks, scoring }: Catalogue): string {
  const { areas, ceilings, caps, grades } = scoring;
  const large = scoring.large_providers.map(toProviderName).join(", ");
  return `<section><h2 id="score">How the score is made</h2>
<ol>
${stepsOf(scoring)
  .map((step) => `<li>${step}</li>`)
  .join("\n")}
</ol>
<p>In the sentences below, what stands <var>slanted</var> is filled in from the evidence, and what is
<span class="optional">underlined with dots</span> is said only where it applies.</p>
<article><h3 id="weights">Areas</h3>
${renderTable(
  ["Area", "Weight", "Checks"],
  areas.map(({ id, label, weight }) => [
    `<a href="#area-${id}">${html(label)}</a>`,
    `${Math.round(weight * 100)}`,
    `${checks.filter(({ area }) => area === id).length}`,
  ]),
)}</article>
<article><h3 id="ceilings">Ceilings</h3>
${renderTable(["Found", "The score is at most"], ceilingRows(ceilings))}</article>
<article><h3 id="caps">Caps</h3>
${renderTable(
  ["Found", "The score is at most"],
  caps.map((cap) => toCapRow(cap, large)),
)}</article>
<article><h3 id="grades">Grades</h3>
${renderTable(
  ["Grade", "From"],
  grades.map(({ grade, from }) => [grade, `${from}`]),
)}</article>
</section>`;
}

function stepsOf({ repeat_divisor: divisor, max_stakes: stakes, wording }: Scoring): string[] {
  return [
    `Each finding costs points of the 100 of its area. The same fault of several things costs its points once, and each
further one 1/${divisor} of the one before it. All findings of one check together cost at most ${stakes} times its stake,
which is the cost of its dearest finding. The area's score is what is left, never below 0.`,
    `Wording is weak evidence: ${wording.checks.map(toLink).join(" and ")} together cost at most ${wording.max_cost}
points, ${toLink(wording.exempt)} left out.`,
    `A finding that follows from another costs nothing: one cause is punished once.`,
    `The coverage of an area is the stakes of the checks that could be made, of all that apply. What could not be checked
is never a fault and never a pass: it only counts for less.`,
    `The mean of the areas is weighted by weight and coverage. An area in which nothing could be checked is left out.`,
    `The score is that mean, or the lowest ceiling or cap where one lies below it; the report names what holds it.`,
  ];
}

function ceilingRows({ critical, major, least }: Scoring["ceilings"]): string[][] {
  return [
    ["A critical finding that costs points", `${critical.value}`],
    ["… each further critical one", `${critical.each_further} less`],
    ["… each major one beside", `${critical.each_major} less`],
    ["A major finding that costs points, and no critical one", `${major.value}`],
    ["… each further major one", `${major.each_further} less`],
    ["Never less than", `${least}`],
  ];
}

function toCapRow(
  { value, findings, refused_to: sender, except }: Scoring["caps"][number],
  large: string,
): string[] {
  if (findings !== null) return [findings.map(toLink).join(", "), `${value}`];
  const mail =
    sender === "bulk"
      ? "bulk mail (not of a workspace that sends fewer than 5,000 messages a day to any one provider)"
      : "any mail";
  return [
    `A finding for which one of these refuses ${mail} for good: ${html(large)}. Left out: ${except.map(toLink).join(", ")}.`,
    `${value}`,
  ];
}

function toLink(id: string): string {
  return `<a href="#${html(id)}"><code>${html(id)}</code></a>`;
}
