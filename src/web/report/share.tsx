// A link with which anybody may see this report: made, shown once, ended.

import { useState } from "preact/hooks";
import type { AnswerOf } from "../../api/endpoint.ts";
import type { createShare, listShares } from "../../api/shares.ts";
import { ask, messageOf } from "../client/ask.ts";
import { useLoaded } from "../client/loading.ts";
import { toDay } from "../client/words.ts";
import { Copyable } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { ErrorNote } from "../parts/states.tsx";

type Created = AnswerOf<typeof createShare>;
type Shares = AnswerOf<typeof listShares>;

export function ShareDialog({ testId, onClose }: { readonly testId: string; readonly onClose: () => void }) {
  const path = `/api/tests/${testId}/shares`;
  const { loaded, reload } = useLoaded(path, (signal) => ask<Shares>("GET", path, { signal }));
  const [created, setCreated] = useState<Created | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const attempt = async (work: () => Promise<void>) => {
    setTrouble(null);
    try {
      await work();
      reload();
    } catch (error) {
      setTrouble(messageOf(error));
    }
  };
  const create = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = { expiresInDays: Number(form.get("days")), redactBody: form.has("redact") };
    void attempt(async () => setCreated(await ask<Created>("POST", path, { body })));
  };
  return (
    <Dialog title="Share this report" onClose={onClose}>
      <p>
        Whoever has the link sees the report, without recipients, transcript, source and attachments, and
        needs no account.
      </p>
      {trouble !== null && <ErrorNote title="That did not work." message={trouble} />}
      {created ? (
        <div class="stack-2" role="status">
          <p>
            <strong>This link is shown once.</strong> It ends on {toDay(created.expiresAt)}.
          </p>
          <Copyable text={created.url} what="the link" />
        </div>
      ) : (
        <form class="stack" onSubmit={create}>
          <Field
            label="Days until it ends"
            name="days"
            type="number"
            min="1"
            max="90"
            value="30"
            required
            hint="1 to 90"
          />
          <label class="row">
            <input type="checkbox" name="redact" /> Leave out what stands in the body
          </label>
          <button class="btn primary" type="submit">
            Make a link
          </button>
        </form>
      )}
      <Existing
        shares={loaded.value?.items ?? []}
        onEnd={(id) => void attempt(() => ask("DELETE", `/api/shares/${id}`))}
      />
      <div class="acts">
        <button class="btn" type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

type ExistingProps = { readonly shares: Shares["items"]; readonly onEnd: (id: string) => void };

function Existing({ shares, onEnd }: ExistingProps) {
  if (shares.length === 0) return null;
  return (
    <div class="stack-2">
      <h3>Links that are open</h3>
      <ul class="plain">
        {shares.map(({ id, createdAt, expiresAt, redactBody }) => (
          <li key={id}>
            <span>
              Made {toDay(createdAt)}, ends {toDay(expiresAt)}
              {redactBody && ", without the body"}
            </span>
            <button
              class="btn small danger"
              type="button"
              onClick={() => onEnd(id)}
              aria-label={`End the link made ${toDay(createdAt)}`}
            >
              End it
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
