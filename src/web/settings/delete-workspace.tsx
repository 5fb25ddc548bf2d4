import { useState } from "preact/hooks";
import { ask } from "../client/ask.ts";
import { useDoing } from "../client/doing.ts";
import { closeEvents } from "../client/events.ts";
import { useSession } from "../client/session.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { FormActs } from "../parts/form-acts.tsx";
import { TroubleNote } from "./section.tsx";

/** Asks for its name, so that nobody deletes the wrong one with two quick clicks. */
export function DeleteWorkspace({ onClose }: { readonly onClose: () => void }) {
  const { workspace } = useSession();
  const { isBusy, trouble, run } = useDoing();
  const [isOther, setOther] = useState(false);
  const remove = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get("typed")).trim();
    setOther(typed !== workspace.name);
    if (typed !== workspace.name) return;
    void run(async () => {
      await ask("DELETE", `/api/workspaces/${workspace.id}`);
      closeEvents();
      window.location.assign("/");
    });
  };
  return (
    <Dialog title={`Delete ${workspace.name}?`} onClose={onClose}>
      <form class="stack" onSubmit={remove}>
        <p>
          All its messages, reports, domains, alerts and tokens are lost, for every member. Mail to its seed
          inboxes is refused from then on.
        </p>
        <Field
          label={`Type “${workspace.name}” to delete it`}
          name="typed"
          autoComplete="off"
          error={isOther ? `This is not its name: ${workspace.name}.` : null}
        />
        <TroubleNote trouble={trouble} title="The workspace is still there." />
        <FormActs action="Delete for ever" isBusy={isBusy} isGrave onCancel={onClose} />
      </form>
    </Dialog>
  );
}
