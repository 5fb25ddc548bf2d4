// The first screen of a report: grade, one sentence, and where the message would land.

import { doors, hasOwnSession } from "../../analyzer/mail/session/doors.ts";
import { provisional, toWholeScore } from "../../analyzer/reports/grade-words.ts";
import { toSaidWords } from "../../analyzer/reports/receiver-verdicts.ts";
import { toMissing, toneOfScore } from "../../analyzer/words/grade-words.ts";
import { toJudgedWords } from "../../analyzer/words/kind-words.ts";
import { toReach } from "../../analyzer/words/volume-words.ts";
import { toResultBadge } from "../../features/tests/words/authentication-badge-words.ts";
import { toBadges } from "../../features/tests/words/authentication-chip-words.ts";
import { toDay, toList, toMoment, toPercent, toPreciseMoment } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { Note } from "../parts/states.tsx";
import { isStatic } from "../parts/static.ts";
import { toFolderLook, toRowLook } from "./placement-icon.ts";
import { type PlacementRow, toPlacementRows, toProviderName } from "./placement-row.ts";
import type { ShownTest } from "./shown-test.ts";
import { toVerdictLine } from "./verdict.ts";

type TestProps = { readonly test: ShownTest };

/** What the message is: subject, sender, and when it came. */
export function Who({ test }: TestProps) {
  const { subject, from, label, received_at, analysis, findings } = test;
  const { door } = test.transport;
  const judged = toJudgedWords(analysis?.judged_at ?? 0, analysis?.judged_from ?? null, toDay);
  return (
    <div class="who">
      <p class="subject">
        {test.sample && <span class="tag">Sample</span>}{" "}
        <bdi>{subject?.trim() || (findings === null ? "A new message" : "No subject")}</bdi>
      </p>
      <p>
        {(from !== null || findings !== null) && <span>{from?.trim() ? `from ${from}` : "no sender"}</span>}
        {label && (
          <span>
            label <span class="tag">{label}</span>
          </span>
        )}
        <span>
          {door && !doors[door.kind].arrives ? "uploaded" : "received"}{" "}
          <time dateTime={received_at} title={toPreciseMoment(received_at)}>
            {toMoment(received_at)}
          </time>
        </span>
        {door && !hasOwnSession({ door }) && (
          <span>{findings === null ? door.says : <a href="#journey">{door.says}</a>}</span>
        )}
        {judged !== null && <span>{judged.replace(/\.$/, "")}</span>}
      </p>
    </div>
  );
}

export function Head({ test }: TestProps) {
  const notices = test.notices ?? [];
  // What makes the sender doubtful comes first.
  const [doubt] = test.suspicion ? notices : [];
  const others = notices.filter((one) => one !== doubt);
  return (
    <section id="summary" class="head" aria-label="Summary">
      {/* Before the score, because a forged message's score is beside the point. */}
      {doubt && (
        <Note tone="minor">
          <strong>{doubt.title}</strong> <Lines text={doubt.text} />
        </Note>
      )}
      <div class="head-top">
        <Grade test={test} />
        <h1 class="verdict">{toVerdictLine(test)}</h1>
      </div>
      <Where test={test} />
      <SaidByReceiver test={test} />
      {test.sample ? <SampleNote /> : others.map((notice) => <Told key={notice.title} notice={notice} />)}
    </section>
  );
}

export function toScoreWords({ composite }: Pick<ShownTest, "composite">): string {
  return composite === null ? "No score" : `${toWholeScore(composite)} of 100`;
}

function Grade({ test }: TestProps) {
  const { composite, grade } = test;
  return (
    <p class={`grade ${toneOfScore(composite)}`} title={missingOf(test)}>
      <strong>{grade ?? (composite === null ? "–" : toWholeScore(composite))}</strong>
      <span>{grade === null && composite !== null ? `of 100, ${provisional}` : toScoreWords(test)}</span>
    </p>
  );
}

