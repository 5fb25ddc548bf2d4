// What the sender did at a rehearsal address, over all its connections. Only for tests whose address asked for it.

import { useEffect } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useSession } from "../../../web/client/session.ts";
import { toMoment, toPlural } from "../../../web/client/words.ts";
import { ErrorNote, Note, Skeleton } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity, type Tone } from "../../../web/parts/tone.tsx";
import { Listing } from "../../../web/report/listing.tsx";
import type { TestReport } from "../../tests/contract/tests.ts";
import type { Rehearsal } from "../contract.ts";
import { asksForRehearsal, toAttemptConnection, toAttemptOutcome, toRehearsalName } from "../words.ts";

/** A sender's queue takes minutes, so this is soon enough. */
const lookEveryMs = 15_000;

export function RehearsalSection({ test }: { readonly test: TestReport }) {
  return asksForRehearsal(test.label) ? <Section test={test} /> : null;
}

function Section({ test }: { readonly test: TestReport }) {
  const { loaded, reload } = useLoaded(`${test.id} ${test.analyzed_at}`, (signal) =>
    call("GET /api/tests/:id/rehearsal", { params: { id: test.id }, signal }),
  );
  const { value } = loaded;
  const isWaiting = value?.rehearsal?.behavior.some(({ tone }) => tone === "waiting") ?? false;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [isWaiting, reload]);
  // An upload may have any label.
  if (value !== null && value.rehearsal === null && value.asked === null) return null;
  return (
    <section class="sec" id="sender" aria-labelledby="sender-h">
      <div class="sec-h">
        <h2 id="sender-h">Sender behavior</h2>
        <p>
          {value?.rehearsal ? `${toRehearsalName(value.rehearsal.tag)}. ` : ""}What the sender did with our replies.{" "}
          <a href="/docs/rehearsal">About rehearsals</a>
        </p>
      </div>
      {loaded.state === "failed" && value === null && (
        <ErrorNote title="Couldn’t load the sender’s behavior." message={loaded.trouble.message} onRetry={reload} />
      )}
      {value === null && loaded.state === "loading" && <Skeleton lines={3} what="the sender’s behavior" />}
      {value !== null &&
        (value.rehearsal === null ? <TurnedOff /> : <Behavior rehearsal={value.rehearsal} testId={test.id} />)}
    </section>
  );
}

function TurnedOff() {
  const { workspace } = useSession();
  return (
    <Note tone="info">
      This address asks for a rehearsal, but rehearsals are{" "}
      {workspace.rehearsal === "off" ? "turned off" : "not turned on for public listeners"} in this workspace, so the
      message was accepted like any other. <a href="/settings/receiving#rehearsals">Rehearsal settings</a>
    </Note>
  );
}

const tones: Readonly<Record<Rehearsal["behavior"][number]["tone"], Tone>> = {
  good: "good",
  bad: "major",
  info: "info",
  waiting: "unknown",
};
const toneWords = { good: "Good", bad: "Issue", info: "Note", waiting: "So far" } as const;

type BehaviorProps = { readonly rehearsal: Rehearsal; readonly testId: string };

function Behavior({ rehearsal: { attempts, behavior, address }, testId }: BehaviorProps) {
  return (
    <div class="stack">
      {behavior.length > 0 && (
        <ul class="card flush rows">
          {behavior.map(({ id, tone, says, section }) => (
            <li key={`${id} ${says}`} class="p-34">
              <Severity tone={tones[tone]}>{toneWords[tone]}</Severity> {says}
              {section !== null && <span class="small muted"> {section}</span>}
            </li>
          ))}
        </ul>
      )}
      <div class="card flush">
        <Listing
          caption={toPlural(attempts.length, "connection", "connections")}
          columns={["Time", "From", "Connection", "Result"]}
          rows={attempts}
          none="No attempts yet."
          cells={(attempt) => [
            <Moment time={attempt.at} words={toMoment(attempt.at)} key="time" />,
            <Client attempt={attempt} key="client" />,
            toAttemptConnection(attempt),
            <Result attempt={attempt} testId={testId} key="result" />,
          ]}
        />
      </div>
      <p class="small muted">
        Sent to <code>{address}</code>
      </p>
    </div>
  );
}

type AttemptProps = { readonly attempt: Rehearsal["attempts"][number] };

function Client({ attempt: { address, helo } }: AttemptProps) {
  return (
    <>
      {address ?? "Unknown address"}
      {helo !== null && <span class="settings-sub">{helo}</span>}
    </>
  );
}

function Result({ attempt, testId }: AttemptProps & { readonly testId: string }) {
  const { reply, testId: own } = attempt;
  return (
    <>
      {toAttemptOutcome(attempt)}
      {own !== null && own !== testId && (
        <>
          {" "}
          <a class="small" href={`/tests/${own}`}>
            See this test
          </a>
        </>
      )}
      {reply.length > 0 && (
        <span class="settings-sub">
          <code>{reply[0]}</code>
        </span>
      )}
    </>
  );
}
