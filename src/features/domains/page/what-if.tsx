// Previews how other DNS records would change the domain's verdicts and its mail.

import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { goTo, usePlace } from "../../../web/client/router.tsx";
import { toCount, toPlural, toScore } from "../../../web/client/words.ts";
import { RecordForm, type RecordRow, toGivenRecords } from "../../../web/parts/record-form.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Moment, Words } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import type { askDomainWhatIf } from "../../feedback/contract/domain-sources.ts";
import type { MonitoredDomain } from "../contract/domains.ts";
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
        <h2 id="what-if-h">Preview a DNS change</h2>
        <p>
          Enter records to see their effect on the domain and its latest 50 tests. Nothing is saved, and your DNS
          records don’t change.
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
        <div aria-live="polite">{loaded.state === "there" && loaded.value && <Outcome whatIf={loaded.value} />}</div>
      </div>
    </section>
  );
}

/** Starts with the DMARC policy, the record that people hesitate to change. */
function toBeginning({ domain, details }: MonitoredDomain): RecordRow {
  return { name: `_dmarc.${domain}`, type: "TXT", value: details?.dmarc?.record ?? "v=DMARC1; p=quarantine" };
}

function Outcome({ whatIf }: { readonly whatIf: WhatIf }) {
  const { before, after, gone, added, messages } = whatIf;
  return (
    <div class="stack rule-above">
      <h3>{toHeading(whatIf)}</h3>
      <Table look="fold" label="Verdicts before and after" columns={["Verdict", "Now", "After"]}>
        {verdictMechanisms.map((mechanism) => (
          <tr key={mechanism} class={before[mechanism] === after[mechanism] ? undefined : "arriving"}>
            <th scope="row">{verdictNames[mechanism]}</th>
            <td data-l="Now">
              <VerdictSign mechanism={mechanism} verdict={before[mechanism]} />
            </td>
            <td data-l="After">
              <VerdictSign mechanism={mechanism} verdict={after[mechanism]} />
            </td>
          </tr>
        ))}
        <tr class={before.score === after.score ? undefined : "arriving"}>
          <th scope="row">Score</th>
          <td data-l="Now">{toScoreText(before.score)}</td>
          <td data-l="After">{toScoreText(after.score)}</td>
        </tr>
      </Table>
      <Findings title="Would be fixed" findings={gone} isGone />
      <Findings title="New issues" findings={added} />
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
      ? "No verdict would change"
      : `${toPlural(changed.length, "verdict", "verdicts")} would change`;
  const touched = messages.better + messages.worse + messages.otherwise;
  if (messages.seen === 0) return `${verdicts}. No tests from this domain yet`;
  return `${verdicts}, ${touched === 0 ? "none" : toCount(touched)} of ${toPlural(messages.seen, "message", "messages")} affected`;
}

type FindingGroupProps = { readonly title: string; readonly findings: WhatIf["gone"]; readonly isGone?: boolean };

function Findings({ title, findings, isGone = false }: FindingGroupProps) {
  const issues = findings.filter(({ severity }) => severity !== "good");
  if (issues.length === 0) return null;
  return (
    <div class="stack-2">
      <h4>{title}</h4>
      <ul class="stack-2">
        {issues.map(({ id, severity, title: name, summary }) => (
          <li key={id} class="row told">
            <Severity tone={isGone ? "good" : severity}>{isGone ? "Fixed" : undefined}</Severity>
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
    { count: better, says: "would improve" },
    { count: worse, says: "would get worse" },
    { count: otherwise, says: "would change, neither better nor worse" },
    { count: unchanged, says: "would stay the same" },
  ].filter(({ count }) => count > 0);
  return (
    <div class="stack-2">
      {counts.length > 0 && (
        <>
          <h4>Messages</h4>
          <p>{counts.map(({ count, says }) => `${toPlural(count, "message", "messages")} ${says}`).join(" · ")}</p>
        </>
      )}
      {unclear > 0 && (
        <p class="small muted">
          The effect on {toPlural(unclear, "message", "messages")} is unknown because their DNS responses weren’t
          recorded.
        </p>
      )}
      {leftOut > 0 && (
        <p class="small muted">{toPlural(leftOut, "older message was", "older messages were")} not checked.</p>
      )}
      {changes.length > 0 && (
        <ul class="plain changes">
          {changes.map((change) => (
            <li key={change.testId}>
              <span>
                <a href={`/tests/${change.testId}`}>
                  <bdi>{change.subject?.trim() || "No subject"}</bdi>
                </a>{" "}
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
                {change.before.composite !== change.after.composite && `${toScoreText(change.before.composite)} → `}
                {toScoreText(change.after.composite)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
