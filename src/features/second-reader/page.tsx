// What a second, independent reader makes of the message. It is worked out when this page asks.

import type { ComponentChildren } from "preact";
import { useCallback } from "preact/hooks";
import {
  blameWords,
  comparisonWords,
  readingHeadlines,
  scoreNote,
  thingLabels,
} from "../../analyzer/words/second-reader-words.ts";
import { call } from "../../web/client/call.ts";
import { useEvents } from "../../web/client/events.ts";
import { useLoaded } from "../../web/client/loading.ts";
import { FoldedSection } from "../../web/parts/fold.tsx";
import { Icon } from "../../web/parts/icon.tsx";
import { ErrorNote, Note } from "../../web/parts/states.tsx";
import { isStatic } from "../../web/parts/static.ts";
import { Severity, type Tone } from "../../web/parts/tone.tsx";
import type { SecondReaderResult } from "../tests/contract/second-reading.ts";
import type { TestReport } from "../tests/contract/tests.ts";

type Reading = NonNullable<SecondReaderResult["result"]>;

export function SecondReaderSection({ test: { id, analyzed_at } }: { readonly test: TestReport }) {
  const { loaded, reload } = useLoaded(`${id} ${analyzed_at}`, (signal) =>
    call("GET /api/tests/:id/second-reader", { params: { id }, signal }),
  );
  useEvents(
    useCallback(
      (event) => {
        const isOurs = event.type === "test.examined" && event.id === id && event.kind === "second-reader";
        if (event.type === "reset" || isOurs) reload();
      },
      [id, reload],
    ),
  );
  const second = loaded.value;
  if (second?.result) return <SecondReading reading={second.result} scanners={second.scanners} />;
  return (
    <Section title="Second reader">
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t load the second reader." message={loaded.trouble.message} onRetry={reload} />
      )}
      {second?.state === "failed" && <Note tone="unknown">Not completed. {second.failure}</Note>}
      {(second === null || second.state === "waiting") && loaded.state !== "failed" && (
        <p>
          <span class="live">Reading the message a second time</span>
        </p>
      )}
    </Section>
  );
}

type ReadingProps = { readonly reading: Reading; readonly scanners: SecondReaderResult["scanners"] };

/** Also in saved files. */
export function SecondReading({ reading, scanners }: ReadingProps) {
  const { outcome, issues, unread } = reading;
  const title = `Second reader: ${toConclusion(reading)}`;
  const details = <Details reading={reading} scanners={scanners} />;
  if (issues.length === 0 && unread.length === 0)
    return (
      <FoldedSection id="second-reader" title={title} lead={`${lead} ${toCounts(reading)}.`}>
        {() => <div class="card">{details}</div>}
      </FoldedSection>
    );
  return (
    <Section title={title}>
      {issues.length > 0 && (
        <>
          <ul class="stack">
            {issues.map((issue) => (
              <Issue key={issue.id} issue={issue} />
            ))}
          </ul>
          <p class="small muted mt-3">{scoreNote}</p>
        </>
      )}
      {unread.map(({ by, why }) => (
        <Note key={by} tone="unknown">
          Could not be read by {by}. {why}
        </Note>
      ))}
      <details class="card flush source mt-3" open={isStatic && outcome === "differ"}>
        <summary class="p-34">
          <h3>Details</h3> <span class="muted small">{toCounts(reading)}</span>
        </summary>
        <div class="p-34">{details}</div>
      </details>
    </Section>
  );
}

function Details({ reading, scanners }: ReadingProps) {
  const { compared, differences, asked } = reading;
  return (
    <div class="stack">
      <Compared compared={compared} />
      {differences.length > 0 && <Differences differences={differences} />}
      <Asked asked={asked} />
      <Scanners scanners={scanners} />
    </div>
  );
}

const lead = "Independent software (mailparser and mailauth) reads the same message, as other receivers do.";

function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="sec" id="second-reader" aria-labelledby="second-reader-h">
      <div class="sec-h">
        <h2 id="second-reader-h">{title}</h2>
        <p>{lead}</p>
      </div>
      {children}
    </section>
  );
}

function toConclusion({ outcome }: Reading): string {
  const headline = readingHeadlines[outcome].replace(/\.$/, "");
  return `${headline.slice(0, 1).toLowerCase()}${headline.slice(1)}`;
}

function toCounts({ compared }: Reading): string {
  const count = (wanted: string) => compared.filter(({ outcome }) => outcome === wanted).length;
  return [
    `${count("agrees")} same`,
    `${count("differs") + count("explained")} different`,
    `${count("not-compared")} not compared`,
  ].join(", ");
}

const shapes: Readonly<Record<Reading["compared"][number]["outcome"], Tone>> = {
  agrees: "good",
  explained: "info",
  differs: "major",
  "not-compared": "unknown",
};

function Issue({ issue }: { readonly issue: Reading["issues"][number] }) {
  const { severity, title, summary, why, fix, help, bytes } = issue;
  return (
    <li class="card stack-2">
      <p class="row">
        <Severity tone={severity} />
        <strong>{title}</strong>
      </p>
      <p>{summary}</p>
      {bytes.length > 0 && (
        <ul class="small">
          {bytes.map(({ offset, text }) => (
            <li key={offset}>
              <span class="muted">Byte {offset}:</span> <code>{text}</code>
            </li>
          ))}
        </ul>
      )}
      <p>
        {fix} {!isStatic && <a href={help}>How to fix it</a>}
      </p>
      <p class="small muted">{why}</p>
    </li>
  );
}

function Compared({ compared }: Pick<Reading, "compared">) {
  return (
    <ul class="stack-2">
      {compared.map(({ thing, outcome, why }) => (
        <li key={thing} class="row">
          <Severity tone={shapes[outcome]}>{thingLabels[thing]}</Severity>
          <span class="small muted">
            {comparisonWords[outcome]}
            {why !== null && `. ${why}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Differences({ differences }: Pick<Reading, "differences">) {
  return (
    <div class="stack-2">
      <h4>Differences</h4>
      <ul class="stack-2">
        {differences.map(({ thing, about, ours, theirs, blame, says }, index) => (
          <li key={index}>
            <p>
              <strong>{thingLabels[thing]}</strong>
              {about !== null && `, ${about}`}: Assay <code>{ours}</code>, second reader <code>{theirs}</code>
            </p>
            <p class="small muted">
              {blameWords[blame]}. {says}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Asked({ asked }: Pick<Reading, "asked">) {
  if (asked.length === 0) return null;
  const questions = asked.map(({ name, type, status }) => `${type} ${name} (${status})`).join(", ");
  return <p class="small muted">DNS questions of the second reader alone: {questions}.</p>;
}

function Scanners({ scanners }: Pick<ReadingProps, "scanners">) {
  return (
    <>
      {scanners.map(({ scanner, score, threshold, problem }) => (
        <p class="row small" key={scanner}>
          <Icon name={score === null ? "unknown" : "info"} />
          {scanner}: {score === null ? `no score (${problem})` : `${score} points, spam from ${threshold}`}
        </p>
      ))}
    </>
  );
}
