import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { useIsOwner } from "../../../web/client/session.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { toDay, toPlural } from "../../../web/client/words.ts";
import { Copyable } from "../../../web/parts/copy.tsx";
import { Field } from "../../../web/parts/form.tsx";
import { ErrorNote } from "../../../web/parts/states.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import {
  ActionTable,
  ConfirmDoing,
  FormDialog,
  OperatorTask,
  SelectField,
  ShownOnce,
} from "../../../web/settings/parts.tsx";
import { useEmailStatus } from "../../alerts/page/target-fields.tsx";
import type { Invitation, inviteMember } from "../contract/workspaces.ts";

type NewInvitation = AnswerOf<typeof inviteMember>;

type InvitationTableProps = {
  readonly invitations: readonly Invitation[];
  readonly onRenew: (sent: NewInvitation) => void;
  readonly onRevoked: (invitation: Invitation) => void;
};

/** Pending invitations. A link can't be shown again, only replaced by a new one. */
export function InvitationTable({ invitations, onRenew, onRevoked }: InvitationTableProps) {
  const isOwner = useIsOwner();
  const canMail = useEmailStatus()?.ready ?? false;
  const { isBusy, trouble, run } = useDoing();
  const [asked, setAsked] = useState<Invitation | null>(null);
  const renew = ({ email, role }: Invitation, sendEmail: boolean) =>
    run(async () => onRenew(await call("POST /api/members", { body: { email, role, sendEmail } })));
  return (
    <div class="stack-2">
      {trouble && <ErrorNote title="Couldn’t create a new link." message={trouble.message} />}
      <ActionTable
        caption={toPlural(invitations.length, "pending invitation", "pending invitations")}
        columns={["Email", "Role", "Sent", "Expires"]}
      >
        {invitations.map((invitation) => (
          <tr key={invitation.id}>
            <th scope="row">{invitation.email}</th>
            <td data-l="Role">{invitation.role === "owner" ? "Owner" : "Member"}</td>
            <td data-l="Sent">
              <MailState mail={invitation.mail} />
            </td>
            <td data-l="Expires">{toDay(invitation.expiresAt)}</td>
            <td class="num">
              {isOwner && (
                <span class="settings-acts">
                  {canMail && (
                    <button
                      class="btn small"
                      type="button"
                      disabled={isBusy}
                      onClick={() => void renew(invitation, true)}
                    >
                      {invitation.mail === null ? "Send" : "Send again"}
                      <span class="vh"> to {invitation.email}</span>
                    </button>
                  )}
                  <button
                    class="btn small"
                    type="button"
                    disabled={isBusy}
                    onClick={() => void renew(invitation, false)}
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

const mailWords: Readonly<Record<NonNullable<Invitation["mail"]>["state"], string>> = {
  sending: "Sending…",
  sent: "Sent by email",
  failed: "Not sent",
  bounced: "Bounced",
};

function MailState({ mail }: Pick<Invitation, "mail">) {
  if (mail === null) return <>Link only</>;
  const { state, problem, at } = mail;
  const isFine = state === "sent" || state === "sending";
  return (
    <span>
      {isFine ? (
        <span title={toDay(at)}>{mailWords[state]}</span>
      ) : (
        <Severity tone="critical">{mailWords[state]}</Severity>
      )}
      {problem !== null && <span class="settings-sub">{problem}</span>}
    </span>
  );
}

/** What became of the email, next to the link that can always be copied. */
export function SentLink({ sent, onClose }: { readonly sent: NewInvitation; readonly onClose: () => void }) {
  const { email, role, link, mail } = sent;
  const isMailed = mail?.state === "sent";
  return (
    <ShownOnce
      title={isMailed ? `Invitation sent to ${email}` : `Send this link to ${email}`}
      action={isMailed ? "Close" : "I’ve copied it"}
      onClose={onClose}
    >
      {mail?.problem && <ErrorNote title="The email wasn’t sent." message={mail.problem} />}
      <p class="muted">
        {isMailed
          ? "The mail server accepted the email. If it doesn’t arrive, copy the link. It won’t be shown again."
          : mail === null
            ? "It won’t be shown again, and it wasn’t sent by email."
            : "The link works all the same. It won’t be shown again."}{" "}
        Until {toDay(sent.expiresAt)}, anyone with the link can join as {role === "owner" ? "an owner" : "a member"}.
      </p>
      <Copyable text={link} what="the invite link" />
    </ShownOnce>
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
  const status = useEmailStatus();
  const [isMailed, setMailed] = useState(true);
  const sendEmail = isMailed && status?.ready === true;
  const invite = async (form: FormData) => {
    const body = { email: String(form.get("email")), role: form.get("role") as Role, sendEmail };
    onSent(await call("POST /api/members", { body }));
  };
  return (
    <FormDialog
      title="Invite member"
      action={sendEmail ? "Send invitation" : "Create link"}
      act={invite}
      failed="Couldn’t create the invitation."
      onClose={onClose}
    >
      <Field label="Email address" name="email" />
      <SelectField
        label="Role"
        name="role"
        hint="Members can use tests, domains, and alerts. Owners can also manage members and the workspace."
        options={roles}
      />
      {status?.ready && (
        <div class="field">
          <label>
            <input type="checkbox" checked={isMailed} onChange={(event) => setMailed(event.currentTarget.checked)} />{" "}
            Send the invitation by email
          </label>
          <span class="hint">From {status.from}. You can copy the link, too.</span>
        </div>
      )}
      {status?.ready === false && (
        <p class="small muted">
          This server can’t send invitations by email yet. Copy the invite link and share it.{" "}
          <OperatorTask to="/settings/server#email" task="set up email" />
        </p>
      )}
    </FormDialog>
  );
}
