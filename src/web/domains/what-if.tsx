// What other records would change, for the domain and for its mail, before anybody touches DNS.

import type { askDomainWhatIf } from "../../api/domain-sources.ts";
import type { MonitoredDomain } from "../../api/domains.ts";
import type { AnswerOf } from "../../api/endpoint.ts";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { goTo, usePlace } from "../client/router.tsx";
import { toCount, toPlural, toScore, toSentence, toWord } from "../client/words.ts";
import { RecordForm, type RecordRow, toGivenRecords } from "../parts/record-form.tsx";
import { Moment, Words } from "../parts/text.tsx";
import { Severity } from "../parts/tone.tsx";
import { readTried, toTryAddress } from "./records.tsx";
import { VerdictSign, verdictMechanisms, verdictNames } from "./verdicts.tsx";

type WhatIf = AnswerOf<typeof askDomainWhatIf>;

export function WhatIfSection({ domain }: { readonly domain: MonitoredDomain }) {
  const { query } = usePlace();
  const tried = readTried(query);
  const key = JSON.stringify(tried);
  const { loaded, reload } = useLoaded<WhatIf | null>(key, async (signal) => {
    if (tried.length === 0) return null;
    const body = { records: toGivenRecords(tried) };
    return await call("POST /api/domains/:id/what-if", { params: { id: domain.id }, body, signal });
  });
  const tryAll = (rows: readonly RecordRow[]) => {
    if (JSON.stringify(rows) === key) reload();
    else goTo(toTryAddress(domain.id, rows));
  };
  return (
    <section class="sec" id="what-if" aria-labelledby="what-if-h">
      <div class="sec-h">
        <h2 id="what-if-h">What if it stood otherwise in DNS?</h2>
        <p>
          Type records as you would publish them, and see what they would change for the domain and its newest
          50 stored messages. Nothing is stored, DNS is not touched.
        </p>
      </div>
      <div class="card stack">
        <RecordForm
          key={key}
          initial={tried.length > 0 ? tried : [toBeginning(domain)]}
          onSubmit={tryAll}
          isBusy={tried.length > 0 && loaded.state === "loading"}
          trouble={loaded.state === "failed" ? loaded.trouble : null}
        />
        <div aria-live="polite">
          {loaded.state === "there" && loaded.value && <Outcome whatIf={loaded.value} />}
        </div>
      </div>
    </section>
  );
}

/** The policy is what people hesitate to change. */
function toBeginning({ domain, details }: MonitoredDomain): RecordRow {
  return {
    name: `_dmarc.${domain}`,
    type: "TXT",
    value: details?.dmarc?.record ?? "v=DMARC1; p=quarantine",
  };
}

function Outcome({ whatIf }: { readonly whatIf: WhatIf }) {
  const { before, after, gone, added, messages } = whatIf;
  return (
    <div class="stack rule-above">
      <h3>{toHeading(whatIf)}</h3>
      <table class="table fold">
        <caption class="vh">Verdicts before and after</caption>
        <thead>
          <tr>
            <th scope="col">Verdict</th>
            <th scope="col">Now</th>
            <th scope="col">Then</th>
          </tr>
        </thead>
        <tbody>
          {verdictMechanisms.map((mechanism) => (
            <tr key={mechanism} class={before[mechanism] === after[mechanism] ? undefined : "arriving"}>
              <th scope="row">{verdictNames[mechanism]}</th>
              <td data-l="Now">
                <VerdictSign mechanism={mechanism} verdict={before[mechanism]} />
              </td>
              <td data-l="Then">
                <VerdictSign mechanism={mechanism} verdict={after[mechanism]} />
              </td>
            </tr>
          ))}
          <tr class={before.score === after.score ? undefined : "arriving"}>
            <th scope="row">Score</th>
            <td data-l="Now">{toScoreText(before.score)}</td>
            <td data-l="Then">{toScoreText(after.score)}</td>
          </tr>
        </tbody>
      </table>
      <Findings title="What would be mended" findings={gone} isGone />
      <Findings title="What would be wrong then" findings={added} />
      <Messages messages={messages} />
    </div>
  );
}

function toScoreText(score: number | null): string {
  return score === null ? "–" : toScore(score);
}

function toHeading({ before, after, messages }: WhatIf): string {
  const changed = verdictMechanisms.filter((mechanism) => before[mechanism] !== after[mechanism]);
  const verdicts =
    changed.length === 0
      ? "No verdict of the domain would change"
      : `${toSentence(toWord(changed.length))} ${changed.length === 1 ? "verdict" : "verdicts"} of the domain would change`;
  const touched = messages.better + messages.worse + messages.otherwise;
  if (messages.seen === 0) return `${verdicts}; no message of it is stored`;
  return `${verdicts}; ${touched === 0 ? "none" : toCount(touched)} of ${toPlural(messages.seen, "message", "messages")} would fare otherwise`;
}

type FindingGroupProps = {
  readonly title: string;
  readonly findings: WhatIf["gone"];
  readonly isGone?: boolean;
};

function Findings({ title, findings, isGone = false }: FindingGroupProps) {
  const faults = findings.filter(({ severity }) => severity !== "good");
  if (faults.length === 0) return null;
  return (
    <div class="stack-2">
      <h4>{title}</h4>
      <ul class="stack-2">
        {faults.map(({ id, severity, title: name, summary }) => (
          <li key={id} class="row told">
            <Severity tone={isGone ? "good" : severity}>{isGone ? "Mended" : undefined}</Severity>
            <span>
              {name}
              <span class="under small muted">
                <Words text={summary} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Messages({ messages }: { readonly messages: WhatIf["messages"] }) {
  const { better, worse, otherwise, unchanged, unclear, leftOut, changes } = messages;
  const counts = [
    { count: better, says: "would do better" },
    { count: worse, says: "would do worse" },
    { count: otherwise, says: "would change, neither for better nor for worse" },
    { count: unchanged, says: "would stay as before" },
  ].filter(({ count }) => count > 0);
  return (
    <div class="stack-2">
      {counts.length > 0 && (
        <>
          <h4>Its messages</h4>
          <p>
            {counts.map(({ count, says }) => `${toPlural(count, "message", "messages")} ${says}`).join(" · ")}
          </p>
        </>
      )}
      {unclear > 0 && (
        <p class="small muted">
          Of {toPlural(unclear, "message", "messages")} it cannot be told: what they rest on was not recorded.
        </p>
      )}
      {leftOut > 0 && (
        <p class="small muted">
          {toPlural(leftOut, "older message was", "older messages were")} not looked at.
        </p>
      )}
      {changes.length > 0 && (
        <ul class="plain changes">
          {changes.map((change) => (
            <li key={change.testId}>
              <span>
                <a href={`/tests/${change.testId}`}>{change.subject?.trim() || "No subject"}</a>{" "}
                <span class="label">
                  {change.from} · <Moment time={change.receivedAt} />
                </span>
                {change.says.slice(0, 2).map((words) => (
                  <span key={words} class="under small muted">
                    {words}
                  </span>
                ))}
              </span>
              <span class="nowrap score">
                {change.before.composite !== change.after.composite &&
                  `${toScoreText(change.before.composite)} → `}
                {toScoreText(change.after.composite)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
