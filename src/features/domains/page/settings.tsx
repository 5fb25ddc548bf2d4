// The settings of a domain, and how to add and remove one.

import { useRef, useState } from "preact/hooks";
import { call, type Trouble } from "../../../web/client/call.ts";
import { goTo } from "../../../web/client/router.tsx";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { Confirm, Dialog } from "../../../web/parts/dialog.tsx";
import { Field, FormActs } from "../../../web/parts/form.tsx";
import { ErrorNote, sayDone } from "../../../web/parts/states.tsx";
import type { MonitoredDomain } from "../contract/domains.ts";

type Props = { readonly domain: MonitoredDomain; readonly onChanged: (domain: MonitoredDomain) => void };

export function SettingsSection({ domain, onChanged }: Props) {
  const [isRemoving, setRemoving] = useState(false);
  return (
    <section class="sec" id="settings" aria-labelledby="settings-h">
      <div class="sec-h">
        <h2 id="settings-h">Settings</h2>
      </div>
      <div class="grid g2 top">
        <SelectorForm domain={domain} onChanged={onChanged} />
        <div class="card stack">
          <h3>Remove domain</h3>
          <p class="muted">Its history will be deleted. Your tests and DNS records won’t change.</p>
          <button class="btn danger" type="button" onClick={() => setRemoving(true)}>
            Remove {domain.domain}
          </button>
        </div>
      </div>
      {isRemoving && <RemoveDomain domain={domain} onClose={() => setRemoving(false)} />}
    </section>
  );
}

function SelectorForm({ domain, onChanged }: Props) {
  const { isBusy, trouble, run } = useDoing();
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get("dkimSelector")).trim();
    await run(async () => {
      const body = { dkimSelector: typed === "" ? null : typed };
      onChanged(await call("PATCH /api/domains/:id", { params: { id: domain.id }, body }));
      sayDone(
        typed === ""
          ? "Saved. Assay will detect selectors automatically."
          : `Saved. Assay will check selector ${typed}.`,
      );
    });
  };
  return (
    <form class="card stack" onSubmit={save} aria-label="DKIM selector">
      <SelectorField key={domain.dkimSelector} trouble={trouble} value={domain.dkimSelector ?? ""} />
      {trouble !== null && trouble.field === null && (
        <ErrorNote title="Couldn’t save the selector." message={trouble.message} />
      )}
      <div>
        <button class="btn" type="submit" disabled={isBusy}>
          Save selector
        </button>
      </div>
    </form>
  );
}

function RemoveDomain({ domain, onClose }: { readonly domain: MonitoredDomain; readonly onClose: () => void }) {
  const { isBusy, trouble, run } = useDoing();
  const remove = async () => {
    const isDone = await run(() => call("DELETE /api/domains/:id", { params: { id: domain.id } }));
    if (!isDone) return;
    goTo("/domains", { replace: true });
    sayDone(`${domain.domain} removed.`);
  };
  return (
    <Confirm title={`Remove ${domain.domain}?`} action="Remove" isBusy={isBusy} onClose={onClose} onConfirm={remove}>
      <p>Its results and history will be deleted, and you won’t get any more alerts for it. This can’t be undone.</p>
      {trouble !== null && <ErrorNote title="Couldn’t remove the domain." message={trouble.message} />}
    </Confirm>
  );
}

// The form to add a domain: on the empty page, and in a dialog.

export function AddDomainForm({ onCancel }: { readonly onCancel?: () => void }) {
  const { isBusy, trouble, run } = useDoing();
  const form = useRef<HTMLFormElement>(null);
  const add = async (suggestion: string | null) => {
    const given = new FormData(form.current ?? undefined);
    const selector = String(given.get("dkimSelector")).trim();
    const domain = suggestion ?? String(given.get("domain"));
    await run(async () => {
      const body = { domain, dkimSelector: selector === "" ? null : selector };
      const { id } = await call("POST /api/domains", { body });
      goTo(`/domains/${id}`, { replace: onCancel !== undefined });
    });
  };
  const addTyped = (event: SubmitEvent) => {
    event.preventDefault();
    void add(null);
  };
  const suggested = trouble?.suggestion ?? null;
  return (
    <form class="stack watch-form" ref={form} onSubmit={addTyped} aria-label="Add domain">
      <Field
        label="Domain"
        name="domain"
        required
        hint="The part after the @ of your sender address, like example.com."
        error={troubleAt(trouble, "domain")}
      />
      {suggested !== null && (
        <div>
          <button class="btn" type="button" disabled={isBusy} onClick={() => add(suggested)}>
            Add {suggested}
          </button>
        </div>
      )}
      <SelectorField trouble={trouble} />
      {trouble !== null && trouble.field === null && (
        <ErrorNote title="Couldn’t add the domain." message={trouble.message} />
      )}
      <FormActs action="Add domain" busyAction="Checking DNS…" isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
}

/** Shared with the settings of a domain. */
function SelectorField({ trouble, value }: { readonly trouble: Trouble | null; readonly value?: string }) {
  return (
    <Field
      label="DKIM selector (optional)"
      name="dkimSelector"
      {...(value === undefined ? {} : { value })}
      hint="The s= value of your DKIM signatures. Leave it empty to let Assay learn selectors from your test mail and try common ones."
      error={troubleAt(trouble, "dkimSelector")}
    />
  );
}

export function AddDomainDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Add domain" onClose={onClose}>
      <p class="muted">
        Assay checks its records right away, then every hour. If you set up an alert, you’ll be notified when a record
        actually changes.
      </p>
      <AddDomainForm onCancel={onClose} />
    </Dialog>
  );
}
