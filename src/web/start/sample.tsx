// A sample that Assay sends itself, for who has nothing to send yet. Which test comes of it the server alone knows: it is
// asked whenever something has happened in the workspace.

import { useCallback, useEffect, useState } from "preact/hooks";
import type { AnswerOf } from "../../api/endpoint.ts";
import type { Send, sendTest } from "../../api/sends.ts";
import { ask, Trouble } from "../client/ask.ts";
import { useEvents } from "../client/events.ts";
import { goTo } from "../client/router.tsx";
import { Icon } from "../parts/icon.tsx";
import { ErrorNote } from "../parts/states.tsx";

type Queued = AnswerOf<typeof sendTest>;
type Problem = { readonly title: string; readonly message: string };

const subject = "A sample from Assay";

export function SampleCard({ seedAddress }: { readonly seedAddress: string }) {
  const [queued, setQueued] = useState<Queued | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const giveUp = useCallback((why: Problem) => {
    setQueued(null);
    setProblem(why);
  }, []);
  useOutcome(queued, giveUp);
  const send = async () => {
    setProblem(null);
    setBusy(true);
    try {
      const body = { subject, from: seedAddress };
      setQueued(await ask<Queued>("POST", "/api/tests/send-test", { body }));
    } catch (error) {
      giveUp(toProblem(error));
    }
    setBusy(false);
  };
  return (
    <section class="card stack" aria-label="Send me a sample">
      <h3>Send me a sample</h3>
      <p class="muted">
        Assay sends a newsletter of its own to the address above: a whole report to look at before your own
        mail is ready.
      </p>
      {problem !== null && <ErrorNote {...problem} />}
      {queued === null ? (
        <button class="btn" type="button" disabled={isBusy} onClick={() => void send()}>
          <Icon name="send" />
          {isBusy ? "Sending …" : "Send me a sample"}
        </button>
      ) : (
        <OnItsWay queued={queued} />
      )}
    </section>
  );
}

function OnItsWay({ queued: { to, transport } }: { readonly queued: Queued }) {
  return (
    <div class="note good" role="status">
      <Icon name="good" />
      <span>
        <strong>It is sent</strong> to {to},{" "}
        {transport === "relay" ? "through your relay." : "straight to this server, for want of a relay."}
        <br />
        <span class="live">
          Its report opens here when it arrives{transport === "relay" && ", which may take minutes"}
        </span>
      </span>
    </div>
  );
}

function toProblem(error: unknown): Problem {
  const { code, message } = error instanceof Trouble ? error : { code: "internal", message: String(error) };
  if (code === "plan_limit") return { title: "Nothing was sent.", message };
  if (code === "send_failed") return { title: "It could not be handed over.", message };
  return { title: "It was not sent.", message };
}

/** Leads to the report of what was sent, or tells why there will be none. */
function useOutcome(queued: Queued | null, giveUp: (why: Problem) => void): void {
  const [happened, setHappened] = useState(0);
  useEvents(useCallback(() => setHappened((count) => count + 1), []));
  useEffect(() => {
    if (queued === null) return;
    const leaving = new AbortController();
    const look = async () => {
      const { testId, status, problem } = await ask<Send>("GET", `/api/sends/${queued.id}`, {
        signal: leaving.signal,
      });
      if (testId !== null) goTo(`/tests/${testId}`);
      else if (status === "bounced")
        giveUp({ title: "It came back.", message: problem ?? "The other side did not say why." });
    };
    // What could not be read now is read at the next event.
    look().catch(() => {});
    return () => leaving.abort();
  }, [queued, happened, giveUp]);
}
