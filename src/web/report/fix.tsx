// The issues in the order to fix them. Each opens to the reason, the evidence and the fix.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { toActor } from "../../analyzer/words/gate-words.ts";
import { gradeMarks, toWholeScore } from "../../analyzer/words/grade-words.ts";
import type { Finding } from "../../features/tests/contract/judgment.ts";
import { useKeys } from "../client/keys.ts";
import { toCount, toPlural, toScore } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { isStatic } from "../parts/static.ts";
import { Away, Words } from "../parts/text.tsx";
import { Severity } from "../parts/tone.tsx";
import { Evidence, evidenceOf } from "./evidence.tsx";
import {
  cureLineOf,
  faultsOf,
  followersOf,
  type Judged,
  notesOf,
  passesOf,
  toAnchor,
  withholdsFixes,
} from "./findings.ts";
import { Gates } from "./gates.tsx";
import { Notes, Remedy } from "./remedy.tsx";
import { toAreaLabel, toProviders } from "./summary.tsx";

export function FixFirst({ test }: { readonly test: Judged }) {
  const issues = faultsOf(test);
  const notes = notesOf(test);
  const passes = passesOf(test);
  useFindingKeys();
  useNamedFinding();
  return (
    <section class="sec" id="fix" aria-labelledby="fix-h">
      <div class="sec-h">
        <h2 id="fix-h">
          {issues.length === 0
            ? test.grade === null
              ? "No issues in completed checks"
              : "Nothing to fix"
            : withholdsFixes(test)
              ? toPlural(issues.length, "issue", "issues")
              : toPlural(issues.length, "issue to fix", "issues to fix")}
        </h2>
      </div>
      {issues.length > 0 && !withholdsFixes(test) && <Ladder test={test} />}
      <Notes notes={test.notes ?? []} />
      {issues.map((finding, index) => (
        <FindingDetails key={finding.id} test={test} finding={finding} isOpen={index === 0} />
      ))}
      {notes.length > 0 && (
        <details class="more mt-4">
          <summary>{toPlural(notes.length, "note", "notes")} (no effect on score)</summary>
          {notes.map((finding) => (
            <FindingDetails key={finding.id} test={test} finding={finding} isOpen={false} />
          ))}
        </details>
      )}
      {passes.length > 0 && (
        <details class="more mt-3">
          <summary>{toPlural(passes.length, "check", "checks")} passed</summary>
          <ul class="passes">
            {passes.map(({ id, summary }) => (
              <li key={id}>
                <Severity tone="good">
                  <span class="vh">Good:</span>
                </Severity>
                <span>
                  <Words text={summary} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** The score now, and after each fix in turn, drawn to scale. */
function Ladder({ test: { composite, plan } }: { readonly test: Judged }) {
  if (composite === null || plan === null || plan.length === 0) return null;
  const scores = [composite, ...plan.map((step) => step.composite ?? composite)];
  const label = `Score now: ${toWholeScore(composite)}. After each fix in this order: ${scores.slice(1).map(toWholeScore).join(", ")}.`;
  return (
    <figure class="ladder">
      <figcaption aria-hidden="true">
        <span class="now">Now {toWholeScore(composite)}</span>
        <span class="then">All fixed {toWholeScore(scores.at(-1) ?? composite)}</span>
      </figcaption>
      <svg role="img" aria-label={label}>
        <rect class="base" x="0" y="1" width={`${composite}%`} height="16" />
        {plan.map(({ finding }, index) => (
          <rect
            key={finding}
            class="step"
            x={`${scores[index]}%`}
            y="1"
            width={`${Math.max((scores[index + 1] ?? 0) - (scores[index] ?? 0), 0)}%`}
            height="16"
          />
        ))}
        <text x="0" y="31">
          0
        </text>
        {gradeMarks.map(({ grade, from }) => (
          <g key={grade}>
            <line x1={`${from}%`} x2={`${from}%`} y1="17" y2="21" stroke="var(--line-strong)" />
            <text x={`${from}%`} y="31" text-anchor="middle">
              {grade} {from}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

type FindingProps = { readonly test: Judged; readonly finding: Finding; readonly isOpen: boolean };

function FindingDetails({ test, finding, isOpen }: FindingProps) {
  const { id, severity, title, summary, area } = finding;
  const [wasOpened, setOpened] = useState(isStatic || isOpen);
  const acting = toProviders(finding.gates.map(({ provider }) => toActor(provider)));
  return (
    <details
      class={`finding ${severity}`}
      id={toAnchor(id)}
      open={isOpen}
      onToggle={(event) => {
        if (event.currentTarget.open) setOpened(true);
      }}
    >
      <summary>
        <Severity tone={severity} />
        <span class="ttl">
          <h3>
            {followersOf(test, id).map((follower) => (
              // Links to these findings lead here, because they have no entry of their own.
              <span key={follower.id} id={toAnchor(follower.id)} />
            ))}
            {title}
          </h3>
          {isStatic && summary === "" ? null : (
            <span class="says">
              <Words text={summary} />
            </span>
          )}
          <small>
            {toAreaLabel(test, area)}
            {acting !== "" && ` · May affect delivery at ${acting}`}
          </small>
        </span>
        <Gain test={test} finding={finding} />
        <span class="chev">
          <Icon name="chev" />
        </span>
      </summary>
      {wasOpened && <FindingBody test={test} finding={finding} />}
    </details>
  );
}

/** The gain of this fix alone. */
function Gain({ test, finding: { gain, severity } }: Omit<FindingProps, "isOpen">) {
  if (severity === "info" || gain <= 0 || withholdsFixes(test)) return <span class="gain" />;
  return (
    <span class="gain">
      +{toScore(gain)}
      <small>{toScore(gain) === "1" ? "point" : "points"}</small>
    </span>
  );
}

function FindingBody({ test, finding }: Omit<FindingProps, "isOpen">) {
  const { id, detail, fix, gates, occurrences, occurrences_left_out } = finding;
  const followers = followersOf(test, id);
  const cures = cureLineOf(test, id);
  const rows = occurrences.map((occurrence) => evidenceOf(occurrence, finding));
  return (
    <div class="body">
      <Part title="Why">
        <p class="measure">
          <Words text={detail} />
        </p>
        {cures !== null && <p>{cures}</p>}
        {gates.length > 0 && <Gates gates={gates} />}
      </Part>
      {(occurrences.length > 1 || occurrences_left_out > 0 || rows.some((its) => its.length > 0)) && (
        <Part title="Evidence">
          {occurrences.map((occurrence, index) => (
            <div class="stack-2" key={`${occurrence.subject}-${index}`}>
              {occurrences.length > 1 && (
                <p>
                  <Words text={occurrence.summary} />
                </p>
              )}
              <Evidence rows={rows[index] ?? []} />
            </div>
          ))}
          {occurrences_left_out > 0 && <p class="muted small">And {toCount(occurrences_left_out)} more.</p>}
        </Part>
      )}
      {fix !== null && (
        <Part title="Fix">
          <Remedy finding={finding} fix={fix} hasNote={!withholdsFixes(test)} />
        </Part>
      )}
      {followers.length > 0 && (
        <Part title="Also fixes">
          <ul class="stack-2">
            {followers.map((follower) => (
              <li key={follower.id}>
                {follower.title}
                <span class="under small muted">
                  <Words text={follower.summary} />
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Sources finding={finding} />
    </div>
  );
}

/** Shared pages and saved files link to no other page of this server, so they leave the handbook out. */
function Sources({ finding: { id, title, references } }: Pick<FindingProps, "finding">) {
  if (isStatic && references.length === 0) return null;
  return (
    <Part title="Sources">
      <p class="small muted">
        {isStatic ? null : (
          <a href={`/docs/findings/${encodeURIComponent(id)}`}>
            Assay handbook<span class="vh">: {title}</span>
          </a>
        )}
        {references.map((reference, index) => (
          <span key={reference.title}>
            {(!isStatic || index > 0) && " · "}
            <Away url={reference.url}>{reference.title}</Away>
          </span>
        ))}
      </p>
    </Part>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="part">
      <h4>{title}</h4>
      <div class="stack-2">{children}</div>
    </div>
  );
}

/** Opens the finding that the URL's hash names, and everything around it. */
function useNamedFinding(): void {
  useEffect(() => {
    const open = () => {
      const named = document.getElementById(window.location.hash.slice(1))?.closest(".finding");
      if (!named) return;
      for (let at: Element | null = named; at; at = at.parentElement)
        if (at instanceof HTMLDetailsElement) at.open = true;
      named.scrollIntoView();
    };
    open();
    window.addEventListener("hashchange", open);
    return () => window.removeEventListener("hashchange", open);
  }, []);
}

function useFindingKeys(): void {
  const keys = useMemo(() => {
    const summaries = () => [...document.querySelectorAll<HTMLElement>("#fix .finding > summary")];
    const move = (step: number) => {
      const all = summaries();
      const at = all.findIndex((summary) => summary.contains(document.activeElement));
      all[Math.min(Math.max(at === -1 ? 0 : at + step, 0), all.length - 1)]?.focus();
    };
    return {
      j: () => move(1),
      k: () => move(-1),
      f: () => document.getElementById("fix")?.scrollIntoView(),
      c: () => {
        const here = document.activeElement?.closest(".finding") ?? document.querySelector(".finding[open]");
        const main = here?.querySelector<HTMLElement>("[data-fix] .main button");
        (main ?? here?.querySelector<HTMLElement>("[data-fix] button"))?.click();
      },
    };
  }, []);
  useKeys(keys);
}
