// What reports, bounces and complaints show about a domain: open problems, past ones, and what they are judged by.

import { addressOf, call } from "../../../web/client/call.ts";
import { useLoadedSince } from "../../../web/client/loading.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { toCount, toPlural } from "../../../web/client/words.ts";
import { ErrorNote, LoadNote, Note, sayDone } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import type { MonitoredDomain } from "../../domains/contract/domains.ts";
import type { DomainFeedback, FeedbackProblem } from "../contract/feedback.ts";
import { toFeedbackHeading } from "./feedback-words.ts";

function readFeedback(id: string, signal: AbortSignal) {
  return call("GET /api/domains/:id/feedback", { params: { id }, signal });
}

/** `changes`: how often a member changed what it depends on. */
type SectionProps = { readonly domain: MonitoredDomain; readonly changes: number; readonly onChanged: () => void };

export function FeedbackSection({ domain, changes, onChanged }: SectionProps) {
  const { loaded, reload } = useLoadedSince(domain.id, `${changes}`, (signal) => readFeedback(domain.id, signal));
  const feedback = loaded.value;
  return (
    <section class="sec" id="feedback" aria-labelledby="feedback-h">
      <div class="sec-h row between">
        <div>
          <h2 id="feedback-h">{feedback ? toFeedbackHeading(feedback) : "Feedback"}</h2>
          <p>From authenticated DMARC and TLS reports, bounces, and complaints.</p>
        </div>
        <a class="btn" href={`/domains/${domain.id}/policy`}>
          DMARC policy coach
        </a>
      </div>
      <LoadNote loaded={loaded} onRetry={reload} lines={4} what="the feedback" />
      {feedback && <Problems feedback={feedback} onChanged={onChanged} />}
    </section>
  );
}

type ProblemsProps = { readonly feedback: DomainFeedback; readonly onChanged: () => void };

function Problems({ feedback, onChanged }: ProblemsProps) {
  const open = feedback.problems.filter(({ state }) => state === "open");
  const past = feedback.problems.filter(({ state }) => state === "resolved");
  return (
    <div class="stack">
      <Basis feedback={feedback} />
      {open.map((problem) => (
        <Problem key={problem.id} problem={problem} onChanged={onChanged} />
      ))}
      {past.length > 0 && (
        <details class="more">
          <summary>{toPlural(past.length, "past problem", "past problems")}</summary>
          <ul class="list mt-2">
            {past.map(({ id, title, says, openedAt, resolvedAt }) => (
              <li key={id}>
                <span>
                  {title}
                  <span class="under small muted">
                    From <Moment time={openedAt} /> to {resolvedAt !== null && <Moment time={resolvedAt} />}.{" "}
                    {says.join(" ")}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** What the problems are judged by, and what doesn't count. */
function Basis({ feedback }: { readonly feedback: DomainFeedback }) {
  const { evaluatedAt, learningUntil, reports, authenticatedReports, reporters, newReporters } = feedback;
  const today = new Date().toISOString().slice(0, 10);
  const left = reports - authenticatedReports;
  return (
    <>
      {evaluatedAt === null && <p class="muted">Not evaluated yet. This happens once an hour.</p>}
      {evaluatedAt !== null && learningUntil === null && (
        <p class="muted">
          {authenticatedReports === 0
            ? "No authenticated DMARC report has arrived yet, so there is nothing to compare."
            : "No reporter has sent authenticated DMARC reports on three days yet, so there is nothing to compare."}
        </p>
      )}
      {learningUntil !== null && learningUntil > today && (
        <Note tone="info">
          <strong>Learning until {learningUntil}.</strong> Until then, Assay doesn’t know what is usual for this domain
          and sends no alerts about sources, pass rates, and bounces.
        </Note>
      )}
      {reports > 0 && (
        <p class="small muted">
          {toPlural(authenticatedReports, "authenticated DMARC report", "authenticated DMARC reports")} in 35 days, from{" "}
          {toPlural(reporters, "reporter", "reporters")}
          {newReporters > 0 && ` (${toCount(newReporters)} too new to count)`}.
          {left > 0 &&
            ` ${toPlural(left, "other report doesn’t", "other reports don’t")} count, because SPF and DKIM don’t confirm who sent them.`}
        </p>
      )}
    </>
  );
}

type ProblemProps = { readonly problem: FeedbackProblem; readonly onChanged: () => void };

function Problem({ problem, onChanged }: ProblemProps) {
  const { id, title, says, advice, openedAt, acknowledgedAt, kind, evidence, sourceKey, domain } = problem;
  const { isBusy, trouble, run } = useDoing();
  const isSource = kind === "new-source";
  const acknowledge = () =>
    run(async () => {
      await call("POST /api/feedback-problems/:id/acknowledge", { params: { id } });
      sayDone(isSource ? "Marked as yours." : "Muted until it’s over.");
      onChanged();
    });
  const mark = () =>
    run(async () => {
      const body = { key: sourceKey ?? "", mark: "ignored" as const };
      await call("POST /api/domains/:id/sources/marks", { params: { id: domain.id }, body });
      sayDone("Marked as not yours.");
      onChanged();
    });
  const isGood = isSource && evidence.detail.passed === evidence.count;
  return (
    <article class="card stack" aria-labelledby={`${id}-h`}>
      <div class="row between">
        <h3 id={`${id}-h`}>
          <Severity tone={isGood ? "info" : "major"}>{isGood ? "New" : "Problem"}</Severity> {title}
        </h3>
        <span class="label">
          Since <Moment time={openedAt} />
        </span>
      </div>
      {says.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p class="measure">{advice}</p>
      <Details problem={problem} />
      <div class="row">
        {sourceKey !== null && evidence.detail.passed === 0 && (
          <button class="btn small" type="button" disabled={isBusy} onClick={mark}>
            Not ours
            <span class="vh">: {title}</span>
          </button>
        )}
        {acknowledgedAt === null ? (
          <button class="btn small" type="button" disabled={isBusy} onClick={acknowledge}>
            {isSource ? "This sender is ours" : "Mute until it’s over"}
            <span class="vh">: {title}</span>
          </button>
        ) : (
          <span class="label">
            Muted <Moment time={acknowledgedAt} />
          </span>
        )}
      </div>
      {trouble !== null && <ErrorNote title="That didn’t work." message={trouble.message} />}
    </article>
  );
}

function Details({ problem: { evidence } }: Pick<ProblemProps, "problem">) {
  const { detail, reports } = evidence;
  const lists = [
    ["Addresses", detail.addresses],
    ["From domains", detail.headerFroms],
    ["Reports", reports],
  ] as const;
  const shown = lists.filter(([, values]) => values.length > 0);
  if (shown.length === 0) return null;
  return (
    <details class="more">
      <summary>Evidence</summary>
      <dl class="kv mt-2">
        {shown.map(([name, values]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {values.map((value, index) => (
                <span key={value}>
                  {index > 0 && ", "}
                  {name === "Reports" ? (
                    <a href={addressOf("/api/reports/:id/raw", { params: { id: value } })} download>
                      {index + 1}
                      <span class="vh">: download the report</span>
                    </a>
                  ) : (
                    <code>{value}</code>
                  )}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
