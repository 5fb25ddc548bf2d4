// The effect of changed records on the domain's stored messages: how many would do better or worse, and which.

import type { askDomainWhatIf } from "../../features/feedback/contract/domain-sources.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import type { AnswerOf } from "../../platform/contract/endpoint.ts";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { toCount, toList, toPlural, toScore } from "../client/words.ts";
import type { GivenRecords } from "../parts/record-form.tsx";
import { ErrorNote, Note, Skeleton } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Moment } from "../parts/text.tsx";
import { Arrow, ResultWord } from "../parts/tone.tsx";

type Answer = AnswerOf<typeof askDomainWhatIf>;
type Messages = Answer["messages"];
/** Null if the domain isn't in the workspace. */
type Asked = Answer | null;

type StoredProps = { readonly test: TestReport; readonly records: readonly GivenRecords[] };

export function StoredMessages({ test, records }: StoredProps) {
  const domain = test.authentication?.dmarc?.domain ?? null;
  return domain === null ? null : (
    <section class="mt-4" aria-labelledby="stored-h">
      <StoredOf key={JSON.stringify(records)} domain={domain} testId={test.id} records={records} />
    </section>
  );
}

async function askOfDomain(domain: string, records: readonly GivenRecords[], signal: AbortSignal): Promise<Asked> {
  const { items } = await call("GET /api/domains", { signal });
  const watched = items.find((one) => one.domain === domain);
  if (!watched) return null;
  return await call("POST /api/domains/:id/what-if", { params: { id: watched.id }, body: { records }, signal });
}

type OfDomainProps = { readonly domain: string; readonly testId: string; readonly records: readonly GivenRecords[] };

function StoredOf({ domain, testId, records }: OfDomainProps) {
  const { loaded, reload } = useLoaded(domain, (signal) => askOfDomain(domain, records, signal));
  return (
    <div class="stack">
      <h3 id="stored-h">Stored messages from {domain}</h3>
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t check the stored messages." message={loaded.trouble.message} onRetry={reload} />
      )}
      {loaded.state === "loading" && <Skeleton lines={3} what="the stored messages" />}
      {loaded.state === "there" && loaded.value === null && (
        <Note>
          {domain} isn’t one of your domains. <a href="/domains">Add it</a> to see the effect on all of its stored
          messages.
        </Note>
      )}
      {loaded.state === "there" && loaded.value !== null && (
        <MessagesThen messages={loaded.value.messages} testId={testId} />
      )}
    </div>
  );
}

function MessagesThen({ messages, testId }: { readonly messages: Messages; readonly testId: string }) {
  const { changes, unclear, leftOut } = messages;
  return (
    <>
      <p>{toSentenceOf(messages)}</p>
      {messages.worse > 0 && (
        <Note tone="minor">
          <strong>
            {toPlural(messages.worse, "message would get worse results", "messages would get worse results")}.
          </strong>{" "}
          Check each one before you publish the record.
        </Note>
      )}
      {unclear + leftOut > 0 && (
        <p class="small muted">
          {[
            unclear > 0 ? `Result unknown for ${toPlural(unclear, "message", "messages")}.` : "",
            leftOut > 0 ? `${toPlural(leftOut, "older message was", "older messages were")} not checked.` : "",
          ].join(" ")}
        </p>
      )}
      {changes.length > 0 && (
        <div class="card flush">
          <Table
            look="fold hover stored"
            caption="Messages that would change, newest first"
            columns={["Message", "DMARC", { num: "Score" }, "Why"]}
          >
            {changes.map((change) => (
              <ChangedMessage key={change.testId} change={change} isThis={change.testId === testId} />
            ))}
          </Table>
        </div>
      )}
    </>
  );
}

function toSentenceOf({ seen, better, worse, otherwise, unchanged }: Messages): string {
  if (seen === 0) return "No stored messages to check.";
  const parts = [
    [better, "better"],
    [worse, "worse"],
    [otherwise, "different, but neither better nor worse"],
    [unchanged, "unchanged"],
  ] as const;
  const counts = parts.filter(([count]) => count > 0).map(([count, words]) => `${toCount(count)} ${words}`);
  const newest = seen === 1 ? "newest message" : `newest ${toCount(seen)} messages`;
  return `Effect on the ${newest}: ${toList(counts)}.`;
}

type ChangedProps = { readonly change: Messages["changes"][number]; readonly isThis: boolean };

function ChangedMessage({ change, isThis }: ChangedProps) {
  const { testId, subject, from, receivedAt, before, after, says } = change;
  return (
    <tr>
      <th scope="row">
        <a class="subject" href={`/tests/${testId}`}>
          <bdi>{subject?.trim() || "No subject"}</bdi>
        </a>
        {isThis && <span class="tag block">this message</span>}
        <span class="label block">
          {from?.trim() || "No sender"} · <Moment time={receivedAt} />
        </span>
      </th>
      <td data-l="DMARC">
        <span>
          <ResultWord word={before.dmarc} />
          {before.dmarc !== after.dmarc && (
            <>
              <Arrow />
              <ResultWord word={after.dmarc} />
            </>
          )}
        </span>
      </td>
      <td data-l="Score" class="num">
        <span>
          {toText(before.composite)}
          {before.composite !== after.composite && (
            <>
              <Arrow />
              <strong>{toText(after.composite)}</strong>
            </>
          )}
        </span>
      </td>
      <td data-l="Why" class="small">
        <span>{says.find((sentence) => !sentence.startsWith("The score ")) ?? says[0]}</span>
      </td>
    </tr>
  );
}

function toText(score: number | null): string {
  return score === null ? "–" : toScore(score);
}
