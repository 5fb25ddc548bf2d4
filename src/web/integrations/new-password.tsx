// A mailbox whose password was changed at its provider.

import { ask } from "../client/ask.ts";
import { troubleAt, useDoing } from "../client/doing.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { FormActs } from "../parts/form-acts.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { sayDone } from "../parts/toast.tsx";
import type { Connection } from "./rows.ts";

type NewPasswordProps = {
  readonly connection: Connection;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

export function NewPassword({ connection: { id, account }, onClose, onChanged }: NewPasswordProps) {
  const { isBusy, trouble, run } = useDoing();
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    const body = { password: String(typed.get("password")) };
    if (!(await run(() => ask("PATCH", `/api/integrations/${id}`, { body })))) return;
    onClose();
    onChanged();
    sayDone(`${account} has its new password.`);
  };
  return (
    <Dialog title={`New password for ${account}`} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void send(event)}>
        <p class="muted">Assay logs in with it at once. One that does not work changes nothing.</p>
        {trouble !== null && trouble.field !== "password" && (
          <ErrorNote title="The password was not changed." message={trouble.message} />
        )}
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          error={troubleAt(trouble, "password")}
        />
        <FormActs action="Save the password" busyAction="Logging in …" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
