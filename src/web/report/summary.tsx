// The top of a report: sender, score and grade, verdict, first fixes, placement and score breakdown.

import type { ComponentChildren } from "preact";
import { hasOwnSession } from "../../analyzer/mail/session/doors.ts";
import { toMissing, toneOfScore, toWholeScore as toScore } from "../../analyzer/words/grade-words.ts";
import { toJudgedWords } from "../../analyzer/words/kind-words.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { toList, toMoment, toPercent, toPreciseMoment } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { Dial } from "../parts/score.tsx";
import { Note } from "../parts/states.tsx";
import { isStatic } from "../parts/static.ts";
import { FirstSteps } from "./first-steps.tsx";
import type { ShownTest } from "./shown-test.ts";
import { TopStrip } from "./top-strip.tsx";
import { type Phrase, toVerdict } from "./verdict.ts";

type SummaryProps = {
  readonly test: ShownTest;
  /** The message type, or the control to change it. */
  readonly kind: ComponentChildren;
  /** Questions to the reader. */
  readonly children?: ComponentChildren;
};

export function Summary({ test, kind, children }: SummaryProps) {
  return (
    <section id="summary" aria-label="Summary">
      <Who test={test} />
      <Suspicion test={test} />
      <div class="hero">
        <ScoreBox test={test} />
        <Verdict phrases={toVerdict(test)} />
      </div>
      <TopNotice test={test} />
      <Unchecked test={test} />
      {children}
      <FirstSteps test={test} />
      <TopStrip test={test} kind={kind} />
      <Categories test={test} />
    </section>
  );
}

export function Who({ test }: { readonly test: ShownTest }) {
  const { subject, from, label, received_at, analysis, findings } = test;
  const { door } = test.transport;
  const judged = toJudgedWords(analysis?.judged_at ?? 0, analysis?.judged_from ?? null);
  return (
    <p class="who">
      <strong>
        {test.sample && <span class="tag">Sample</span>}{" "}
        <bdi>{subject?.trim() || (findings === null ? "A new message" : "No subject")}</bdi>
      </strong>
      {(from !== null || findings !== null) && <span>{from?.trim() ? `from ${from}` : "no sender"}</span>}
      {label && (
        <span>
          label <span class="tag">{label}</span>
        </span>
      )}
      <span>
        received{" "}
        <time dateTime={received_at} title={toPreciseMoment(received_at)}>
          {toMoment(received_at)}
        </time>
      </span>
      {door && !hasOwnSession({ door }) && (
        <span>{findings === null ? door.says : <a href="#journey">{door.says}</a>}</span>
      )}
      {judged !== null && <span>{judged.replace(/\.$/, "")}</span>}
    </p>
  );
}

function Verdict({ phrases }: { readonly phrases: readonly Phrase[] }) {
  return (
    <h1 class="verdict">
      {phrases.map((phrase, index) => (
        <span key={phrase.text}>
          {index > 0 && " "}
          <PhraseLink phrase={phrase} />.
        </span>
      ))}
    </h1>
  );
}

/** Keeps the icon and the first word on one line. */
function PhraseLink({ phrase: { tone, text, to } }: { readonly phrase: Phrase }) {
  const [first = "", ...others] = text.split(" ");
  return (
    <a class={tone} href={to}>
      <span class="nowrap">
        <Icon name={tone} />
        {first}
      </span>{" "}
      {others.join(" ")}
    </a>
  );
}

function ScoreBox({ test }: { readonly test: ShownTest }) {
  const { composite, grade, coverage } = test;
  return (
    <div class="scorebox">
      <Dial score={composite} grade={grade} />
      <dl>
        {coverage !== null && (
          <div>
            <dt>Checks completed</dt>
            <dd>
              <a href="#unchecked">{toPercent(coverage)}</a>
              {grade === null && <span class="label"> {toMissing(composite, coverage)}</span>}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

/** Pages rendered by the server have no content section. */
const content = isStatic ? "#fix" : "#content";
const sectionOfArea: Readonly<Record<string, string>> = {
  authentication: "#authentication",
  infrastructure: "#journey",
  content,
  rendering: content,
  accessibility: content,
};

function Categories({ test }: { readonly test: ShownTest }) {
  const areas = test.category_scores ?? [];
  const widest = Math.max(...areas.map(({ weight }) => weight), 0.01);
  return (
    <div class="card">
      <h2 class="label">Score breakdown (bar length = weight)</h2>
      <div class="cats">
        {areas.map(({ id, label, score, weight }) => {
          const track = (weight / widest) * 100;
          return (
            <a
              key={id}
              class={`cat ${toneOfScore(score)}`}
              href={(isStatic && test.id === undefined ? null : sectionOfArea[id]) ?? "#fix"}
            >
              <span>
                {label} <span class="w">{toPercent(weight)}</span>
              </span>
              <svg aria-hidden="true">
                <rect class="track" width={`${track}%`} height="100%" rx="2" />
                <rect class="fill" width={`${(track * (score ?? 0)) / 100}%`} height="100%" rx="2" />
              </svg>
              <span class="n">{score === null ? <span class="small">not checked</span> : toScore(score)}</span>
            </a>
          );
        })}
      </div>
    </div>
  );
}

export function toAreaLabel({ category_scores }: Pick<TestReport, "category_scores">, area: string): string {
  return category_scores?.find(({ id }) => id === area)?.label ?? area;
}

export function toProviders(names: readonly string[]): string {
  return toList([...new Set(names)]);
}

/** Comes before the score, because a forged message's score is beside the point. */
function Suspicion({ test: { notices, suspicion } }: { readonly test: ShownTest }) {
  const [notice] = notices ?? [];
  if (!suspicion || notice === undefined) return null;
  return (
    <div class="mt-3">
      <ToldNote notice={notice} tone="minor" />
    </div>
  );
}

/** Why a large part could not be checked. */
function Unchecked({ test: { notices, suspicion, sample } }: { readonly test: ShownTest }) {
  if (sample) return null;
  return (notices ?? [])
    .slice(suspicion ? 1 : 0)
    .map((notice) => <ToldNote key={notice.title} notice={notice} tone="info" />);
}

type ToldNoteProps = { readonly notice: NonNullable<ShownTest["notices"]>[number]; readonly tone: "info" | "minor" };

function ToldNote({ notice: { title, text }, tone }: ToldNoteProps) {
  const [first, ...rest] = text.split("\n");
  return (
    <Note tone={tone}>
      <strong>{title}</strong> {first}
      {rest.map((line) => (
        <span key={line} class="under mt-2">
          {line}
        </span>
      ))}
    </Note>
  );
}

// Notices about how the message came here.

function TopNotice({ test: { sample } }: { readonly test: ShownTest }) {
  if (!sample) return null;
  return (
    <Note>
      <strong>This is a sample.</strong> Its sender, DNS records, and mistakes are made up, and it isn’t counted on the
      dashboard.
      {isStatic ? null : (
        <>
          {" "}
          See more in the <a href="/laboratory">sample gallery</a>.
        </>
      )}
    </Note>
  );
}
