// What a saved report has beyond a shared one: what each finding rests on, how a receiver asked, which way the message came,
// and every header, line and answer behind it.

import { type NamedBadge, toBadges } from "../api/authentication-chip-words.ts";
import { toConclusion } from "../api/authentication-conclusion-words.ts";
import { type Step, toSteps } from "../api/authentication-words.ts";
import { type DnsAnswer, groupByName, isUnanswered, toAnswerText } from "../api/dns-words.ts";
import { toEvidenceRows } from "../api/evidence-words.ts";
import { toSentence } from "../api/plain-words.ts";
import type { TestReport } from "../api/tests.ts";
import type { DeliveryTimeline } from "../api/timeline.ts";
import { toDuration as toLongDuration } from "../checks/duration.ts";
import type { SharedFinding } from "../reports/shared-report.ts";
import { html } from "./docs-page.ts";
import type { Additions } from "./report-page.ts";
import { renderChip, toMinute } from "./report-parts.ts";

export function renderAdditions(test: TestReport): Additions {
  return {
    evidenceOf: renderFindingEvidence,
    authentication: renderAuthentication(test),
    chips: test.authentication && toBadges(test, test.authentication).map(renderBadge).join(""),
    sections: `${renderJourney(test)}${renderEvidence(test)}`,
  };
}

const mostLines = 60;

function toDuration(ms: number): string {
  return ms < 2_000 ? `${Math.round(ms)} ms` : toLongDuration(ms);
}

const told = { duration: toDuration, moment: (time: string) => toMinute(Date.parse(time)) };

function renderFindingEvidence({ occurrences, fix }: SharedFinding): string {
  const rows = occurrences.flatMap(({ subject, says, fix: own, evidence = {} }, index) => [
    ...(subject === null || subject === undefined || index === 0 ? [] : [{ name: "Also", value: subject }]),
    ...toEvidenceRows(evidence, [says, own ?? fix], told),
  ]);
  if (rows.length === 0) return "";
  const lines = rows
    .slice(0, mostLines)
    .map(({ name, value }) => `<tr><th scope="row">${html(name)}</th><td>${html(value)}</td></tr>`);
  const cut = rows.length > mostLines ? `<p class="note">And ${rows.length - mostLines} more lines.</p>` : "";
  return `<div class="quote"><table class="rec"><tbody>${lines.join("")}</tbody></table>${cut}</div>`;
}

function renderAuthentication(test: TestReport): string {
  const { authentication } = test;
  if (authentication === null) return "";
  const steps = toSteps(test, authentication).map(renderStep).join("");
  return `<p class="more">${html(toSentence(toConclusion(authentication)))}.</p><ol class="talk more">${steps}</ol>`;
}

function renderBadge({ name, tone, word }: NamedBadge): string {
  return renderChip(tone, `<b>${name.toUpperCase()}</b> ${html(word)}`);
}

function renderStep({ question, tone, badge, said, asks, answers, concludes }: Step): string {
  const lines = [
    ...(said === null ? [] : [`<dt>Sender says</dt><dd><code>${html(said)}</code></dd>`]),
    `<dt>Receiver asks</dt><dd>${html(asks)}</dd>`,
    `<dt>DNS answers</dt><dd>${answers.map((answer) => `<code>${html(answer)}</code>`).join("<br>")}</dd>`,
    `<dt>Receiver concludes</dt><dd class="concl">${html(concludes)}</dd>`,
  ];
  return `<li class="card ${tone}"><div class="ask"><h3>${html(question)}</h3>${renderChip(tone, html(badge))}</div><dl class="say">${lines.join("")}</dl></li>`;
}

function renderJourney({ delivery_timeline: timeline }: TestReport): string {
  if (timeline === null || timeline.hops.length === 0) return "";
  const rows = timeline.hops.map(renderHop).join("");
  const total =
    timeline.total_ms === null ? "" : `${toDuration(timeline.total_ms)} from writing to arrival. `;
  return `<section id="journey"><h2>Journey</h2><p class="lead">${total}Only our own session is certain; what comes before it the headers claim.</p>
<div class="card"><table class="fold"><caption class="vh">Stations on the way</caption><thead><tr><th scope="col">Station</th><th scope="col">When</th><th scope="col">How</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

type Hop = DeliveryTimeline["hops"][number];

function renderHop(hop: Hop): string {
  const { from, ip, by, warnings } = hop;
  const address = ip === null ? "" : ` <span class="note">[${html(ip)}]</span>`;
  const how = [toHow(hop), ...warnings].map(html).join("<br>");
  return `<tr><th scope="row">${html(from ?? "somebody")}${address} to ${html(by ?? "somebody")}</th><td data-l="When"><span>${toWhen(hop)}</span></td><td data-l="How"><span>${how}</span></td></tr>`;
}

function toWhen({ at, delay_ms }: Hop): string {
  const waited = delay_ms === null ? "" : `, after ${toDuration(delay_ms)}`;
  return at === null ? "no time" : `<span class="nowrap">${toMinute(Date.parse(at))}</span>${waited}`;
}

function toHow({ with: protocol, tls, trusted }: Hop): string {
  const version = tls?.version ?? null;
  const encrypted =
    tls === null ? null : tls.used ? `encrypted${version === null ? "" : `, ${version}`}` : "not encrypted";
  return [protocol, encrypted, trusted ? "seen" : "claimed"].filter((one) => one !== null).join(" · ");
}

function renderEvidence({ headers, analysis, transport }: TestReport): string {
  const dns = analysis?.dns ?? [];
  const parts = [
    toFold("Headers", headers?.length ?? 0, renderHeaders(headers ?? [])),
    toFold("Answers of DNS", dns.length, renderDns(dns)),
    toFold("Lines of the SMTP session", transport.transcript.length, renderTranscript(transport)),
  ];
  const asked = analysis === null ? "" : `As it was on ${toMinute(Date.parse(analysis.started_at))}.`;
  return `<section id="evidence"><h2>Evidence</h2><p class="lead">What this report rests on. ${asked}</p>${parts.join("")}</section>`;
}

function toFold(name: string, count: number, content: string): string {
  return count === 0 ? "" : `<details class="card"><summary>${name}: ${count}</summary>${content}</details>`;
}

function renderHeaders(headers: NonNullable<TestReport["headers"]>): string {
  const rows = headers.map(
    ({ name, value }) =>
      `<tr><th scope="row">${html(name)}</th><td>${html(value.replace(/\s+/g, " "))}</td></tr>`,
  );
  return `<table class="lines"><tbody>${rows.join("")}</tbody></table>`;
}

function renderDns(dns: readonly DnsAnswer[]): string {
  const rows = groupByName(dns).flatMap(({ name, answers }) =>
    answers.map((answer) => {
      const text = isUnanswered(answer) ? `not known: ${toAnswerText(answer)}` : toAnswerText(answer);
      return `<tr><th scope="row">${html(answer.type)} ${html(name)}</th><td>${html(text)}</td></tr>`;
    }),
  );
  return `<table class="lines"><tbody>${rows.join("")}</tbody></table>`;
}

function renderTranscript({ transcript }: TestReport["transport"]): string {
  const begin = Date.parse(transcript[0]?.at ?? "");
  const rows = transcript.map(
    ({ at, from, line }) =>
      `<tr><th scope="row">${Date.parse(at) - begin} ms, ${from === "server" ? "Assay" : "sender"}</th><td>${html(line)}</td></tr>`,
  );
  return `<table class="lines"><tbody>${rows.join("")}</tbody></table>`;
}
