// A link with which anybody may see this report: made, shown once, ended.

import { useState } from "preact/hooks";
import type { AnswerOf } from "../../api/endpoint.ts";
import type { createShare, listShares } from "../../api/shares.ts";
import { addressOf, call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { troubleAt, useDoing } from "../client/use-action.ts";
import { toDay } from "../client/words.ts";
import { Copyable } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/form.tsx";
import { ErrorNote, Skeleton, sayDone } from "../parts/states.tsx";

type Created = AnswerOf<typeof createShare>;
type Shares = AnswerOf<typeof listShares>;

export function ShareDialog({ testId, onClose }: { readonly testId: string; readonly onClose: () => void }) {
  const { loaded, reload } = useLoaded(testId, (signal) =>
    call("GET /api/tests/:id/shares", { params: { id: testId }, signal }),
  );
  const [created, setCreated] = useState<Created | null>(null);
  return (
    <Dialog title="Share this report" onClose={onClose}>
      <p>
        Anyone with the link can see the report without an account. Recipients, the SMTP session, the source
        and attachments are left out, and search engines are asked not to list the page (<code>noindex</code>
        ).
      </p>
      {created ? (
        <div class="stack-2">
          <p role="status">
            <strong>Copy it now: the link is shown this once.</strong> It ends on {toDay(created.expiresAt)}.
          </p>
          <Copyable text={created.url} what="the link" />
          <p>
            <a href={created.url} target="_blank" rel="noreferrer">
              See what others see
            </a>
          </p>
        </div>
      ) : (
        <ShareForm
          testId={testId}
          onCreated={(made) => {
            setCreated(made);
            reload();
          }}
        />
      )}
      {loaded.state === "failed" && (
        <ErrorNote
          title="The links that are open could not be read."
          message={loaded.trouble.message}
          onRetry={reload}
        />
      )}
      {loaded.value === null && loaded.state === "loading" && <Skeleton lines={2} what="the open links" />}
      <OpenLinks
        shares={loaded.value?.items ?? []}
        onEnded={(id) => {
          if (created?.id === id) setCreated(null);
          reload();
        }}
      />
      <p class="small muted">
        To keep all of it, or to send it by other ways:{" "}
        <a href={addressOf("/api/tests/:id/report.html", { params: { id: testId } })} download>
          save the report as a file
        </a>
        . It holds recipients, headers and the session.
      </p>
      <div class="acts">
        <button class="btn" type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

type ShareFormProps = { readonly testId: string; readonly onCreated: (made: Created) => void };

function ShareForm({ testId, onCreated }: ShareFormProps) {
  const { isBusy, trouble, run } = useDoing();
  const create = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = { expiresInDays: Number(form.get("days")), redactBody: form.has("redact") };
    void run(async () =>
      onCreated(await call("POST /api/tests/:id/shares", { params: { id: testId }, body })),
    );
  };
  const atDays = troubleAt(trouble, "expiresInDays");
  return (
    <form class="stack" onSubmit={create}>
      {trouble !== null && atDays === null && (
        <ErrorNote title="No link was made." message={trouble.message} />
      )}
      <Field
        label="Days until it ends"
        name="days"
        type="number"
        min="1"
        max="90"
        value="30"
        required
        hint="1 to 90"
        error={atDays}
      />
      <label class="row">
        <input type="checkbox" name="redact" /> Leave out what stands in the body
      </label>
      <button class="btn primary" type="submit" disabled={isBusy}>
        {isBusy ? "Making a link …" : "Make a link"}
      </button>
    </form>
  );
}

type OpenLinksProps = { readonly shares: Shares["items"]; readonly onEnded: (id: string) => void };

function OpenLinks({ shares, onEnded }: OpenLinksProps) {
  if (shares.length === 0) return null;
  return (
    <div class="stack-2">
      <h3>Links that are open</h3>
      <ul class="plain">
        {shares.map((share) => (
          <OpenLink key={share.id} share={share} onEnded={onEnded} />
        ))}
      </ul>
    </div>
  );
}

type OpenLinkProps = { readonly share: Shares["items"][number]; readonly onEnded: (id: string) => void };

/** It asks in its place: a dialog above a dialog is hard to follow. */
function OpenLink({ share: { id, createdAt, expiresAt, redactBody }, onEnded }: OpenLinkProps) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, trouble, run } = useDoing();
  const end = async () => {
    if (!(await run(() => call("DELETE /api/shares/:id", { params: { id } })))) return;
    sayDone("The link has ended.");
    onEnded(id);
  };
  return (
    <li>
      <span>
        Made {toDay(createdAt)}, ends {toDay(expiresAt)}
        {redactBody && ", without the body"}
      </span>
      {isAsking ? (
        <span class="row">
          <span class="small">Whoever has it sees nothing any more.</span>
          <button class="btn small" type="button" autofocus onClick={() => setAsking(false)}>
            Keep it
          </button>
          <button class="btn small danger" type="button" disabled={isBusy} onClick={end}>
            End the link
          </button>
        </span>
      ) : (
        <button
          class="btn small danger"
          type="button"
          onClick={() => setAsking(true)}
          aria-label={`End it: the link made ${toDay(createdAt)}`}
        >
          End it
        </button>
      )}
      {trouble !== null && <ErrorNote title="It has not ended." message={trouble.message} />}
    </li>
  );
}
