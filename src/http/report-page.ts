// A report that stands alone: what a share shows, and what a saved report begins with. Without a script, a picture or a
// remote host, so that it tells nobody who looked at it and reads the same when it is saved.

import { toCapWords } from "../api/gate-words.ts";
import { leastCoverage, toneOfScore } from "../api/grade-words.ts";
import { toTypeCaution } from "../api/kind-words.ts";
import { toFixWords } from "../api/note-words.ts";
import { type Tone, toPercent, toSentence } from "../api/plain-words.ts";
import { isSenderOpen, type Phrase, toVerdict } from "../api/verdict-words.ts";
import type { Reference } from "../checks/references.ts";
import type { SharedFinding, SharedPlacement, SharedReport } from "../reports/shared-report.ts";
import { html } from "./docs-page.ts";
import { renderChip, renderDial, renderIcon, renderSeverity, renderWords, toMinute } from "./report-parts.ts";

type ResultWords = Readonly<Record<"spf" | "dkim" | "dmarc", string | null>>;

/** Times are epoch milliseconds. */
export type ShownTest = {
  readonly subject: string | null;
  readonly from: string | null;
  readonly receivedAt: number;
  readonly words: ResultWords;
  /** Null where there is none yet, or none that this version can read. */
  readonly report: SharedReport | null;
};

/** What only a saved report has, in the place where it belongs; HTML. */
export type Additions = {
  readonly evidenceOf: (finding: SharedFinding) => string;
  readonly authentication: string;
  /** Instead of the bare results, where it is known whom they belong to; null: they are shown. */
  readonly chips: string | null;
  /** Whole sections. */
  readonly sections: string;
};

const nothingMore: Additions = { evidenceOf: () => "", authentication: "", chips: null, sections: "" };

export function renderTop(kept: string): string {
  return `<header class="top"><span class="brand">${renderIcon("logo")}Assay</span><span class="note">${html(kept)}</span></header>`;
}

export function renderReport(test: ShownTest, additions: Additions = nothingMore): string {
  const { report } = test;
  if (report === null)
    return `${renderWho(test)}<h1 class="verdict">There is no report of this message at present.</h1>`;
  const { findings, placement } = report;
  const roots = findings.filter(({ ownedBy }) => ownedBy === null);
  const faults = roots.filter(({ severity }) => severity !== "info" && severity !== "good");
  const notes = roots.filter(({ severity }) => severity === "info");
  const renderOne = (finding: SharedFinding, index: number) =>
    renderFinding(finding, {
      capWords: finding.step && toCapWords(finding.step, report.held?.at ?? null),
      isOpen: index === 0 && finding === faults[0],
      evidence: additions.evidenceOf(finding),
      followers: findings.filter(({ ownedBy }) => ownedBy === finding.id),
    });
  return `${renderWho(test)}
<div class="hero">${renderScore(report)}
${renderVerdict(toVerdict(toJudged(report, faults, test)))}</div>
${renderAreas(report)}
${renderContents(report, additions)}
<section id="fix"><h2>${faults.length === 0 ? "Nothing to mend" : "Fix first"}</h2>
${faults.map(renderOne).join("\n")}
${notes.length === 0 ? "" : `<details class="more"><summary>Good to know: ${notes.length}</summary>\n${notes.map(renderOne).join("\n")}</details>`}
</section>
<section id="placement"><h2>Placement</h2>
<p class="lead">Observed in a mailbox, or predicted from provider rules and so only likely.</p>
${renderPlacement(placement)}</section>
<section id="authentication"><h2>Authentication</h2>
<p class="chips">${additions.chips ?? renderResultWords(test.words)}</p>${additions.authentication}</section>
${additions.sections}
${renderRest(report)}`;
}

function renderWho({ subject, from, receivedAt }: ShownTest): string {
  const said = subject?.trim() ? `<bdi>${html(subject)}</bdi>` : "No subject";
  const sender = from?.trim() ? `<span>from <bdi>${html(from)}</bdi></span>` : "";
  return `<p class="who"><strong>${said}</strong>${sender}<span>received ${toMinute(receivedAt)}</span></p>`;
}

