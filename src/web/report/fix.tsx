// The issues in the order to fix them. Each opens to the reason, the evidence and the fix.

import type { ComponentChildren } from "preact";
import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import { toActor } from "../../analyzer/words/gate-words.ts";
import type { Finding } from "../../features/tests/contract/judgment.ts";
import { faultsOf, type Judged } from "../../features/tests/rules/issues.ts";
import { toCureLine, toCures, toRise, toStairs } from "../../features/tests/words/cure-words.ts";
import { toFixWords } from "../../features/tests/words/note-words.ts";
import { useKeys } from "../client/keys.ts";
import { toCount, toList, toPlural } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { isStatic } from "../parts/static.ts";
import { Away, Words } from "../parts/text.tsx";
import { Severity, toneWords } from "../parts/tone.tsx";
import { Evidence, evidenceOf } from "./evidence.tsx";
import { followersOf, notesOf, passesOf, toAnchor, withholdsFixes } from "./findings.ts";
import { Gates } from "./gates.tsx";
import { PinContext } from "./pins.ts";
import { Notes, Remedy, RemedyActions } from "./remedy.tsx";

/** More would hide the mail and the next step. */
const mostCards = 3;

type FixProps = {
  readonly test: Judged;
  /** By which rules it was judged. */
  readonly lead?: ComponentChildren;
  /** Questions to the reader. */
  readonly children?: ComponentChildren;
  /** What else the report found. */
  readonly rest?: ComponentChildren;
};

