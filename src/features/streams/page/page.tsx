// All streams, those with the newest tests first, and the rules that form them.

import { useState } from "preact/hooks";
import { toWholeScore as toScore } from "../../../analyzer/reports/grade-words.ts";
import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { goTo, useArrival, usePlace, useTitle } from "../../../web/client/router.tsx";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { toCount, toDay, toPlural } from "../../../web/client/words.ts";
import { Dialog } from "../../../web/parts/dialog.tsx";
import { Field, FormActs } from "../../../web/parts/form.tsx";
import { RoomHeading } from "../../../web/parts/heading.tsx";
import { EmptyState, LoadNote, sayDone } from "../../../web/parts/states.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { ActionTable, ConfirmDoing, Reading, SectionHead, TroubleNote } from "../../../web/settings/parts.tsx";
import type { Stream } from "../../tests/contract/streams.ts";
import { toMoveWords } from "../../tests/page/stream-words.ts";
import type { StreamRule } from "../contract.ts";

const pageSize = 50;

export function StreamsPage() {
  useTitle("Streams");
  const { query } = usePlace();
  const offset = Math.max(0, Math.floor(Number(query.get("offset") ?? 0)) || 0);
  const { loaded, reload } = useLoaded(`streams ${offset}`, (signal) =>
    call("GET /api/streams", { query: { limit: pageSize, offset }, signal }),
  );
  useLiveReload(reload, ({ type }) => type === "test.analyzed");
  useArrival(loaded.state !== "loading");
  const page = loaded.value;
  return (
    <>
      <RoomHeading lead="A stream is a series of similar messages: the same sender domain and label, or without a label, the same type of mail. Its page shows when the score changed, and why." />
      <LoadNote loaded={loaded} onRetry={reload} lines={6} what="the streams" />
      {page !== null &&
        (page.items.length === 0 && offset === 0 ? (
          <NoStreams />
        ) : (
          <StreamTable streams={page.items} total={page.total} offset={offset} />
        ))}
      <RulesSection />
    </>
  );
}

function NoStreams() {
  return (
    <EmptyState icon="search" title="No streams yet">
      <p>
        A stream begins with its first test. Send each kind of mail to an address with its own label, such as
        inbox+newsletter@…, and each gets its own stream.
      </p>
      <a class="btn primary" href="/start">
        Send a test
      </a>
    </EmptyState>
  );
}

type TableProps = { readonly streams: readonly Stream[]; readonly total: number; readonly offset: number };

function StreamTable({ streams, total, offset }: TableProps) {
  const last = offset + streams.length;
  return (
    <>
      <div class="card flush">
        <Table
          look="fold"
          label="Streams, those with the newest tests first"
          columns={["Stream", { num: "Usual score" }, "Last unusual score", "Newest test"]}
        >
          {streams.map((stream) => (
            <StreamRow key={stream.id} stream={stream} />
          ))}
        </Table>
      </div>
      {total > streams.length && (
        <p class="row mt-3">
          <span class="muted">
            {toCount(offset + 1)} to {toCount(last)} of {toCount(total)}
          </span>
          {offset > 0 && <a href={`/streams?offset=${Math.max(0, offset - pageSize)}`}>Newer</a>}
          {last < total && <a href={`/streams?offset=${last}`}>Older</a>}
        </p>
      )}
    </>
  );
}

function StreamRow({ stream }: { readonly stream: Stream }) {
  const { id, name, usualScore, lastMove, lastAt } = stream;
  return (
    <tr>
      <th scope="row">
        <a href={`/streams/${id}`}>{name}</a>
      </th>
      <td class="num" data-l="Usual score">
        {usualScore === null ? <span class="faint">not known yet</span> : toScore(usualScore)}
      </td>
      <td data-l="Last unusual score">
        {lastMove === null ? (
          <span class="faint">none</span>
        ) : (
          <span>
            <span class={`tone ${lastMove.points < 0 ? "critical" : "good"}`}>{toMoveWords(lastMove)}</span>,{" "}
            <Moment time={lastMove.at} />
          </span>
        )}
      </td>
      <td data-l="Newest test">
        <Moment time={lastAt} />
      </td>
    </tr>
  );
}

