// The first three issues to fix: what is wrong, who fixes it, the gain, and a link to the fix.

import { useContext } from "preact/hooks";
import { toFirstSentence } from "../../analyzer/words/plain-words.ts";
import type { Finding } from "../../features/tests/contract/judgment.ts";
import { noteReaders, toNote } from "../../features/tests/words/note-words.ts";
import { toList, toPlural, toScore } from "../client/words.ts";
import { CopyButton } from "../parts/copy.tsx";
import { isStatic } from "../parts/static.ts";
import { Words } from "../parts/text.tsx";
import { Severity } from "../parts/tone.tsx";
import { cureLineOf, faultsOf, followersOf, isIssue, type Judged, toAnchor, withholdsFixes } from "./findings.ts";
import { NoteContext } from "./remedy.tsx";

const most = 3;

export function FirstSteps({ test }: { readonly test: Judged }) {
  const issues = faultsOf(test);
  if (issues.length === 0) return null;
  return (
    <section class="first-steps" aria-labelledby="first-h">
      <h2 id="first-h">
        {withholdsFixes(test) ? "Main issues" : issues.length === 1 ? "Fix this first" : "Fix these first"}
      </h2>
      <ol class={`grid g3 n${Math.min(issues.length, most)}`}>
        {issues.slice(0, most).map((finding) => (
          <Step key={finding.id} test={test} finding={finding} />
        ))}
      </ol>
      {issues.length > most && (
        <p class="small">
          <a href="#fix">See all {toPlural(issues.length, "issue", "issues")}</a>
        </p>
      )}
    </section>
  );
}

function Step({ test, finding }: { readonly test: Judged; readonly finding: Finding }) {
  const { id, severity, title, summary, owner } = finding;
  const note = useContext(NoteContext);
  const isAdvised = !withholdsFixes(test);
  const fixed = followersOf(test, id).filter(isIssue);
  const followers = [...new Set(fixed.map((follower) => follower.title))];
  return (
    <li class={`card step ${severity}`}>
      <p class="row between">
        <Severity tone={severity} />
        <span class="tag">{ownerNames[owner]}</span>
      </p>
      <h3>{title}</h3>
      {isStatic && summary === "" ? null : (
        <p class="muted">
          {/* The list of issues has the rest. */}
          <Words text={toFirstSentence(summary)} />
        </p>
      )}
      {followers.length > 0 && <p class="small">Also fixes: {toList(followers)}</p>}
      {isAdvised && <p class="step-gain">{toGain(test, finding)}</p>}
      <p class="step-end noprint">
        <a class="btn small" href={`#${toAnchor(id)}`}>
          {isAdvised ? "See fix" : "See details"}
          <span class="vh">: {title}</span>
        </a>
        {isAdvised && (
          <CopyButton
            text={toNote({ owner, findings: [{ ...finding, cures: cureLineOf(test, id) }], ...note })}
            label="Copy note"
            what={`for ${noteReaders[owner]}: ${title}`}
          />
        )}
      </p>
    </li>
  );
}

/** Where to fix it. */
const ownerNames: Readonly<Record<Finding["owner"], string>> = {
  content: "Content",
  "email-service": "Email service",
  dns: "DNS",
  "mail-server": "Mail server",
};

/** What this fix cures, and how the score rises. */
function toGain(test: Judged, { id, gain }: Finding): string {
  return cureLineOf(test, id) ?? (gain > 0 ? `+${toScore(gain)} ${toScore(gain) === "1" ? "point" : "points"}` : "");
}
