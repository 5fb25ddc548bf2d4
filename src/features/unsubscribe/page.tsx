// Unsubscribes the address that received the message, on a click, and shows whether mail of the list still arrives.

import { useState } from "preact/hooks";
import { call } from "../../web/client/call.ts";
import { useLoaded } from "../../web/client/loading.ts";
import { useDoing } from "../../web/client/use-action.ts";
import { toDuration, toSize } from "../../web/client/words.ts";
import { Dialog } from "../../web/parts/dialog.tsx";
import { RadioOption } from "../../web/parts/form.tsx";
import { Icon } from "../../web/parts/icon.tsx";
import { ErrorNote, Note, Skeleton } from "../../web/parts/states.tsx";
import { Moment } from "../../web/parts/text.tsx";
import type { TestReport } from "../tests/contract/tests.ts";
import type { UnsubscribeAttempt, Unsubscribes } from "./contract.ts";

/** Only list mail can be unsubscribed, so other reports don't ask. */
function isListMail({ headers }: TestReport): boolean {
  return headers?.some(({ name }) => /^list-(?:unsubscribe|id)$/i.test(name)) ?? false;
}

export function useUnsubscribes(test: TestReport) {
  return useLoaded<Unsubscribes | null>(`${test.id} ${test.analyzed_at}`, async (signal) =>
    isListMail(test) ? await call("GET /api/tests/:id/unsubscribe", { params: { id: test.id }, signal }) : null,
  );
}

type Loaded = ReturnType<typeof useUnsubscribes>;

/** At the top of the report: this list was unsubscribed before, or still sends. */
export function UnsubscribeNote({ loaded: { value } }: Pick<Loaded, "loaded">) {
  const earlier = value?.earlier ?? null;
  const still = value?.attempts.find(({ proof }) => proof.state === "receiving");
  return (
    <>
      {earlier !== null && (
        <Note tone={earlier.late ? "minor" : "info"}>
          {earlier.says} <a href={`/tests/${earlier.testId}#unsubscribe`}>See that request</a>
        </Note>
      )}
      {still !== undefined && (
        <Note tone="minor">
          {still.proof.says} <a href="#unsubscribe">Details</a>
        </Note>
      )}
    </>
  );
}

type SectionProps = { readonly test: TestReport; readonly unsubscribes: Loaded };

export function UnsubscribeSection({ test, unsubscribes: { loaded, reload, put } }: SectionProps) {
  const [isAsking, setAsking] = useState(false);
  const { value } = loaded;
  const possible = value?.ways.some((way) => way.possible) ?? false;
  const attempts = value?.attempts ?? [];
  return (
    <section class="sec" id="unsubscribe" aria-labelledby="unsubscribe-h">
      <div class="sec-h">
        <h2 id="unsubscribe-h">Unsubscribe</h2>
        <p>
          {!isListMail(test)
            ? "The message has no List-Unsubscribe header, so there is nothing to try."
            : value === null || possible
              ? "Check that unsubscribing works: Assay sends the request as a mailbox provider would. Nothing is sent until you confirm."
              : "Assay can’t try unsubscribing from this message."}
        </p>
      </div>
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t load this section." message={loaded.trouble.message} onRetry={reload} />
      )}
      {value === null && loaded.state === "loading" && <Skeleton lines={2} what="earlier requests" />}
      {value !== null && !possible && <WhyNot ways={value.ways} />}
      {attempts.map((attempt) => (
        <Attempt key={attempt.id} attempt={attempt} />
      ))}
      {possible && (
        <p class="row mt-4 noprint">
          <button class="btn" type="button" onClick={() => setAsking(true)}>
            {attempts.length > 0 ? "Unsubscribe again…" : "Unsubscribe…"}
          </button>
        </p>
      )}
      {isAsking && value !== null && (
        <AskDialog test={test} value={value} onDone={put} onClose={() => setAsking(false)} />
      )}
    </section>
  );
}

function WhyNot({ ways }: Pick<Unsubscribes, "ways">) {
  const reasons = [...new Set(ways.flatMap(({ why }) => why ?? []))];
  return (
    <>
      {reasons.map((why) => (
        <Note key={why} tone="unknown">
          {why}
        </Note>
      ))}
    </>
  );
}

