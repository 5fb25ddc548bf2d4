// Whether mail to rehearsal addresses is answered as receivers would.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useIsOwner, useSession } from "../../../web/client/session.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { sayDone } from "../../../web/parts/states.tsx";
import { SectionHead, TroubleNote } from "../../../web/settings/parts.tsx";
import type { Workspace } from "../../people/contract/workspaces.ts";

const options: readonly { value: Workspace["rehearsal"]; title: string; says: string }[] = [
  {
    value: null,
    title: "On a private network only",
    says: "Mail is answered this way only on listeners that are limited to this computer or a private network.",
  },
  {
    value: "on",
    title: "On",
    says: "Also on public listeners. Anyone who knows your seed address can then get such replies.",
  },
  { value: "off", title: "Off", says: "These are ordinary addresses. All mail to them is accepted." },
];

export function RehearsalsSection() {
  const { workspace } = useSession();
  const isOwner = useIsOwner();
  const { seedAddress } = workspace;
  const example = (seedAddress ?? "you@seed.example").replace("@", "+as-gmail@");
  return (
    <>
      <SectionHead
        title="Rehearsals"
        lead={
          <>
            Mail to an address like <code>{example}</code> is rejected, deferred, or accepted as the report predicts for
            that receiver. See what your mail server does. <a href="/docs/rehearsal">All addresses</a>
          </>
        }
      />
      <p class="small muted measure mb-4">
        Some probes need a special connection, for example without TLS. The next connection from the same mail server
        then accepts only the probe, and other mail in it is deferred with 451. Senders retry such mail, usually within
        minutes.
      </p>
      {isOwner ? <Choice current={workspace.rehearsal} /> : <Current current={workspace.rehearsal} />}
    </>
  );
}

type Props = { readonly current: Workspace["rehearsal"] };

function Choice({ current }: Props) {
  const { workspace, renew } = useSession();
  const [chosen, setChosen] = useState(current);
  const { isBusy, trouble, run } = useDoing();
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const isDone = await run(async () => {
      await call("PATCH /api/workspaces/:id", { params: { id: workspace.id }, body: { rehearsal: chosen } });
      await renew();
    });
    if (isDone) sayDone("Rehearsal setting saved.");
  };
  return (
    <form class="card stack" onSubmit={(event) => void save(event)}>
      <fieldset class="stack-2">
        <legend>
          <strong>Answer mail to rehearsal addresses as receivers would?</strong>
        </legend>
        {options.map(({ value, title, says }) => (
          <label key={title} class="option">
            <input
              type="radio"
              name="rehearsal"
              checked={value === chosen}
              disabled={isBusy}
              onChange={() => setChosen(value)}
            />
            <span>
              <strong>{title}</strong>
              <span class="small muted">{says}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <TroubleNote trouble={trouble} title="Couldn’t save the setting." />
      <p>
        <button class="btn primary" type="submit" disabled={isBusy || chosen === current}>
          Save
        </button>
      </p>
    </form>
  );
}

function Current({ current }: Props) {
  const option = options.find(({ value }) => value === current);
  return (
    <section class="card stack-2" aria-label="Rehearsals">
      <p>
        <strong>{option?.title}</strong>
      </p>
      <p class="muted">{option?.says}</p>
      <p class="muted">Only owners can change this.</p>
    </section>
  );
}
