// Share links for a report: create, show once, revoke.

import { useState } from "preact/hooks";
import type { createShare, listShares } from "../../features/tests/contract/shares.ts";
import type { AnswerOf } from "../../platform/contract/endpoint.ts";
import { call } from "../client/call.ts";
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
        Anyone with the link can see the report and the message without an account. Recipients’ addresses, the SMTP
        session, the source, and attachments are left out, and search engines are asked not to index the page (
        <code>noindex</code>
        ).
      </p>
      {created ? (
        <div class="stack-2">
          <p role="status">
            <strong>Copy the link now. It won’t be shown again.</strong> It expires on {toDay(created.expiresAt)}.
          </p>
          <Copyable text={created.url} what="the link" />
          <p>
            <a href={created.url} target="_blank" rel="noreferrer">
              Preview shared report
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
        <ErrorNote title="Couldn’t load active links." message={loaded.trouble.message} onRetry={reload} />
      )}
      {loaded.value === null && loaded.state === "loading" && <Skeleton lines={2} what="the active links" />}
      <OpenLinks
        shares={loaded.value?.items ?? []}
        onEnded={(id) => {
          if (created?.id === id) setCreated(null);
          reload();
        }}
      />
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
    void run(async () => onCreated(await call("POST /api/tests/:id/shares", { params: { id: testId }, body })));
  };
  const atDays = troubleAt(trouble, "expiresInDays");
  return (
    <form class="stack" onSubmit={create}>
      {trouble !== null && atDays === null && <ErrorNote title="Couldn’t create the link." message={trouble.message} />}
      <Field
        label="Expires after (days)"
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
        <input type="checkbox" name="redact" /> Leave out the message and quotes from it
      </label>
      <button class="btn primary" type="submit" disabled={isBusy}>
        {isBusy ? "Creating link…" : "Create link"}
      </button>
    </form>
  );
}

type OpenLinksProps = { readonly shares: Shares["items"]; readonly onEnded: (id: string) => void };

function OpenLinks({ shares, onEnded }: OpenLinksProps) {
  if (shares.length === 0) return null;
  return (
    <div class="stack-2">
      <h3>Active links</h3>
      <ul class="plain">
        {shares.map((share) => (
          <OpenLink key={share.id} share={share} onEnded={onEnded} />
        ))}
      </ul>
    </div>
  );
}

type OpenLinkProps = { readonly share: Shares["items"][number]; readonly onEnded: (id: string) => void };

/** Asks for confirmation in place, because a dialog over a dialog is hard to follow. */
function OpenLink({ share: { id, createdAt, expiresAt, redactBody }, onEnded }: OpenLinkProps) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, trouble, run } = useDoing();
  const end = async () => {
    if (!(await run(() => call("DELETE /api/shares/:id", { params: { id } })))) return;
    sayDone("Link revoked.");
    onEnded(id);
  };
  return (
    <li>
      <span>
        Created {toDay(createdAt)}, expires {toDay(expiresAt)}
        {redactBody && ", without the message"}
      </span>
      {isAsking ? (
        <span class="row">
          <span class="small">The link will stop working.</span>
          <button class="btn small" type="button" autofocus onClick={() => setAsking(false)}>
            Keep link{" "}
          </button>
          <button class="btn small danger" type="button" disabled={isBusy} onClick={end}>
            Revoke link{" "}
          </button>
        </span>
      ) : (
        <button
          class="btn small danger"
          type="button"
          onClick={() => setAsking(true)}
          aria-label={`Revoke the link created ${toDay(createdAt)}`}
        >
          Revoke{" "}
        </button>
      )}
      {trouble !== null && <ErrorNote title="Couldn’t revoke the link." message={trouble.message} />}
    </li>
  );
}