const looks = {
  accepted: { tone: "good", title: "Request accepted" },
  rejected: { tone: "major", title: "Request not accepted" },
  unclear: { tone: "minor", title: "Not clear whether it worked" },
  unreachable: { tone: "major", title: "No response" },
  refused: { tone: "unknown", title: "Not sent" },
  pending: { tone: "unknown", title: "In progress" },
  unknown: { tone: "unknown", title: "Outcome unknown" },
} as const;

function Attempt({ attempt }: { readonly attempt: UnsubscribeAttempt }) {
  const { result, says, method, target, createdAt, requirements, proof, durationMs, bodyBytes, reply } = attempt;
  const { tone, title } = looks[result];
  const facts = [
    durationMs === null || requirements.length > 1 ? null : toDuration(durationMs),
    bodyBytes === null ? null : `response of ${toSize(bodyBytes)}`,
    reply === null ? null : `reply: ${reply}`,
  ].filter((fact) => fact !== null);
  return (
    <div class={`card p-34 mt-4 stack-2 ${tone}`}>
      <p class="row">
        <span class="tone">
          <Icon name={tone} />
        </span>
        <strong>{title}</strong>
        <span class="muted small">
          <Moment time={createdAt} /> · {method === "one-click" ? "one-click POST" : "message"} to <code>{target}</code>
        </span>
      </p>
      <p>{says}</p>
      {requirements.length > 0 && (
        <ul class="rules">
          {requirements.map((row) => {
            const mark = row.met === null ? "unknown" : row.met ? "good" : "major";
            return (
              <li key={row.id} class={mark}>
                <span class="tone">
                  <Icon name={mark} />
                </span>
                <span>
                  <span class="vh">{row.met === null ? "Not known: " : row.met ? "Met: " : "Not met: "}</span>
                  {row.says}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {facts.length > 0 && <p class="small muted">{facts.join(" · ")}</p>}
      {proof.state === "receiving" ? (
        <Note tone="minor">
          <SinceThen proof={proof} />
        </Note>
      ) : (
        <p>
          <SinceThen proof={proof} />
        </p>
      )}
    </div>
  );
}

function SinceThen({ proof }: Pick<UnsubscribeAttempt, "proof">) {
  return (
    <>
      <strong>Since then:</strong> {proof.says}{" "}
      {[...proof.after, ...proof.within, ...proof.otherLists].slice(0, 5).map(({ testId, receivedAt }) => (
        <a key={testId} class="nowrap" href={`/tests/${testId}`}>
          <Moment time={receivedAt} />{" "}
        </a>
      ))}
    </>
  );
}

type AskProps = {
  readonly test: TestReport;
  readonly value: Unsubscribes;
  readonly onDone: (value: Unsubscribes) => void;
  readonly onClose: () => void;
};

function AskDialog({ test, value, onDone, onClose }: AskProps) {
  const possible = value.ways.filter((way) => way.possible);
  const [method, setMethod] = useState(possible[0]?.method);
  const { isBusy, trouble, run } = useDoing();
  const wanted = possible.find((way) => way.method === method);
  const send = async () => {
    const body = { method, again: value.attempts.length > 0 };
    const done = await run(async () =>
      onDone(await call("POST /api/tests/:id/unsubscribe", { params: { id: test.id }, body })),
    );
    if (done) onClose();
  };
  return (
    <Dialog title="Unsubscribe this address?" onClose={onClose}>
      <Note tone="minor">
        This really unsubscribes <strong>{value.recipient}</strong>. The list may stop sending test mail to this
        address, and Assay can’t subscribe it again.
      </Note>
      {possible.length > 1 && (
        <fieldset class="stack-2">
          <legend class="vh">How to unsubscribe</legend>
          {possible.map((way) => (
            <RadioOption
              key={way.method}
              name="method"
              title={way.method === "one-click" ? "One-click request" : "Message"}
              isChosen={way.method === method}
              onChoose={() => setMethod(way.method)}
            />
          ))}
        </fieldset>
      )}
      <p>
        {wanted?.method === "mailto" ? "A message from this address goes to " : "A POST request (RFC 8058) goes to "}
        <code>{wanted?.target}</code>. The header is signed by {wanted?.signedBy}.
      </p>
      {trouble !== null && <ErrorNote title="Couldn’t unsubscribe." message={trouble.message} />}
      <div class="acts">
        <button class="btn" type="button" autofocus onClick={onClose}>
          Cancel
        </button>
        <button class="btn danger" type="button" disabled={isBusy} onClick={() => void send()}>
          {isBusy ? "Sending…" : "Unsubscribe"}
        </button>
      </div>
    </Dialog>
  );
}
