import { useState } from "preact/hooks";
import type { AnswerOf } from "../../api/endpoint.ts";
import type { Invitation, inviteMember } from "../../api/workspaces.ts";
import { call } from "../client/call.ts";
import { useIsOwner } from "../client/session.ts";
import { troubleAt, useDoing } from "../client/use-action.ts";
import { toDay, toPlural } from "../client/words.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field, FormActs } from "../parts/form.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { ActionTable, ConfirmDoing, SelectField, TroubleNote } from "./parts.tsx";

type NewInvitation = AnswerOf<typeof inviteMember>;

type InvitationTableProps = {
  readonly invitations: readonly Invitation[];
  readonly onRenew: (sent: NewInvitation) => void;
  readonly onRevoked: (invitation: Invitation) => void;
};

/** Pending invitations. A link can't be shown again, only replaced by a new one. */
export function InvitationTable({ invitations, onRenew, onRevoked }: InvitationTableProps) {
  const isOwner = useIsOwner();
  const { isBusy, trouble, run } = useDoing();
  const [asked, setAsked] = useState<Invitation | null>(null);
  const renew = ({ email, role }: Invitation) =>
    run(async () => onRenew(await call("POST /api/members", { body: { email, role } })));
  return (
    <div class="stack-2">
      {trouble && <ErrorNote title="Couldn’t create a new link." message={trouble.message} />}
      <ActionTable
        caption={toPlural(invitations.length, "pending invitation", "pending invitations")}
        columns={["Email", "Role", "Expires"]}
      >
        {invitations.map((invitation) => (
          <tr key={invitation.id}>
            <th scope="row">{invitation.email}</th>
            <td data-l="Role">{invitation.role === "owner" ? "Owner" : "Member"}</td>
            <td data-l="Expires">{toDay(invitation.expiresAt)}</td>
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
                    Revoke<span class="vh"> the invitation for {invitation.email}</span>
                  </button>
                </span>
              )}
            </td>
          </tr>
        ))}
      </ActionTable>
      {asked && (
        <ConfirmDoing
          title={`Revoke the invitation for ${asked.email}?`}
          action="Revoke"
          act={() => call("DELETE /api/members/:id", { params: { id: asked.id } })}
          done={`Invitation for ${asked.email} revoked.`}
          failed="Couldn’t revoke the invitation."
          onClose={() => setAsked(null)}
          onDone={() => onRevoked(asked)}
        >
          <p>The invite link will stop working.</p>
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
    <Dialog title="Invite member" onClose={onClose}>
      <form class="stack" onSubmit={invite}>
        <Field
          label="Email address"
          name="email"
          hint="Assay doesn’t send email. Copy the invite link and share it."
          error={troubleAt(trouble, "email")}
        />
        <SelectField
          label="Role"
          name="role"
          hint="Members can use tests, domains, and alerts. Owners can also manage members, the plan, and the workspace."
          options={roles}
        />
        <TroubleNote trouble={trouble} title="Couldn’t create the invitation." fields={["email"]} />
        <FormActs action="Create link" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
