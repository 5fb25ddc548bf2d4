// How much the workspace sends to any one mailbox provider, which decides whether the rules for bulk senders bind it.

import { useState } from "preact/hooks";
import type { VolumeAnswer } from "../../api/volume-words.ts";
import { call } from "../client/call.ts";
import { useIsOwner, useSession } from "../client/session.ts";
import { useDoing } from "../client/use-action.ts";
import { sayDone } from "../parts/toast.tsx";
import { SectionHead, TroubleNote } from "./section.tsx";

const options = [
  {
    value: "small",
    title: "Fewer than 5,000 messages a day",
    says: "Rules that apply only to bulk senders are shown as notes. They cost no points and decide no prediction.",
  },
  {
    value: "large",
    title: "5,000 or more messages a day",
    says: "Rules for bulk senders count in full. Choose this too if you sent that many on a single day: Gmail then treats you as a bulk sender for good.",
  },
  {
    value: "unsure",
    title: "Not sure",
    says: "Reports show both predictions where they differ. The score counts the rules for bulk senders.",
  },
] as const;

export function SendingVolumeSection() {
  const { workspace } = useSession();
  const isOwner = useIsOwner();
  return (
    <>
      <SectionHead
        title="Sending volume"
        lead="Gmail, Outlook.com and Yahoo have extra rules for bulk senders. Tell Assay whether they apply to you."
      />
      <div class="stack">
        {isOwner ? <Choice current={workspace.sendingVolume} /> : <Said answer={workspace.sendingVolume} />}
        <p class="small muted measure">
          The setting applies to new messages and to messages you re-analyze. Existing reports don’t change.
        </p>
      </div>
    </>
  );
}

function Choice({ current }: { readonly current: VolumeAnswer }) {
  const { workspace, renew } = useSession();
  const [chosen, setChosen] = useState(current);
  const { isBusy, trouble, run } = useDoing();
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const isDone = await run(async () => {
      await call("PATCH /api/workspaces/:id", {
        params: { id: workspace.id },
        body: { sendingVolume: chosen },
      });
      await renew();
    });
    if (isDone) sayDone("Sending volume saved.");
  };
  return (
    <form class="card stack" onSubmit={(event) => void save(event)}>
      <fieldset class="stack-2">
        <legend>
          <strong>How many messages do you send to any one mailbox provider, such as Gmail?</strong>
        </legend>
        {options.map(({ value, title, says }) => (
          <label key={value} class="option">
            <input
              type="radio"
              name="volume"
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
      <TroubleNote trouble={trouble} title="The sending volume wasn’t saved." />
      <p>
        <button class="btn primary" type="submit" disabled={isBusy || chosen === null || chosen === current}>
          Save
        </button>
      </p>
    </form>
  );
}

function Said({ answer }: { readonly answer: VolumeAnswer }) {
  const option = options.find(({ value }) => value === answer);
  return (
    <section class="card stack-2" aria-label="Sending volume">
      <p>
        <strong>{option?.title ?? "Not set"}</strong>
      </p>
      <p class="muted">{option?.says ?? "Reports show both predictions where they differ."}</p>
      <p class="muted">An owner can change it. You are a member.</p>
    </section>
  );
}
