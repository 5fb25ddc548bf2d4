// A sample that Assay sends itself, for a reader who has nothing to send yet: the prepared message "sample" of the gallery.
// Which test it becomes is known to the server alone, so it is asked whenever something happens in the workspace.

import { useCallback, useEffect, useState } from "preact/hooks";
import { call, Trouble } from "../client/call.ts";
import { useEvents } from "../client/events.ts";
import { goTo } from "../client/router.tsx";
import { Icon } from "../parts/icon.tsx";
import { ErrorNote } from "../parts/states.tsx";

type Problem = { readonly title: string; readonly message: string };
/** The sample before this one; null: there was none. */
type PreviousSample = { readonly before: string | null };

const id = "sample";

export function SampleCard({ seedAddress }: { readonly seedAddress: string }) {
  const [sent, setSent] = useState<PreviousSample | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  useOutcome(sent);
  const send = async () => {
    setProblem(null);
    setBusy(true);
    try {
      const before = await readNewest();
      await call("POST /api/laboratory", { body: { ids: [id] } });
      setSent({ before });
    } catch (error) {
      setProblem(toProblem(error));
    }
    setBusy(false);
  };
  return (
    <section class="card stack" aria-label="Send me a sample">
      <h3>Send me a sample</h3>
      <p class="muted">
        A newsletter with three mistakes, made up by Assay: see what a report says, and what you would fix.
      </p>
      {problem !== null && <ErrorNote {...problem} />}
      {sent === null ? (
        <button class="btn" type="button" disabled={isBusy} onClick={() => void send()}>
          <Icon name="send" />
          {isBusy ? "Sending …" : "Send me a sample"}
        </button>
      ) : (
        <div class="note good" role="status">
          <Icon name="good" />
          <span>
            <strong>Sent</strong> to {seedAddress}.
            <br />
            <span class="live">Its report opens here when it arrives</span>
          </span>
        </div>
      )}
    </section>
  );
}

function toProblem(error: unknown): Problem {
  const message = error instanceof Trouble ? error.message : String(error);
  return { title: "Nothing was sent.", message };
}

async function readNewest(signal?: AbortSignal): Promise<string | null> {
  const { items } = await call("GET /api/laboratory", { signal });
  return items.find((prepared) => prepared.id === id)?.test?.id ?? null;
}

/** Opens the report of what was sent. */
function useOutcome(sent: PreviousSample | null): void {
  const [happened, setHappened] = useState(0);
  useEvents(useCallback(() => setHappened((count) => count + 1), []));
  useEffect(() => {
    if (sent === null) return;
    const leaving = new AbortController();
    const look = async () => {
      const newest = await readNewest(leaving.signal);
      if (newest !== null && newest !== sent.before) goTo(`/tests/${newest}`);
    };
    // What could not be read now is read at the next event.
    look().catch(() => {});
    return () => leaving.abort();
  }, [sent, happened]);
}