export function FixFirst({ test, lead, children, rest }: FixProps) {
  const issues = faultsOf(test);
  const notes = notesOf(test);
  const passes = passesOf(test);
  const cards = issues.slice(0, mostCards);
  const smaller = issues.slice(mostCards);
  useFindingKeys();
  useNamedFinding();
  return (
    <section class="sec" id="fix" aria-labelledby="fix-h">
      <div class="sec-h">
        <h2 id="fix-h">{toHeading(test, issues.length)}</h2>
        {lead}
      </div>
      {issues.length > 0 && !withholdsFixes(test) && <Stairs test={test} />}
      {cards.map((finding) => (
        <Card key={finding.id} test={test} finding={finding} />
      ))}
      {children}
      <div class="folds">
        <Fold
          test={test}
          findings={smaller}
          look="more issues"
          says={toPlural(smaller.length, "more issue", "more issues")}
        />
        <Fold test={test} findings={notes} says={`${toPlural(notes.length, "note", "notes")} (no effect on score)`} />
        {passes.length > 0 && (
          <details class="more">
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
        {rest}
        <Notes notes={test.notes ?? []} />
      </div>
    </section>
  );
}

type FoldProps = {
  readonly test: Judged;
  readonly findings: readonly Finding[];
  readonly says: string;
  readonly look?: string;
};

function Fold({ test, findings, says, look = "more" }: FoldProps) {
  return findings.length === 0 ? null : (
    <details class={look}>
      <summary>{says}</summary>
      {findings.map((finding) => (
        <FindingDetails key={finding.id} test={test} finding={finding} />
      ))}
    </details>
  );
}

function toHeading(test: Judged, count: number): string {
  if (count === 0 && test.grade !== null) return "Nothing to fix";
  if (count === 0) return passesOf(test).length === 0 ? "No checks completed" : "No issues in completed checks";
  if (withholdsFixes(test)) return toPlural(count, "issue", "issues");
  return toPlural(count, "issue to fix", "issues to fix");
}

/** The score now, and what each fix in turn adds. */
function Stairs({ test: { composite, plan } }: { readonly test: Judged }) {
  const stairs = toStairs(plan ?? [], composite);
  if (stairs.length < 2) return null;
  return (
    <p class="stairs">
      <span class="vh">Score after each fix: </span>
      {stairs.slice(0, mostCards + 1).join(" → ")}
      {stairs.length > mostCards + 1 && ` … ${stairs.at(-1)}`}
      <svg aria-hidden="true">
        {stairs.map((score, index) => {
          const from = Math.max(0, ...stairs.slice(0, index));
          const added = Math.max(0, score - from);
          return (
            <rect key={score} class={index === 0 ? "base" : "step"} x={`${from}%`} width={`${added}%`} height="100%" />
          );
        })}
      </svg>
    </p>
  );
}

type FindingProps = { readonly test: Judged; readonly finding: Finding };

/** One cause: what is wrong, what to do, and what it cures. */
function Card({ test, finding }: FindingProps) {
  const { id, severity, title, summary, fix } = finding;
  const pins = useContext(PinContext);
  const [wasOpened, setOpened] = useState(isStatic);
  const isAdvised = !withholdsFixes(test);
  return (
    <article
      class={`finding card-f ${severity}${pins.active === id ? " on" : ""}`}
      id={toAnchor(id)}
      tabIndex={-1}
      onMouseEnter={() => pins.point(id)}
      onMouseLeave={() => pins.point(null)}
      onFocusCapture={() => pins.point(id)}
      onBlurCapture={() => pins.point(null)}
    >
      <header>
        <Mark finding={finding} />
        <h3>
          <Followed test={test} id={id} />
          {title}
        </h3>
        <Gain test={test} finding={finding} />
      </header>
      {isAdvised && fix !== null ? (
        <Remedy finding={finding} fix={fix} says={summary} />
      ) : (
        <p class="measure">
          <Words text={summary} />
        </p>
      )}
      <Cures test={test} finding={finding} />
      <details
        class="more"
        onToggle={(event) => {
          if (event.currentTarget.open) setOpened(true);
        }}
      >
        <summary>
          Why?<span class="vh"> Reason, evidence, and sources for: {title}</span>
        </summary>
        {wasOpened && <FindingBody test={test} finding={finding} hasFix={!isAdvised} />}
      </details>
      {isAdvised && fix !== null && (
        <p class="acts-f noprint">
          <RemedyActions finding={finding} cures={toCureLine(test, id)} />
        </p>
      )}
    </article>
  );
}

/** Its number, in the shape and color of its severity. */
function Mark({ finding: { id, severity } }: Pick<FindingProps, "finding">) {
  const number = useContext(PinContext).numbers.get(id);
  if (number === undefined) return <Severity tone={severity} />;
  return (
    <span class={`pin ${severity}`}>
      <b>{number}</b>
      <span class="vh"> {toneWords[severity]}</span>
    </span>
  );
}

/** Links to findings that have no entry here lead to the one that causes them. */
function Followed({ test, id }: { readonly test: Judged; readonly id: string }) {
  return followersOf(test, id).map((follower) => <span key={follower.id} id={toAnchor(follower.id)} />);
}

/** What else ends with this fix, and whom it may keep away until then. */
function Cures({ test, finding: { id, gates } }: FindingProps) {
  const step = test.plan?.find(({ finding }) => finding === id);
  const cures = step && !withholdsFixes(test) ? toCures(step, test.findings ?? []) : null;
  // Those that stop rejecting are named above.
  const staying = gates.filter(({ provider }) => cures === null || !step?.providers.includes(provider));
  const acting = toList([...new Set(staying.map(({ provider }) => toActor(provider)))]);
  if (cures === null && acting === "") return null;
  return (
    <p class="small muted">
      {cures} {acting !== "" && `May affect delivery at ${acting}.`}
    </p>
  );
}

function FindingDetails({ test, finding }: FindingProps) {
  const { id, severity, title, summary, fix, records } = finding;
  const { active } = useContext(PinContext);
  const [wasOpened, setOpened] = useState(isStatic);
  return (
    <details
      class={`finding ${severity}${active === id ? " on" : ""}`}
      id={toAnchor(id)}
      onToggle={(event) => {
        if (event.currentTarget.open) setOpened(true);
      }}
    >
      <summary>
        <Mark finding={finding} />
        <span class="ttl">
          <h3>
            <Followed test={test} id={id} />
            {title}
          </h3>
          {isStatic && summary === "" ? null : (
            <span class="says">
              <Words text={summary} />
            </span>
          )}
          {fix !== null && !withholdsFixes(test) && (
            <span class="says on-paper">
              <Words text={toFixWords(fix, records)} />
            </span>
          )}
        </span>
        <Gain test={test} finding={finding} />
        <span class="chev">
          <Icon name="chev" />
        </span>
      </summary>
      {wasOpened && <FindingBody test={test} finding={finding} hasFix />}
    </details>
  );
}

/** What the score becomes with this fix, after those before it. */
function Gain({ test, finding: { id } }: FindingProps) {
  const rise = withholdsFixes(test) ? null : toRise(test.plan ?? [], id, test.composite);
  return <span class="gain">{rise}</span>;
}

function FindingBody({ test, finding, hasFix }: FindingProps & { readonly hasFix: boolean }) {
  const { id, detail, fix, gates, occurrences, occurrences_left_out } = finding;
  const followers = followersOf(test, id);
  const rows = occurrences.map((occurrence) => evidenceOf(occurrence, finding));
  return (
    <div class="body">
      <Part title="Why">
        <p class="measure">
          <Words text={detail} />
        </p>
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
      {hasFix && fix !== null && (
        <Part title="Fix">
          <Remedy finding={finding} fix={fix} />
          {!withholdsFixes(test) && (
            <p class="row noprint">
              <RemedyActions finding={finding} cures={toCureLine(test, id)} />
            </p>
          )}
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
    const summaries = () =>
      [...document.querySelectorAll<HTMLElement>("#fix .finding summary")].filter((one) => one.checkVisibility());
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
        const here = document.activeElement?.closest(".finding") ?? document.querySelector(".card-f");
        const main = here?.querySelector<HTMLElement>("[data-fix] .main button");
        (main ?? here?.querySelector<HTMLElement>("[data-fix] button"))?.click();
      },
    };
  }, []);
  useKeys(keys);
}
