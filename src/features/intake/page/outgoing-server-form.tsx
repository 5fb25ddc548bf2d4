// The form for the server that passes the workspace's mail on to the internet.

import { call } from "../../../web/client/call.ts";
import { useSession } from "../../../web/client/session.ts";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { Field } from "../../../web/parts/form.tsx";
import { ErrorNote, sayDone } from "../../../web/parts/states.tsx";

const names = ["host", "domain", "selector"] as const;

type FormProps = {
  /** The domain to suggest, if none is set. */
  readonly domain?: string | null;
  readonly action: string;
  /** The main thing to do on the page. */
  readonly isMain?: boolean;
  readonly onSaved?: () => Promise<unknown> | undefined;
};

export function OutgoingServerForm({ domain = null, action, isMain = false, onSaved }: FormProps) {
  const { workspace, renew } = useSession();
  const { isBusy, trouble, run } = useDoing();
  const current = workspace.outgoingServer;
  const save = async (outgoingServer: typeof current) => {
    const isDone = await run(async () => {
      await call("PATCH /api/workspaces/:id", { params: { id: workspace.id }, body: { outgoingServer } });
      await onSaved?.();
      await renew();
    });
    if (isDone) sayDone(outgoingServer === null ? "Outgoing server removed." : "Outgoing server saved.");
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [host, signer, selector] = names.map((name) => String(form.get(name)).trim() || null);
    void save({ host: host ?? null, domain: selector ? (signer ?? null) : null, selector: selector ?? null });
  };
  const errorAt = (name: string) => troubleAt(trouble, `outgoingServer.${name}`);
  const isShown = names.some((name) => errorAt(name) !== null);
  return (
    <form class="stack" key={JSON.stringify(current)} onSubmit={submit}>
      <Field
        label="My mail leaves for the internet from"
        name="host"
        value={current?.host ?? ""}
        hint="The public IP address or host name of your outgoing server, such as 192.0.2.1 or mail.example.com."
        error={errorAt("host")}
      />
      <Field
        label="It is signed by (DKIM domain)"
        name="domain"
        value={current?.domain ?? domain ?? ""}
        hint="The d= tag of its signatures, such as example.com."
        error={errorAt("domain")}
      />
      <Field
        label="With the selector"
        name="selector"
        value={current?.selector ?? ""}
        hint="The s= tag, such as s1. Leave it empty if your server doesn’t sign."
        error={errorAt("selector")}
      />
      {trouble !== null && !isShown && (
        <ErrorNote title="Couldn’t save the outgoing server." message={trouble.message} />
      )}
      <p class="row">
        <button class={isMain ? "btn primary" : "btn"} type="submit" disabled={isBusy}>
          {action}
        </button>
        {current !== null && (
          <button class="btn" type="button" disabled={isBusy} onClick={() => void save(null)}>
            Remove
          </button>
        )}
      </p>
    </form>
  );
}

/** Folded, because the page has a main purpose. */
export function OutgoingServerOffer({ question, ...form }: FormProps & { readonly question: string }) {
  return (
    <details class="card mt-4 noprint">
      <summary>{question}</summary>
      <div class="stack mt-4">
        <p class="measure">
          Mail from your own machine doesn’t show the server that receivers will see. Set it once, and Assay checks SPF,
          DKIM, DMARC, and reverse DNS as if your mail came through it. Reports mark these results as assumed.
        </p>
        <OutgoingServerForm {...form} />
      </div>
    </details>
  );
}
