// The members of the workspace, pending invitations and roles.

import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useIsOwner, useSession } from "../../../web/client/session.ts";
import { toDay, toList, toPlural } from "../../../web/client/words.ts";
import { Moment } from "../../../web/parts/text.tsx";
import { ActionTable, ConfirmDoing, Reading, SectionHead } from "../../../web/settings/parts.tsx";
import type { Invitation, inviteMember, Member } from "../contract/workspaces.ts";
import { InvitationTable, Invite, SentLink } from "./invitations.tsx";

type NewInvitation = AnswerOf<typeof inviteMember>;

export function MembersSection() {
  const isOwner = useIsOwner();
  const { renew } = useSession();
  const reading = useLoaded("members", (signal) => call("GET /api/members", { signal }));
  const [isInviting, setInviting] = useState(false);
  const [sent, setSent] = useState<NewInvitation | null>(null);
  const [step, setStep] = useState<MemberStep | null>(null);
  const add = (invitation: NewInvitation) => {
    setInviting(false);
    setSent(invitation);
    reading.reload();
  };
  const refresh = () => {
    reading.reload();
    void renew();
  };
  return (
    <>
      <SectionHead
        title="Members"
        lead="Members can use everything in this workspace. Owners can also manage members, and rename or delete the workspace."
      >
        {isOwner && (
          <button class="btn primary" type="button" onClick={() => setInviting(true)}>
            Invite member
          </button>
        )}
      </SectionHead>
      {sent && <SentLink sent={sent} onClose={() => setSent(null)} />}
      <Reading reading={reading} what="the members">
        {({ items, invitations }) => (
          <div class="stack">
            {!isOwner && <OwnersHint members={items} />}
            <MemberTable members={items} onStep={setStep} />
            {invitations.length > 0 && (
              <InvitationTable
                invitations={invitations}
                onRenew={add}
                onRevoked={(invitation: Invitation) => {
                  if (invitation.email === sent?.email) setSent(null);
                  reading.reload();
                }}
              />
            )}
          </div>
        )}
      </Reading>
      {isInviting && <Invite onClose={() => setInviting(false)} onSent={add} />}
      {step && <MemberChange step={step} onClose={() => setStep(null)} onDone={refresh} />}
    </>
  );
}

function OwnersHint({ members }: { readonly members: readonly Member[] }) {
  const owners = members.filter(({ role }) => role === "owner").map(({ name }) => name);
  if (owners.length === 0) return null;
  return <p class="small muted">Ask {toList(owners, "or")} to invite or remove members.</p>;
}

type MemberTableProps = { readonly members: readonly Member[]; readonly onStep: (step: MemberStep) => void };

function MemberTable({ members, onStep }: MemberTableProps) {
  return (
    <ActionTable caption={toPlural(members.length, "member", "members")} columns={["Name", "Role", "Joined"]}>
      {members.map((member) => (
        <MemberRow key={member.id} member={member} onStep={onStep} />
      ))}
    </ActionTable>
  );
}

type MemberRowProps = Pick<MemberTableProps, "onStep"> & { readonly member: Member };

function MemberRow({ member, onStep }: MemberRowProps) {
  const isOwner = useIsOwner();
  const { person } = useSession();
  const { id, name, email, role, joinedAt } = member;
  const isSelf = id === person.user.id;
  const other = role === "owner" ? "member" : "owner";
  return (
    <tr>
      <th scope="row">
        {name} {isSelf && <span class="tag">You</span>}
        <span class="settings-sub">{email}</span>
      </th>
      <td data-l="Role">{role === "owner" ? "Owner" : "Member"}</td>
      <td data-l="Joined">
        <Moment time={joinedAt} words={toDay(joinedAt)} />
      </td>
      <td class="num">
        <span class="settings-acts">
          {isOwner && (
            <button class="btn small" type="button" onClick={() => onStep({ what: other, member })}>
              Make {other}
              <span class="vh">: {name}</span>
            </button>
          )}
          {(isOwner || isSelf) && (
            <button
              class="btn small danger"
              type="button"
              onClick={() => onStep({ what: isSelf ? "leave" : "remove", member })}
            >
              {isSelf ? "Leave" : "Remove"}
              <span class="vh"> {isSelf ? "this workspace" : name}</span>
            </button>
          )}
        </span>
      </td>
    </tr>
  );
}

// Changes to a member: a new role, or the end of the membership.

type MemberStep = { readonly what: "owner" | "member" | "leave" | "remove"; readonly member: Member };

type ConfirmWords = {
  readonly title: string;
  readonly action: string;
  readonly done: string;
  readonly failed: string;
  readonly lost: string;
};

type MemberChangeProps = { readonly step: MemberStep; readonly onClose: () => void; readonly onDone: () => void };

function MemberChange({ step: { what, member }, onClose, onDone }: MemberChangeProps) {
  const { workspace } = useSession();
  const { lost, ...words } = wordsOf(what, member, workspace.name);
  const act = () =>
    what === "leave" || what === "remove"
      ? call("DELETE /api/members/:id", { params: { id: member.id } })
      : call("PATCH /api/members/:id", { params: { id: member.id }, body: { role: what } });
  return (
    <ConfirmDoing
      {...words}
      act={act}
      onClose={onClose}
      // The page must not show this workspace any longer.
      onDone={what === "leave" ? () => window.location.assign("/") : onDone}
    >
      <p>{lost}</p>
    </ConfirmDoing>
  );
}

function wordsOf(what: MemberStep["what"], { name }: Member, workspace: string): ConfirmWords {
  if (what === "owner")
    return {
      title: `Make ${name} an owner?`,
      action: "Make owner",
      done: `${name} is now an owner.`,
      failed: "Couldn’t change the role.",
      lost: "Owners can invite and remove members, including you, change the plan, and delete the workspace with all its tests.",
    };
  if (what === "member")
    return {
      title: `Make ${name} a member?`,
      action: "Make member",
      done: `${name} is now a member.`,
      failed: "Couldn’t change the role.",
      lost: `${name} will no longer be able to manage members, or rename or delete the workspace.`,
    };
  if (what === "leave")
    return {
      title: `Leave ${workspace}?`,
      action: "Leave",
      done: `You left ${workspace}.`,
      failed: "Couldn’t leave the workspace.",
      lost: "You’ll lose access to its tests, and your tokens for it will stop working. An owner can invite you again.",
    };
  return {
    title: `Remove ${name}?`,
    action: "Remove",
    done: `${name} removed.`,
    failed: `Couldn’t remove ${name}.`,
    lost: `${name} will lose access to this workspace. Their tokens and share links will stop working. Tests are kept.`,
  };
}
