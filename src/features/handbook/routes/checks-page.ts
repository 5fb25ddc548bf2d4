// The page at /docs/checks: every check and finding, and how points become a score. Reports link to findings by ID, so
// every ID is an anchor.

import { toProviderName } from "../../../analyzer/checks/gate-reply.ts";
import { kinds } from "../../../analyzer/checks/kind.ts";
import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import { readChecksPage } from "../../../platform/contract/docs-pages.ts";
import { type Catalogue, type CheckEntry, listChecks, type RulesOfProvider, type Scoring } from "../contract.ts";
import { type DocsPage, renderTable } from "./docs-page.ts";
import { renderPredictions } from "./prediction-section.ts";

export function renderChecks(catalogue: Catalogue): DocsPage {
  const { checks, scoring, providers } = catalogue;
  const findings = checks.flatMap((check) => check.findings);
  const areas = scoring.areas.map(({ id, label, weight }) => {
    const own = checks.filter(({ area }) => area === id);
    const count = own.reduce((sum, check) => sum + check.findings.length, 0);
    return `<section><h2 id="area-${id}">${escapeMarkup(label)}</h2>
<p>Weight: ${Math.round(weight * 100)} of 100. ${own.length} checks with ${count} findings.</p>
${own.map(renderCheck).join("\n")}
</section>`;
  });
  return {
    title: "All checks",
    description: "Every check and finding with its points, how the score is calculated, and mailbox provider rules.",
    path: readChecksPage.path,
    contents: [
      { anchor: "score", text: "How the score is calculated" },
      { anchor: "predictions", text: "How certain are predictions?" },
      { anchor: "providers", text: "Mailbox provider rules" },
      ...scoring.areas.map(({ id, label }) => ({ anchor: `area-${id}`, text: label })),
    ],
    main: [
      `<h1>All checks</h1>
<p class="lead">${checks.length} checks with ${findings.length} findings. As JSON: <a href="${listChecks.path}"><code>${listChecks.path}</code></a>.</p>`,
      renderScoring(catalogue),
      renderPredictions(),
      renderProviders(providers),
      ...areas,
    ].join("\n"),
  };
}

function renderCheck({
  id,
  asks,
  why,
  kinds: mail,
  on,
  stake,
  passes,
  references,
  help,
  findings,
}: CheckEntry): string {
  const pages = references.map(({ title, url }) =>
    url === null ? escapeMarkup(title) : `<a href="${escapeMarkup(url)}">${escapeMarkup(title)}</a>`,
  );
  const asked = [...(on.message ? [toMailWords(mail)] : []), ...(on.domain ? ["monitored domains"] : [])];
  return `<article id="${escapeMarkup(id)}">
<h3><a href="#${escapeMarkup(id)}">${escapeMarkup(id)}</a></h3>
<p>Checks ${renderWords(asks)}. ${renderWords(why)}</p>
<p class="note">Applies to ${escapeMarkup(asked.join(" and "))}. ${stake === 0 ? "Never costs points." : `Stake: ${stake} points.`} ${pages.join(", ")}. <a href="${help}">How to fix</a></p>
${passes === "" ? "" : `<div class="finding" id="${escapeMarkup(id)}.passed"><p class="note">Passed</p><p>${renderWords(passes)}</p></div>`}
${findings.map(renderFinding).join("\n")}
</article>`;
}

function toMailWords(mail: CheckEntry["kinds"]): string {
  return mail.length === kinds.length ? "all mail" : `${mail.join(", ")} mail`;
}

function renderFinding({ id, severity, cost, says, fix, gates }: CheckEntry["findings"][number]): string {
  const points = cost === 0 ? "no points" : `${cost} points`;
  const told = gates.map((gate) => `<li>${renderGate(gate)}</li>`);
  return `<div class="finding" id="${escapeMarkup(id)}">
<p><a href="#${escapeMarkup(id)}"><code>${escapeMarkup(id)}</code></a> <span class="note"><b>${severity}</b>, ${points}</span></p>
<p>${renderWords(says)}</p>
${fix === null ? "" : `<p><span class="note">Fix:</span> ${renderWords(fix)}</p>`}
${told.length === 0 ? "" : `<ul class="note">${told.join("")}</ul>`}
</div>`;
}

type Gate = CheckEntry["findings"][number]["gates"][number];

function renderGate({ provider, sender, reply, may, conditional }: Gate): string {
  const notes = [
    ...(sender === "bulk" ? ["bulk senders"] : []),
    ...(may ? ["at its discretion"] : []),
    ...(conditional ? ["in some cases"] : []),
  ];
  const who = toProviderName(provider);
  return `${escapeMarkup(who)}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}: <code>${escapeMarkup(reply)}</code>`;
}