function RulesSection() {
  const reading = useLoaded("stream-rules", async (signal) => {
    const { items } = await call("GET /api/stream-rules", { signal });
    return items;
  });
  const { query } = usePlace();
  const [leaving, setLeaving] = useState<StreamRule | null>(null);
  return (
    <section class="sec">
      <SectionHead
        title="Rules"
        lead="A rule puts several senders or labels into one stream, starting with the next test. The first rule that matches counts."
      >
        <a class="btn" href="/streams?new">
          Add rule
        </a>
      </SectionHead>
      <Reading reading={reading} what="the rules">
        {(rules) =>
          rules.length === 0 ? (
            <p class="muted">No rules. Streams are formed by sender domain and label, or type of mail.</p>
          ) : (
            <RuleTable rules={rules} onDelete={setLeaving} />
          )
        }
      </Reading>
      {query.has("new") && <NewRule onDone={reading.reload} />}
      {leaving !== null && (
        <ConfirmDoing
          title={`Delete the rule “${leaving.name}”?`}
          action="Delete"
          act={() => call("DELETE /api/stream-rules/:id", { params: { id: leaving.id } })}
          done="Rule deleted."
          failed="Couldn’t delete the rule."
          onDone={reading.reload}
          onClose={() => setLeaving(null)}
        >
          <p>Its stream keeps its tests. New tests form streams by sender domain and label or type again.</p>
        </ConfirmDoing>
      )}
    </section>
  );
}

type RuleTableProps = { readonly rules: readonly StreamRule[]; readonly onDelete: (rule: StreamRule) => void };

function RuleTable({ rules, onDelete }: RuleTableProps) {
  return (
    <ActionTable caption={toPlural(rules.length, "rule", "rules")} columns={["Name", "Sender", "Label", "Created"]}>
      {rules.map((rule) => (
        <tr key={rule.id}>
          <th scope="row">{rule.name}</th>
          <td data-l="Sender">{rule.sender === null ? "any" : <code>{rule.sender}</code>}</td>
          <td data-l="Label">{rule.label === null ? "any" : <code>{rule.label}</code>}</td>
          <td data-l="Created">
            <Moment time={rule.createdAt} words={toDay(rule.createdAt)} />
          </td>
          <td class="num">
            <button class="btn small danger" type="button" onClick={() => onDelete(rule)}>
              Delete<span class="vh"> the rule {rule.name}</span>
            </button>
          </td>
        </tr>
      ))}
    </ActionTable>
  );
}

function NewRule({ onDone }: { readonly onDone: () => void }) {
  const { isBusy, trouble, run } = useDoing();
  const close = () => goTo("/streams");
  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const body = { name: text("name"), sender: text("sender") || null, label: text("label") || null };
    if (!(await run(() => call("POST /api/stream-rules", { body })))) return;
    close();
    onDone();
    sayDone("Rule added.");
  };
  return (
    <Dialog title="Add rule" onClose={close}>
      <form class="stack" onSubmit={(event) => void create(event)}>
        <Field
          label="Name"
          name="name"
          required
          hint="Shown as the stream’s name."
          error={troubleAt(trouble, "name")}
        />
        <Field
          label="Sender"
          name="sender"
          hint="An address like news@example.com. * stands for anything, as in *@example.com. Leave it empty for any sender."
          error={troubleAt(trouble, "sender")}
        />
        <Field
          label="Label"
          name="label"
          hint="A label, such as receipt-*. Leave it empty for any label."
          error={troubleAt(trouble, "label")}
        />
        <TroubleNote trouble={trouble} title="Couldn’t add the rule." fields={["name", "sender", "label"]} />
        <FormActs action="Add rule" isBusy={isBusy} onCancel={close} />
      </form>
    </Dialog>
  );
}
