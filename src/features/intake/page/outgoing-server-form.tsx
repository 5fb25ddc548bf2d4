// The form for the server that passes the workspace's mail on to the internet.

import { useSession } from "../../../web/client/session.ts";
import { Field } from "../../../web/parts/form.tsx";
import { sayDone } from "../../../web/parts/states.tsx";
import { ActionForm, useWorkspaceChange } from "../../../web/settings/parts.tsx";

type FormProps = {
  /** The domain to suggest, if none is set. */
  readonly domain?: string | null;
  readonly action: string;
  readonly onSaved?: () => Promise<unknown> | undefined;
};

export function OutgoingServerForm({ domain = null, action, onSaved }: FormProps) {
  const current = useSession().workspace.outgoingServer;
  const change = useWorkspaceChange();
  const save = async (typed: FormData) => {
    const [host = null, signer = null, selector = null] = ["host", "domain", "selector"].map(
      (name) => String(typed.get(`outgoingServer.${name}`)).trim() || null,
    );
    const isRemoved = typed.has("also");
    await change({ outgoingServer: isRemoved ? null : { host, domain: selector && signer, selector } });
    await onSaved?.();
    sayDone(isRemoved ? "Outgoing server removed." : "Outgoing server saved.");
  };
  return (
    <ActionForm
      key={JSON.stringify(current)}
      action={action}
      also={current !== null && "Remove"}
      act={save}
      failed="Couldn’t save the outgoing server."
    >
      <Field
        label="My mail leaves for the internet from"
        name="outgoingServer.host"
        value={current?.host ?? ""}
        hint="The public IP address or host name of your outgoing server, such as 192.0.2.1 or mail.example.com."
      />
      <Field
        label="It is signed by (DKIM domain)"
        name="outgoingServer.domain"
        value={current?.domain ?? domain ?? ""}
        hint="The d= tag of its signatures, such as example.com."
      />
      <Field
        label="With the selector"
        name="outgoingServer.selector"
        value={current?.selector ?? ""}
        hint="The s= tag, such as s1. Leave it empty if your server doesn’t sign."
      />
    </ActionForm>
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
