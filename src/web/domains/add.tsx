// A domain to watch, asked for where there is none yet, and in a dialog where there are some.

import { call, type Trouble } from "../client/call.ts";
import { goTo } from "../client/router.tsx";
import { troubleAt, useDoing } from "../client/use-action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { FormActs } from "../parts/form-acts.tsx";
import { ErrorNote } from "../parts/states.tsx";

export function AddDomainForm({ onCancel }: { readonly onCancel?: () => void }) {
  const { isBusy, trouble, run } = useDoing();
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const selector = String(given.get("dkimSelector")).trim();
    await run(async () => {
      const body = { domain: String(given.get("domain")), dkimSelector: selector === "" ? null : selector };
      const { id } = await call("POST /api/domains", { body });
      goTo(`/domains/${id}`, { replace: onCancel !== undefined });
    });
  };
  return (
    <form class="stack watch-form" onSubmit={add} aria-label="Watch a domain">
      <Field
        label="Domain"
        name="domain"
        required
        hint="The part behind the @ of your sender address, like example.com."
        error={troubleAt(trouble, "domain")}
      />
      <SelectorField trouble={trouble} />
      {trouble !== null && trouble.field === null && (
        <ErrorNote title="The domain is not watched." message={trouble.message} />
      )}
      <FormActs action="Watch the domain" busyAction="Asking DNS …" isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
}

/** In the settings of a domain too. */
export function SelectorField({
  trouble,
  value,
}: {
  readonly trouble: Trouble | null;
  readonly value?: string;
}) {
  return (
    <Field
      label="DKIM selector, if you know it"
      name="dkimSelector"
      {...(value === undefined ? {} : { value })}
      hint="The s= of your signatures: the name of the key that must be in DNS. Left empty, Assay learns selectors from mail that it receives, and tries well-known ones."
      error={troubleAt(trouble, "dkimSelector")}
    />
  );
}

export function AddDomainDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Watch a domain" onClose={onClose}>
      <p class="muted">
        Its records are read at once and then every hour. You are told when one changes in meaning.
      </p>
      <AddDomainForm onCancel={onClose} />
    </Dialog>
  );
}