function toJudged(
  report: SharedReport,
  issues: readonly SharedFinding[],
  { words }: ShownTest,
): Parameters<typeof toVerdict>[0] {
  return {
    placed: report.placement.map(({ id, folder, ifLarge, confidence }) => ({
      ...{ provider: id, folder, ifLarge },
      isObserved: confidence === null,
    })),
    issues,
    deciding: report.deciding,
    isSenderOpen: isSenderOpen(words),
    isWellChecked: report.score.coverage >= leastCoverage,
  };
}

function renderVerdict(phrases: readonly Phrase[]): string {
  return `<h1 class="verdict">${phrases.map((phrase) => `${renderPhrase(phrase)}.`).join(" ")}</h1>`;
}

/** The sign and the first word never part at a line's end. */
function renderPhrase({ tone, text, to }: Phrase): string {
  const [first = "", ...others] = text.split(" ");
  return `<a class="${tone}" href="${to}"><span class="nowrap">${renderIcon(tone)}${html(first)}</span> ${html(others.join(" "))}</a>`;
}

function renderScore({ score, held, type }: SharedReport): string {
  const checked = `<div><dt>Checked</dt><dd>${toPercent(score.coverage)} of what applies${score.grade === null ? ", too little for a grade" : ""}</dd></div>`;
  const holding = held
    ? `<div><dt>Capped at ${held.at}</dt><dd>${held.by === null ? "" : html(held.by)}</dd></div>`
    : "";
  const caution = type && toTypeCaution(type);
  const typed = type
    ? `<div><dt>Type</dt><dd>${type.kind}${caution === null ? "" : `. ${html(caution)}`}</dd></div>`
    : "";
  return `<div class="scorebox">${renderDial(score.composite, score.grade)}<dl>${holding}${checked}${typed}</dl></div>`;
}

function renderAreas({ areas }: SharedReport): string {
  const widest = Math.max(...areas.map(({ weight }) => weight), 1);
  const bars = areas.map(({ label, score: points, weight }) => {
    const track = (weight / widest) * 100;
    return `<div class="cat ${toneOfScore(points)}"><span>${html(label)} <span class="w">${toPercent(weight / 100)}</span></span><svg aria-hidden="true"><rect class="track" width="${track}%" height="100%" rx="2"/><rect class="fill" width="${(track * (points ?? 0)) / 100}%" height="100%" rx="2"/></svg><span class="n">${points ?? '<span class="note">not checked</span>'}</span></div>`;
  });
  return `<div class="card cats">${bars.join("")}</div>`;
}

function renderContents({ skipped }: SharedReport, { sections }: Additions): string {
  const links = [
    ["#fix", "Fix first"],
    ["#placement", "Placement"],
    ["#authentication", "Authentication"],
    ...[...sections.matchAll(/<section id="([a-z]+)"><h2>([A-Za-z ]+)/g)].map(([, id, name]) => [
      `#${id}`,
      name,
    ]),
    ...(skipped.length > 0 ? [["#unchecked", "Not checked"]] : []),
  ];
  if (sections === "") return "";
  return `<nav class="toc" aria-label="Sections">${links.map(([to, name]) => `<a href="${to}">${name}</a>`).join("")}</nav>`;
}

type FindingTerms = {
  readonly isOpen: boolean;
  /** That it holds the score down; null where it does not. */
  readonly capWords: string | null;
  readonly evidence: string;
  readonly followers: readonly SharedFinding[];
};

function renderFinding(
  finding: SharedFinding,
  { isOpen, capWords, evidence, followers }: FindingTerms,
): string {
  const { severity, area, title, summary, reason, fix, gain, records, more, references } = finding;
  const where = `${html(area)}${more > 0 ? ` · and ${more} more of the same` : ""}`;
  const parts = [
    toPart("Why", `<p>${renderWords(reason)}</p>${capWords === null ? "" : `<p>${html(capWords)}</p>`}`),
    evidence === "" ? "" : toPart("Evidence", evidence),
    fix === null ? "" : toPart("Fix", renderFix(fix, records)),
    followers.length === 0
      ? ""
      : toPart(
          "With it",
          `<ul>${followers.map(({ title: also }) => `<li>${html(also)}</li>`).join("")}</ul>`,
        ),
    references.length === 0
      ? ""
      : toPart("Source", `<p class="note">${references.map(renderReference).join(", ")}</p>`),
  ];
  return `<details class="finding ${severity}"${isOpen ? " open" : ""}><summary>${renderSeverity(severity)}<span><h3>${html(title)}</h3>${summary === null ? "" : `<span class="says">${renderWords(summary)}</span>`}<span class="note">${where}</span></span><span class="gain">${gain > 0 ? `+${gain.toFixed(1)}` : ""}</span></summary>
<div class="body">${parts.join("")}</div></details>`;
}

