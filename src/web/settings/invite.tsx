import type { AnswerOf } from "../../api/endpoint.ts";
import type { inviteMember } from "../../api/workspaces.ts";
import { call } from "../client/call.ts";
import { useDoing } from "../client/use-action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { FormActs } from "../parts/form-acts.tsx";
import { TroubleNote, troubleOf } from "./section.tsx";
import { SelectField } from "./select-field.tsx";

type Sent = AnswerOf<typeof inviteMember>;

const roles = [
  { value: "member", label: "Member" },
  { value: "owner", label: "Owner" },
] as const;
type Role = (typeof roles)[number]["value"];

export function Invite({
  onClose,
  onSent,
}: {
  readonly onClose: () => void;
  readonly onSent: (sent: Sent) => void;
}) {
  const { isBusy, trouble, run } = useDoing();
  const invite = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = { email: String(form.get("email")), role: form.get("role") as Role };
    void run(async () => onSent(await call("POST /api/members", { body })));
  };
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form class="stack" onSubmit={invite}>
        <Field
          label="E-mail address"
          name="email"
          hint="They log in with it. Assay sends no mail: you get a link to pass on."
          error={troubleOf(trouble, "email", "The address")}
        />
        <SelectField
          label="Role"
          name="role"
          hint="Members work with tests, domains and alerts. Owners also manage people, plan and workspace."
          options={roles}
        />
        <TroubleNote trouble={trouble} title="Nobody was invited." fields={["email"]} />
        <FormActs action="Make the link" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
