// Email that Assay sends to people: through which mail server, and a message that shows whether it works.

import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { ErrorNote, sayDone } from "../../../web/parts/states.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { TroubleNote } from "../../../web/settings/parts.tsx";
import { readForm, readServer, ServerFields, usualServer } from "../../../web/settings/smtp-server.tsx";
import type { ServerSetting, testServerEmail } from "../contract/server-settings.ts";

type RelayFormProps = { readonly setting: ServerSetting; readonly onDone: () => void };

export function RelayForm({ setting: { name, value, source }, onDone }: RelayFormProps) {
  const { isBusy, trouble, run } = useDoing();
  /** Empties the password's field. */
  const [saves, setSaves] = useState(0);
  const save = async (read: () => string | null, done: string) => {
    const act = () => call("PATCH /api/server-settings/:name", { params: { name }, body: { value: read() } });
    if (!(await run(act))) return;
    setSaves(saves + 1);
    onDone();
    sayDone(done);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    void save(() => readForm(form, value), "Mail server: saved.");
  };
  return (
    <form class="card stack" onSubmit={submit}>
      <h4>Mail server</h4>
      <ServerFields
        key={`${saves} ${value}`}
        known={value === null ? usualServer : readServer(value)}
        isNew={value === null}
        trouble={trouble}
      />
      <TroubleNote
        trouble={trouble}
        title="Couldn’t save the mail server."
        fields={["host", "user", "password", "value"]}
      />
      <div class="row">
        <button class="btn primary" type="submit" disabled={isBusy}>
          Save
        </button>
        {source === "saved" && (
          <button
            class="btn"
            type="button"
            disabled={isBusy}
            onClick={() => void save(() => null, "Mail server: removed.")}
          >
            Remove
          </button>
        )}
      </div>
    </form>
  );
}

const missingWords: Readonly<Record<string, string>> = {
  ASSAY_SEND_SMTP_URL: "the mail server",
  ASSAY_BASE_URL: "the web address",
  ASSAY_ALERT_FROM: "the sender, because its default needs a public seed domain",
};

/** `version`: changes with the settings. */
export function EmailTest({ version }: { readonly version: string }) {
  const status = useLoaded(`email ${version}`, (signal) => call("GET /api/alert-email", { signal })).loaded.value;
  const { isBusy, trouble, run } = useDoing();
  const [tried, setTried] = useState<AnswerOf<typeof testServerEmail> | null>(null);
  const test = () =>
    run(async () => {
      setTried(null);
      setTried(await call("POST /api/server-email/test", {}));
    });
  if (status === null) return null;
  if (!status.ready)
    return (
      <p class="small muted">
        Email isn’t set up yet. Missing: {status.missing.map(({ setting }) => missingWords[setting]).join(", ")}.
      </p>
    );
  const problem = trouble?.message ?? tried?.problem ?? null;
  return (
    <div class="card stack-2">
      <h4>Test</h4>
      <div class="row">
        <button class="btn" type="button" disabled={isBusy} onClick={() => void test()}>
          {isBusy ? "Sending…" : "Send a test message to me"}
        </button>
        <span class="small muted">From {status.from}</span>
      </div>
      <div role="status">
        {tried?.delivered && (
          <p class="small">
            <Severity tone="good">Sent</Severity> The mail server accepted the message to {tried.to}. It said:{" "}
            {tried.reply}
          </p>
        )}
      </div>
      {problem !== null && <ErrorNote title="The message wasn’t sent." message={problem} />}
    </div>
  );
}