function renderFix(fix: string, records: SharedFinding["records"]): string {
  const rows = records.map(
    ({ name, type, value }) =>
      `<p class="fix">Name <code>${html(name)}</code>, type ${type}, value <code>${html(value)}</code></p>`,
  );
  return `<p class="fix">${renderWords(toFixWords(fix, records))}</p>${rows.join("")}`;
}

function toPart(name: string, content: string): string {
  return `<div class="part"><h4>${name}</h4><div>${content}</div></div>`;
}

function renderReference({ title, url }: Reference): string {
  return url === null ? html(title) : `<a rel="noreferrer noopener" href="${html(url)}">${html(title)}</a>`;
}

const folders: Readonly<Record<SharedPlacement["folder"], { readonly tone: Tone; readonly word: string }>> = {
  inbox: { tone: "good", word: "Inbox" },
  promotions: { tone: "info", word: "Promotions" },
  spam: { tone: "major", word: "Spam" },
  rejected: { tone: "critical", word: "Rejected" },
};

function renderPlacement(placement: readonly SharedPlacement[]): string {
  if (placement.length === 0) return "<p>Not known.</p>";
  const rows = placement.map(({ provider, folder, ifLarge, confidence, rules }) => {
    const kept = rules
      ? `${rules.met} of ${rules.total}${rules.unknown > 0 ? `, ${rules.unknown} not checked` : ""}`
      : "–";
    const known =
      confidence === null
        ? "<span><strong>Observed</strong> in a mailbox</span>"
        : `<span><em>Predicted</em>, confidence ${toPercent(confidence)}</span>`;
    const { tone, word } = folders[folder];
    return `<tr><th scope="row">${html(provider)}</th><td data-l="Folder">${renderSeverity(tone, confidence === null ? word : `Likely ${word.toLowerCase()}`)}${ifLarge === null ? "" : ` <span class="note">${folders[ifLarge].word.toLowerCase()} if you send many messages (Gmail, Outlook.com: 5,000+ a day)</span>`}</td><td data-l="How known">${known}</td><td data-l="Rules kept"><span>${kept}</span></td></tr>`;
  });
  return `<div class="card"><table class="fold"><caption class="vh">Placement</caption><thead><tr><th scope="col">Provider</th><th scope="col">Folder</th><th scope="col">How known</th><th scope="col">Rules kept</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

const tones: Readonly<Record<string, Tone>> = {
  pass: "good",
  fail: "critical",
  permerror: "critical",
  softfail: "major",
  policy: "major",
  neutral: "minor",
  none: "minor",
};

function renderResultWords(words: ResultWords): string {
  return (["spf", "dkim", "dmarc"] as const)
    .map((name) => {
      const word = words[name];
      const tone = word === null ? "unknown" : (tones[word] ?? "unknown");
      return renderChip(tone, `<b>${name.toUpperCase()}</b> ${html(word ?? "not known")}`);
    })
    .join("");
}

function renderRest({ passed, skipped }: SharedReport): string {
  const open = [...Map.groupBy(skipped, ({ why }) => why)].map(
    ([why, all]) =>
      `<p class="unsure"><strong>${html(toSentence(why))}:</strong> ${html(all.map(({ asks }) => asks).join("; "))}.</p>`,
  );
  const good = passed.map((asks) => `<li>${html(toSentence(asks))}</li>`).join("");
  return `${open.length === 0 ? "" : `<section id="unchecked"><h2>Not checked</h2>\n<p class="lead">What is not known counts neither for nor against the message.</p>\n${open.join("\n")}</section>`}
${good === "" ? "" : `<section id="passed"><h2>In order</h2><details class="more"><summary>${passed.length} checks found nothing to mend</summary><ul class="passes">${good}</ul></details></section>`}`;
}