function renderProviders(providers: readonly RulesOfProvider[]): string {
  const tables = providers.map(({ provider, rules, unseen }) => {
    const rows = rules.map((rule) => [
      `<code id="${escapeMarkup(rule.rule)}">${escapeMarkup(rule.rule)}</code>${rule.sender === "bulk" ? "<br>bulk senders" : ""}`,
      `${escapeMarkup(rule.asks)}${rule.in_place_of === null ? "" : ` Replaces <code>${escapeMarkup(rule.in_place_of)}</code>.`}`,
      rule.explained_by.map(toPatternLink).join(", "),
    ]);
    return `<article><h3>${escapeMarkup(toProviderName(provider))}</h3>
${renderTable(["Rule", "Requires", "Broken by"], rows)}
<p>The provider also considers what a single message can't show:</p>
<ul>${unseen.map((line) => `<li>${escapeMarkup(line)}</li>`).join("")}</ul></article>`;
  });
  return `<section><h2 id="providers">Mailbox provider rules</h2>
<p>Reports count how many of these rules a message follows. The count itself doesn't cost points, but the findings do. Rules for
bulk senders apply to bulk mail. A rule that depends on something unknown counts neither as followed nor as broken.</p>
${tables.join("\n")}
</section>`;
}

function toPatternLink(pattern: string): string {
  const anchor = pattern.endsWith(".*") ? pattern.slice(0, -2) : pattern;
  const code = `<code>${escapeMarkup(pattern)}</code>`;
  return anchor.endsWith("*") ? code : `<a href="#${escapeMarkup(anchor)}">${code}</a>`;
}

/** As HTML. Values filled in are in italics, and text that may be left out is marked. */
function renderWords(words: string): string {
  return escapeMarkup(words)
    .replaceAll("]][[", "]] [[")
    .replace(/`([^`]*)`/g, "<code>$1</code>")
    .replaceAll("[[", '<span class="optional">')
    .replaceAll("]]", "</span>")
    .replace(/\{(\w+)\}/g, "<var>$1</var>");
}

// How the score is calculated. Every number comes from the tables that calculate it.

function renderScoring({ checks, scoring }: Catalogue): string {
  const { areas, ceilings, caps, grades } = scoring;
  const large = scoring.large_providers.map(toProviderName).join(", ");
  return `<section><h2 id="score">How the score is calculated</h2>
<ol>
${stepsOf(scoring)
  .map((step) => `<li>${step}</li>`)
  .join("\n")}
</ol>
<p>In the sentences below, words in <var>italics</var> are replaced with values from the evidence. Parts
<span class="optional">underlined with dots</span> appear only when they apply.</p>
<article><h3 id="weights">Areas</h3>
${renderTable(
  ["Area", "Weight", "Checks"],
  areas.map(({ id, label, weight }) => [
    `<a href="#area-${id}">${escapeMarkup(label)}</a>`,
    `${Math.round(weight * 100)}`,
    `${checks.filter(({ area }) => area === id).length}`,
  ]),
)}</article>
<article><h3 id="ceilings">Ceilings</h3>
${renderTable(["Finding", "Maximum score"], ceilingRows(ceilings))}</article>
<article><h3 id="caps">Mail that providers reject</h3>
${renderTable(
  ["Finding", "Maximum score"],
  caps.map((cap) => toCapRow(cap, large)),
)}</article>
<article><h3 id="grades">Grades</h3>
${renderTable(
  ["Grade", "Minimum score"],
  grades.map(({ grade, from }) => [grade, `${from}`]),
)}</article>
</section>`;
}

function stepsOf({ repeat_divisor: divisor, max_stakes: stakes, wording }: Scoring): string[] {
  return [
    `Each area starts at 100, and each finding deducts points. If the same finding occurs several times, the first occurrence
costs the full number of points, and each additional one costs 1/${divisor} as much as the one before it. Together, a check's findings cost at most ${stakes} times
the check's stake (the cost of its most expensive finding). An area never goes below 0.`,
    `Wording is weak evidence, so ${wording.checks.map(toLink).join(" and ")} together cost at most ${wording.max_cost}
points, except ${toLink(wording.exempt)}.`,
    `A finding that follows from another one costs nothing, so that each cause counts only once.`,
    `An area's coverage is the share of its applicable checks that could be completed, weighted by stake. Checks that
couldn't be completed neither pass nor fail. They only lower the area's weight.`,
    `The areas are averaged by weight and coverage. An area where nothing could be checked is left out.`,
    `The score is that average, or the lowest limit below if one is lower.`,
  ];
}

function ceilingRows({ critical, major, least }: Scoring["ceilings"]): string[][] {
  return [
    ["One critical finding that costs points", `${critical.value}`],
    ["Each additional critical finding", `${critical.each_further} less`],
    ["Each major finding on top of that", `${critical.each_major} less`],
    ["One major finding that costs points, with no critical finding", `${major.value}`],
    ["Each additional major finding", `${major.each_further} less`],
    ["Never below", `${least}`],
  ];
}

function toCapRow({ value, findings, refused_to: sender, except }: Scoring["caps"][number], large: string): string[] {
  if (findings !== null) return [findings.map(toLink).join(", "), `${value}`];
  const mail =
    sender === "bulk"
      ? "bulk mail (unless the workspace sends fewer than 5,000 messages a day to any one provider)"
      : "any mail";
  return [
    `Any finding for which one of these providers permanently rejects ${mail}: ${escapeMarkup(large)}. Exceptions: ${except.map(toLink).join(", ")}.`,
    `${value}`,
  ];
}

function toLink(id: string): string {
  return `<a href="#${escapeMarkup(id)}"><code>${escapeMarkup(id)}</code></a>`;
}
