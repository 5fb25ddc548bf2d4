// Sends a sample email, for people who have nothing to send yet. Only the server knows the ID of the new test, so the
// card asks for it after each event in the workspace.

import { useCallback, useEffect, useState } from "preact/hooks";
import { call, messageOf } from "../../../../web/client/call.ts";
import { useEvents } from "../../../../web/client/events.ts";
import { goTo } from "../../../../web/client/router.tsx";
import { Icon } from "../../../../web/parts/icon.tsx";
import { ErrorNote } from "../../../../web/parts/states.tsx";

/** Test ID of the previous sample. Null if there was none. */
type PreviousSample = { readonly before: string | null };

const id = "sample";

export function SampleCard({ seedAddress }: { readonly seedAddress: string }) {
  const [sent, setSent] = useState<PreviousSample | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
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
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <section class="card stack" aria-label="Send me a sample">
      <h3>Send me a sample</h3>
      <p class="muted">A made-up newsletter with three mistakes. See how a report explains them and how to fix them.</p>
      {problem !== null && <ErrorNote title="Couldn’t send the sample." message={problem} />}
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
            <span class="live">The report opens when it arrives</span>
          </span>
        </div>
      )}
    </section>
  );
}

async function readNewest(signal?: AbortSignal): Promise<string | null> {
  const { items } = await call("GET /api/laboratory", { signal });
  return items.find((prepared) => prepared.id === id)?.test?.id ?? null;
}

/** Opens the report once the sample arrives. */
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
    // If this fails, the next event tries again.
    look().catch(() => {});
    return () => leaving.abort();
  }, [sent, happened]);
}
