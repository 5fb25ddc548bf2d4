// The page of a share: without a script, a picture or a remote host, so that it tells nobody who looked at it, and reads
// the same when it is saved. All that is told of the message was masked before (reports/shared-report.ts).

import type { Reference } from "../checks/references.ts";
import type { SharedFinding, SharedPlacement, SharedReport } from "../reports/shared-report.ts";
import { html, staticPagePolicy } from "./docs-page.ts";
import { shareStyle } from "./share-style.ts";

export const sharePageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": staticPagePolicy(shareStyle),
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
};

/** Times are epoch milliseconds. */
export type SharedTest = {
  readonly subject: string | null;
  readonly from: string | null;
  readonly receivedAt: number;
  readonly expiresAt: number;
  readonly redactBody: boolean;
  readonly words: {
    readonly spf: string | null;
    readonly dkim: string | null;
    readonly dmarc: string | null;
  };
  /** Null where there is none yet, or none that this version can read. */
  readonly report: SharedReport | null;
  readonly version: string;
};

export function renderSharePage(test: SharedTest): string {
  const { subject, from, receivedAt, report } = test;
  const leftOut = test.redactBody ? "body and recipients" : "recipients";
  return renderFrame(
    "Shared report",
    `<p class="top"><b>Assay</b> <span class="note">Shared report until ${toDay(test.expiresAt)}, ${leftOut} left out</span></p>
<main>
<h1>${subject === null ? "<i>No subject</i>" : html(subject)}</h1>
<p class="note">${from === null ? "" : `From ${html(from)}, `}received ${toMinute(receivedAt)}</p>
${report ? renderReport(report, test.words) : "<p>There is no report of this message at present.</p>"}
</main>
<footer class="note"><p>Assay ${html(test.version)}</p></footer>`,
  );
}

/** The same for a link that never was and for one that has ended: it tells nothing. */
export function renderInvalidLink(message: string): string {
  return renderFrame("No report here", `<main><h1>No report here</h1><p>${html(message)}</p></main>`);
}

function renderFrame(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${html(title)} · Assay</title>
<style>${shareStyle}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function renderReport(report: SharedReport, words: SharedTest["words"]): string {
  const { score, areas, findings, placement } = report;
  const faults = findings.filter(({ severity }) => severity !== "info");
  const notes = findings.filter(({ severity }) => severity === "info");
  const coverage = `${Math.round(score.coverage * 100)} % of what applies was checked`;
  return `<div class="score"><strong>${score.composite ?? "No score"}</strong>
<span>${score.composite === null ? "" : "of 100"}${score.grade === null ? "" : `, grade ${score.grade}`}</span>
<span class="note">${coverage}</span></div>
<div class="card"><table><tbody>${areas.map(renderArea).join("")}</tbody></table></div>
<h2>Authentication</h2>
<p>${Object.entries(words)
    .map(([name, word]) => `${name.toUpperCase()} <b>${html(word ?? "not known")}</b>`)
    .join(" · ")}</p>
<h2>What to mend</h2>
${faults.length === 0 ? "<p>Nothing was found.</p>" : faults.map(renderFinding).join("\n")}
${notes.length === 0 ? "" : `<h2>Good to know</h2>\n${notes.map(renderFinding).join("\n")}`}
<h2>Placement</h2>
${renderPlacement(placement)}
${renderRest(report)}`;
}

function renderArea({ label, score, weight }: SharedReport["areas"][number]): string {
  const bar = `<svg aria-hidden="true"><rect class="track" width="100%" height="100%" rx="2"/><rect class="fill" width="${score ?? 0}%" height="100%" rx="2"/></svg>`;
  return `<tr><th scope="row">${html(label)} <span class="note">${weight} %</span></th><td class="bar">${bar}</td><td>${score ?? "not checked"}</td></tr>`;
}

function renderFinding({
  severity,
  area,
  title,
  reason,
  fix,
  gain,
  more,
  references,
}: SharedFinding): string {
  const pages = references.map(renderReference).join(", ");
  return `<article class="card">
<p class="severity"><span class="${severity}">${severity}</span> <span class="note">${html(area)}${gain > 0 ? `, +${gain} when mended` : ""}</span></p>
<h3>${renderWords(title)}</h3>
${more > 0 ? `<p class="note">And ${more} more of the same.</p>` : ""}
<p>${renderWords(reason)}</p>
${fix === null ? "" : `<p class="fix"><b>Fix:</b> ${renderWords(fix)}</p>`}
${pages === "" ? "" : `<p class="note">${pages}</p>`}
</article>`;
}

/** What is to be pasted stands between backticks. */
function renderWords(words: string): string {
  return html(words).replace(/`([^`]*)`/g, "<code>$1</code>");
}

function renderReference({ title, url }: Reference): string {
  return url === null ? html(title) : `<a rel="noreferrer noopener" href="${html(url)}">${html(title)}</a>`;
}

function renderPlacement(placement: readonly SharedPlacement[]): string {
  if (placement.length === 0) return "<p>Not known.</p>";
  const rows = placement.map(({ provider, folder, confidence, rules }) => {
    const kept = rules
      ? `${rules.met} of ${rules.total}${rules.unknown > 0 ? `, ${rules.unknown} not checked` : ""}`
      : "";
    const known = confidence === null ? "Seen in a mailbox" : `Predicted, ${Math.round(confidence * 100)} %`;
    return `<tr><th scope="row">${html(provider)}</th><td>${html(folder)}</td><td>${known}</td><td>${kept}</td></tr>`;
  });
  return `<div class="card"><table><thead><tr><th>Provider</th><th>Folder</th><th>How known</th><th>Rules kept</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function renderRest({ passed, skipped }: SharedReport): string {
  const good = passed.map((asks) => `<li>${html(toSentence(asks))}</li>`).join("");
  const open = skipped.map(({ asks, why }) => `<li>${html(`${toSentence(asks)}: ${why}.`)}</li>`).join("");
  return `${open === "" ? "" : `<h2>Not checked</h2>\n<p>It counts neither for nor against.</p>\n<ul>${open}</ul>`}
${good === "" ? "" : `<details><summary>In order: ${passed.length} checks</summary><ul>${good}</ul></details>`}`;
}

function toSentence(asks: string): string {
  return asks.charAt(0).toUpperCase() + asks.slice(1);
}

function toDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

function toMinute(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
