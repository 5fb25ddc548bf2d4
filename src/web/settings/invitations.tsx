import { useState } from "preact/hooks";
import type { AnswerOf } from "../../api/endpoint.ts";
import type { Invitation, inviteMember } from "../../api/workspaces.ts";
import { call } from "../client/call.ts";
import { useIsOwner } from "../client/session.ts";
import { useDoing } from "../client/use-action.ts";
import { toDay, toPlural } from "../client/words.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field, FormActs } from "../parts/form.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { ActionTable, ConfirmDoing, SelectField, TroubleNote, troubleOf } from "./parts.tsx";

type NewInvitation = AnswerOf<typeof inviteMember>;

type InvitationTableProps = {
  readonly invitations: readonly Invitation[];
  readonly onRenew: (sent: NewInvitation) => void;
  readonly onTakenBack: (invitation: Invitation) => void;
};

/** Those that nobody has accepted yet. A link cannot be shown again; a new one takes its place. */
export function InvitationTable({ invitations, onRenew, onTakenBack }: InvitationTableProps) {
  const isOwner = useIsOwner();
  const { isBusy, trouble, run } = useDoing();
  const [asked, setAsked] = useState<Invitation | null>(null);
  const renew = ({ email, role }: Invitation) =>
    run(async () => onRenew(await call("POST /api/members", { body: { email, role } })));
  return (
    <div class="stack-2">
      {trouble && <ErrorNote title="No new link was made." message={trouble.message} />}
      <ActionTable
        caption={toPlural(invitations.length, "open invitation", "open invitations")}
        columns={["Invited", "As", "Ends"]}
      >
        {invitations.map((invitation) => (
          <tr key={invitation.id}>
            <th scope="row">{invitation.email}</th>
            <td data-l="As">{invitation.role === "owner" ? "Owner" : "Member"}</td>
            <td data-l="Ends">{toDay(invitation.expiresAt)}</td>
            <td class="num">
              {isOwner && (
                <span class="settings-acts">
                  <button
                    class="btn small"
                    type="button"
                    disabled={isBusy}
                    onClick={() => void renew(invitation)}
                  >
                    New link<span class="vh"> for {invitation.email}</span>
                  </button>
                  <button class="btn small danger" type="button" onClick={() => setAsked(invitation)}>
                    Take back<span class="vh"> the invitation of {invitation.email}</span>
                  </button>
                </span>
              )}
            </td>
          </tr>
        ))}
      </ActionTable>
      {asked && (
        <ConfirmDoing
          title={`Take back the invitation of ${asked.email}?`}
          action="Take back"
          act={() => call("DELETE /api/members/:id", { params: { id: asked.id } })}
          done={`The invitation of ${asked.email} is taken back.`}
          failed="The invitation is as it was."
          onClose={() => setAsked(null)}
          onDone={() => onTakenBack(asked)}
        >
          <p>Its link opens nothing any more.</p>
        </ConfirmDoing>
      )}
    </div>
  );
}

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
  readonly onSent: (sent: NewInvitation) => void;
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
