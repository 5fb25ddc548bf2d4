// The readable page at /docs/checks: every check and finding, and how points become a score. A report links to a finding
// by its id, so each id is an anchor here.

import { type Catalogue, type CheckEntry, listChecks, type RulesOfProvider } from "../api/checks.ts";
import { readDocs } from "../api/documents.ts";
import { kinds } from "../checks/kind.ts";
import { toProviderName } from "../checks/provider-names.ts";
import { html, renderPage, renderTable } from "./docs-page.ts";
import { renderPredictions } from "./prediction-section.ts";
import { renderScoring } from "./scoring-section.ts";

export function renderChecks(catalogue: Catalogue): string {
  const { checks, scoring, providers } = catalogue;
  const findings = checks.flatMap((check) => check.findings);
  const areas = scoring.areas.map(({ id, label, weight }) => {
    const own = checks.filter(({ area }) => area === id);
    const count = own.reduce((sum, check) => sum + check.findings.length, 0);
    return `<section><h2 id="area-${id}">${html(label)}</h2>
<p>Weight ${Math.round(weight * 100)} of 100; ${own.length} checks with ${count} findings.</p>
${own.map(renderCheck).join("\n")}
</section>`;
  });
  const links = scoring.areas.map(({ id, label }) => `<a href="#area-${id}">${html(label)}</a>`);
  return renderPage({
    title: "Assay: all checks",
    heading: `${checks.length} checks with ${findings.length} findings`,
    intro: `For programs: <a href="${listChecks.path}">${listChecks.path}</a>; the <a href="${readDocs.path}">REST interface</a>.<br>
<a href="#score">How the score is made</a>, <a href="#predictions">how sure a prediction is</a>, <a href="#providers">rules of mailbox providers</a>, and the checks: ${links.join(", ")}.`,
    main: [renderScoring(catalogue), renderPredictions(), renderProviders(providers), ...areas].join("\n"),
  });
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
  findings,
}: CheckEntry): string {
  const pages = references.map(({ title, url }) =>
    url === null ? html(title) : `<a href="${html(url)}">${html(title)}</a>`,
  );
  const asked = [...(on.message ? [toMailWords(mail)] : []), ...(on.domain ? ["bare domains"] : [])];
  return `<article id="${html(id)}">
<h3><a href="#${html(id)}">${html(id)}</a></h3>
<p>Asks ${renderWords(asks)}. ${renderWords(why)}</p>
<p class="note">Asked of ${html(asked.join(" and of "))}. ${stake === 0 ? "Never costs points." : `Stake: ${stake} points.`} ${pages.join(", ")}.</p>
${passes === "" ? "" : `<div class="finding" id="${html(id)}.passed"><p class="note">Passed</p><p>${renderWords(passes)}</p></div>`}
${findings.map(renderFinding).join("\n")}
</article>`;
}

function toMailWords(mail: CheckEntry["kinds"]): string {
  return mail.length === kinds.length ? "any mail" : `${mail.join(", ")} mail`;
}

function renderFinding({ id, severity, cost, says, fix, gates }: CheckEntry["findings"][number]): string {
  const points = cost === 0 ? "no points" : `${cost} points`;
  const told = gates.map((gate) => `<li>${renderGate(gate)}</li>`);
  return `<div class="finding" id="${html(id)}">
<p><a href="#${html(id)}"><code>${html(id)}</code></a> <span class="note"><b>${severity}</b>, ${points}</span></p>
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
  return `${html(who)}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}: <code>${html(reply)}</code>`;
}

function renderProviders(providers: readonly RulesOfProvider[]): string {
  const tables = providers.map(({ provider, rules, unseen }) => {
    const rows = rules.map((rule) => [
      `<code id="${html(rule.rule)}">${html(rule.rule)}</code>${rule.sender === "bulk" ? "<br>bulk senders" : ""}`,
      `${html(rule.asks)}${rule.in_place_of === null ? "" : ` In place of <code>${html(rule.in_place_of)}</code>.`}`,
      rule.explained_by.map(toPatternLink).join(", "),
    ]);
    return `<article><h3>${html(toProviderName(provider))}</h3>
${renderTable(["Rule", "Asks", "Broken by"], rows)}
<p>Judged by it too, and not to be seen in one message:</p>
<ul>${unseen.map((line) => `<li>${html(line)}</li>`).join("")}</ul></article>`;
  });
  return `<section><h2 id="providers">Rules of mailbox providers</h2>
<p>How many of them a message keeps takes no points: the findings that tell of a breach do. A rule for bulk senders is
asked of bulk mail; one that rests on something unknown counts neither as kept nor as broken.</p>
${tables.join("\n")}
</section>`;
}

function toPatternLink(pattern: string): string {
  const anchor = pattern.endsWith(".*") ? pattern.slice(0, -2) : pattern;
  const code = `<code>${html(pattern)}</code>`;
  return anchor.endsWith("*") ? code : `<a href="#${html(anchor)}">${code}</a>`;
}

/** HTML: what is filled in stands slanted, what is left out where it does not apply stands apart. */
function renderWords(words: string): string {
  return html(words)
    .replaceAll("]][[", "]] [[")
    .replace(/`([^`]*)`/g, "<code>$1</code>")
    .replaceAll("[[", '<span class="optional">')
    .replaceAll("]]", "</span>")
    .replace(/\{(\w+)\}/g, "<var>$1</var>");
}
