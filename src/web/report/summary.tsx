// The answer first: the message, the verdict, the score and how it is made.

import { toneOfScore } from "../../api/grade-words.ts";
import { toJudgedWords } from "../../api/judged-words.ts";
import type { TestReport } from "../../api/tests.ts";
import { toList, toMoment, toPercent, toPreciseMoment, toScore, toSentence } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { Dial } from "../parts/score.tsx";
import { toAnchor } from "./findings.ts";
import { KindNote } from "./kind.tsx";
import { type Phrase, toNextStep, toVerdict } from "./verdict.ts";

export function Summary({ test }: { readonly test: TestReport }) {
  const next = toNextStep(test);
  return (
    <section id="summary" aria-label="Summary">
      <Who test={test} />
      <div class="hero">
        <div class="stack">
          <Verdict phrases={toVerdict(test)} />
          {next !== null && <p class="verdict-next">{next}</p>}
        </div>
        <ScoreBox test={test} />
      </div>
      <Categories test={test} />
    </section>
  );
}

export function Who({ test }: { readonly test: TestReport }) {
  const { subject, from, label, received_at, analysis } = test;
  const judged = toJudgedWords(analysis?.judged_at ?? 0, analysis?.judged_from ?? null);
  return (
    <p class="who">
      <strong>{subject?.trim() || (test.analysis === null ? "A new message" : "No subject")}</strong>
      {test.sample && (
        <span>
          <span class="tag">Sample</span> of <a href="/laboratory">the laboratory</a>: its sending address and
          DNS are made up
        </span>
      )}
      {(from !== null || test.analysis !== null) && <span>from {from?.trim() || "nobody named"}</span>}
      {label !== null && (
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
      <KindNote test={test} />
      {test.transport.source === "claimed" && <span>uploaded: its session is claimed, not seen</span>}
      {judged !== null && <span>{judged.replace(/\.$/, "")}</span>}
    </p>
  );
}

function Verdict({ phrases }: { readonly phrases: readonly Phrase[] }) {
  return (
    <h1 class="verdict">
      {phrases.map((phrase, index) => (
        <span key={phrase.text}>
          {index > 0 && (index === phrases.length - 1 ? ", and " : ", ")}
          <PhraseLink phrase={phrase} isFirst={index === 0} />
        </span>
      ))}
      .
    </h1>
  );
}

/** The sign and the first word never part at a line's end. */
function PhraseLink({
  phrase: { tone, text, to },
  isFirst,
}: {
  readonly phrase: Phrase;
  readonly isFirst: boolean;
}) {
  const [first = "", ...others] = (isFirst ? toSentence(text) : text).split(" ");
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

function ScoreBox({ test }: { readonly test: TestReport }) {
  const { composite, grade, coverage, limit, findings } = test;
  const holding = limit?.findings.flatMap((id) => findings?.find((finding) => finding.id === id) ?? []) ?? [];
  return (
    <div class="scorebox">
      <Dial score={composite} grade={grade} />
      <dl>
        {limit !== null && (
          <div>
            <dt>Held at {toScore(limit.value)}</dt>
            <dd>
              by{" "}
              {holding.slice(0, 1).map(({ id, title }) => (
                <a key={id} href={`#${toAnchor(id)}`}>
                  {title}
                </a>
              ))}
              {holding.length > 1 && ` and ${holding.length - 1} more`}
            </dd>
          </div>
        )}
        {coverage !== null && (
          <div>
            <dt>Checked</dt>
            <dd>
              <a href="#unchecked">{toPercent(coverage)}</a> of what applies
              {grade === null && <span class="label"> too little for a grade</span>}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

const sectionOfArea: Readonly<Record<string, string>> = {
  authentication: "#authentication",
  infrastructure: "#journey",
  content: "#content",
  rendering: "#content",
  accessibility: "#content",
};

function Categories({ test: { category_scores } }: { readonly test: TestReport }) {
  const areas = category_scores ?? [];
  const widest = Math.max(...areas.map(({ weight }) => weight), 0.01);
  return (
    <div class="card">
      <h2 class="label">How the score is made: a longer track weighs more</h2>
      <div class="cats">
        {areas.map(({ id, label, score, weight }) => {
          const track = (weight / widest) * 100;
          return (
            <a key={id} class={`cat ${toneOfScore(score)}`} href={sectionOfArea[id] ?? "#fix"}>
              <span>
                {label} <span class="w">{toPercent(weight)}</span>
              </span>
              <svg aria-hidden="true">
                <rect class="track" width={`${track}%`} height="100%" rx="2" />
                <rect class="fill" width={`${(track * (score ?? 0)) / 100}%`} height="100%" rx="2" />
              </svg>
              <span class="n">
                {score === null ? <span class="small">not checked</span> : toScore(score)}
              </span>
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
