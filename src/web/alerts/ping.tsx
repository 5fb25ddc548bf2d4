// A test message, sent now: what came of it stands below the heading.

import { useState } from "preact/hooks";
import type { pingAlert } from "../../api/alerts.ts";
import type { AnswerOf } from "../../api/endpoint.ts";
import { ask } from "../client/ask.ts";
import { type Doing, useDoing } from "../client/doing.ts";
import { toDuration } from "../client/words.ts";
import { Icon } from "../parts/icon.tsx";
import { ErrorNote } from "../parts/states.tsx";

type Pinged = AnswerOf<typeof pingAlert>;

type Ping = Pick<Doing, "isBusy" | "trouble"> & {
  readonly outcome: Pinged | null;
  readonly send: () => void;
};

export function usePing(alertId: string): Ping {
  const [outcome, setOutcome] = useState<Pinged | null>(null);
  const { run, isBusy, trouble } = useDoing();
  const send = () =>
    void run(async () => {
      setOutcome(null);
      setOutcome(await ask<Pinged>("POST", `/api/alerts/${alertId}/test`));
    });
  return { outcome, isBusy, trouble, send };
}

export function PingNote({ ping: { outcome, trouble } }: { readonly ping: Ping }) {
  if (trouble !== null) return <NotSent title="The test was not sent." message={trouble.message} />;
  if (outcome === null) return null;
  const { delivered, status, durationMs, error } = outcome;
  if (!delivered) return <NotSent title="The test did not arrive." message={error ?? "Nothing says why."} />;
  return (
    <div class="note good mb-4" role="status">
      <Icon name="good" />
      <span>
        <strong>The test arrived.</strong> It was answered {status} after {toDuration(durationMs)}. Look
        whether it stands there.
      </span>
    </div>
  );
}

function NotSent(told: { readonly title: string; readonly message: string }) {
  return (
    <div class="mb-4">
      <ErrorNote {...told} />
    </div>
  );
}