/** Placement and authentication in one line. Each leads to its reasons. */
function Where({ test }: TestProps) {
  const groups = Map.groupBy(toPlacementRows(test), toPlacedWords);
  return (
    <ul class="where">
      {[...groups].map(([words, [first, ...others]]) => (
        <li key={words}>
          {first && (
            <a href="#placement">
              <b class={toRowLook(first).tone}>
                <Icon name={toRowLook(first).icon} />
                {words}
              </b>{" "}
              {toList([first, ...others].map(({ provider }) => toProviderName(provider)))}
            </a>
          )}
        </li>
      ))}
      <AuthChips test={test} />
    </ul>
  );
}

/** An uploaded message was delivered before, so its topmost result is probably the receiver's. */
function SaidByReceiver({ test: { transport, headers, authentication } }: TestProps) {
  const fields = (headers ?? []).filter(({ name }) => /^authentication-results$/i.test(name));
  const isTold = transport.door?.kind === "upload" && !authentication?.recorded;
  const said = isTold ? toSaidWords(fields.map(({ value }) => value)) : null;
  return said && <p class="small muted measure">{said}. Assay can’t verify this, because headers can be forged.</p>;
}

function toPlacedWords(row: PlacementRow): string {
  const { provider, method, predicted } = row;
  const large = method === "predicted" ? (predicted?.if_large ?? null) : null;
  const words = toRowLook(row)[method];
  return large === null ? words : `${words}, ${toFolderLook(large.folder).large} ${toReach(provider)}`;
}

function AuthChips({ test }: TestProps) {
  const badges =
    (isStatic && test.badges) ||
    (test.authentication
      ? toBadges(test, test.authentication)
      : (["spf", "dkim", "dmarc"] as const).map((name) => ({ name, ...toResultBadge(test[name]) })));
  return badges.map(({ name, tone, word }) => (
    <li key={name}>
      <a href={isStatic && !test.authentication ? "#fix" : "#authentication"}>
        <b class={tone}>
          <Icon name={tone} />
          {name.toUpperCase()}
        </b>{" "}
        {word}
      </a>
    </li>
  ));
}

type Notice = NonNullable<ShownTest["notices"]>[number];

/** Why a large part could not be checked. */
function Told({ notice: { title, text } }: { readonly notice: Notice }) {
  return (
    <p class="small muted measure">
      <strong>{title}</strong> <Lines text={text} />
    </p>
  );
}

function SampleNote() {
  return (
    <p class="small muted">
      <strong>This is a sample.</strong> Its sender, DNS records, and mistakes are made up, and it isn’t counted on
      Home.
      {isStatic ? null : (
        <>
          {" "}
          See more in the <a href="/laboratory">sample gallery</a>.
        </>
      )}
    </p>
  );
}

function Lines({ text }: { readonly text: string }) {
  const [first, ...rest] = text.split("\n");
  return (
    <>
      {first}
      {rest.map((line) => (
        <span key={line} class="under mt-2">
          {line}
        </span>
      ))}
    </>
  );
}

/** Why there is no grade, or no score. */
function missingOf({ composite, grade, coverage }: ShownTest): string | undefined {
  return grade === null && coverage !== null ? toMissing(composite, coverage) : undefined;
}

/** Area scores: the length of a bar is the weight, its filled part the score. */
export function ScoreBreakdown({ test }: TestProps) {
  const { category_scores, coverage } = test;
  const missing = missingOf(test);
  const areas = category_scores ?? [];
  const widest = Math.max(...areas.map(({ weight }) => weight), 0.01);
  return (
    <details class="more">
      <summary>Score breakdown</summary>
      {coverage !== null && (
        <p class="small muted">
          {toPercent(coverage)} of checks completed{missing && `. ${missing}`}
        </p>
      )}
      <ul class="cats">
        {areas.map(({ id, label, score, weight }) => {
          const track = (weight / widest) * 100;
          return (
            <li key={id} class={`cat ${toneOfScore(score)}`}>
              <span>
                {label} <span class="w">{toPercent(weight)}</span>
              </span>
              <svg aria-hidden="true">
                <rect class="track" width={`${track}%`} height="100%" rx="2" />
                <rect class="fill" width={`${(track * (score ?? 0)) / 100}%`} height="100%" rx="2" />
              </svg>
              <span class="n">{score === null ? <span class="small">not checked</span> : toWholeScore(score)}</span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
