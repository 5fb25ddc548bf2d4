// How a domain is watched, and the end of it.

import { useState } from "preact/hooks";
import type { MonitoredDomain } from "../../api/domains.ts";
import { call, type Trouble } from "../client/call.ts";
import { goTo } from "../client/router.tsx";
import { troubleAt, useDoing } from "../client/use-action.ts";
import { Confirm, Dialog } from "../parts/dialog.tsx";
import { Field, FormActs } from "../parts/form.tsx";
import { ErrorNote, sayDone } from "../parts/states.tsx";

type Props = { readonly domain: MonitoredDomain; readonly onChanged: (domain: MonitoredDomain) => void };

export function SettingsSection({ domain, onChanged }: Props) {
  const [isStopping, setStopping] = useState(false);
  return (
    <section class="sec" id="settings" aria-labelledby="settings-h">
      <div class="sec-h">
        <h2 id="settings-h">How it is watched</h2>
      </div>
      <div class="grid g2 top">
        <SelectorForm domain={domain} onChanged={onChanged} />
        <div class="card stack">
          <h3>Stop watching</h3>
          <p class="muted">Its history goes with it. Tests of its mail stay, and DNS is not touched.</p>
          <button class="btn danger" type="button" onClick={() => setStopping(true)}>
            Stop watching {domain.domain}
          </button>
        </div>
      </div>
      {isStopping && <StopWatching domain={domain} onClose={() => setStopping(false)} />}
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
      sayDone(typed === "" ? "Saved: selectors are learned and tried." : `Saved: ${typed} must be there.`);
    });
  };
  return (
    <form class="card stack" onSubmit={save} aria-label="DKIM selector">
      <SelectorField key={domain.dkimSelector} trouble={trouble} value={domain.dkimSelector ?? ""} />
      {trouble !== null && trouble.field === null && (
        <ErrorNote title="It was not saved." message={trouble.message} />
      )}
      <div>
        <button class="btn" type="submit" disabled={isBusy}>
          Save the selector
        </button>
      </div>
    </form>
  );
}

function StopWatching({
  domain,
  onClose,
}: {
  readonly domain: MonitoredDomain;
  readonly onClose: () => void;
}) {
  const { isBusy, trouble, run } = useDoing();
  const stop = async () => {
    const isDone = await run(() => call("DELETE /api/domains/:id", { params: { id: domain.id } }));
    if (!isDone) return;
    goTo("/domains", { replace: true });
    sayDone(`${domain.domain} is watched no more.`);
  };
  return (
    <Confirm
      title={`Stop watching ${domain.domain}?`}
      action="Stop watching"
      isBusy={isBusy}
      onClose={onClose}
      onConfirm={stop}
    >
      <p>
        What was found and what changed is deleted with it, and no alert tells of it any more. This cannot be
        undone.
      </p>
      {trouble !== null && <ErrorNote title="It is still watched." message={trouble.message} />}
    </Confirm>
  );
}

// A domain to watch, asked for where there is none yet, and in a dialog where there are some.

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
function SelectorField({ trouble, value }: { readonly trouble: Trouble | null; readonly value?: string }) {
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
