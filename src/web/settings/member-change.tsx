// What changes for one member: their role, or that they are one.

import type { Member } from "../../api/workspaces.ts";
import { call } from "../client/call.ts";
import { useSession } from "../client/session.ts";
import { ConfirmDoing } from "./confirm-doing.tsx";

export type MemberStep = {
  readonly what: "owner" | "member" | "leave" | "remove";
  readonly member: Member;
};

type Words = {
  readonly title: string;
  readonly action: string;
  readonly done: string;
  readonly failed: string;
  readonly lost: string;
};

type MemberChangeProps = {
  readonly step: MemberStep;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

export function MemberChange({ step: { what, member }, onClose, onDone }: MemberChangeProps) {
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
      // Nothing of this workspace may be read any more.
      onDone={what === "leave" ? () => window.location.assign("/") : onDone}
    >
      <p>{lost}</p>
    </ConfirmDoing>
  );
}

function wordsOf(what: MemberStep["what"], { name }: Member, workspace: string): Words {
  if (what === "owner")
    return {
      title: `Make ${name} an owner?`,
      action: "Make owner",
      done: `${name} is an owner now.`,
      failed: "The role is as it was.",
      lost: "An owner invites and removes people, you included, chooses the plan, and can delete the workspace with all its tests.",
    };
  if (what === "member")
    return {
      title: `Make ${name} a member?`,
      action: "Make member",
      done: `${name} is a member now.`,
      failed: "The role is as it was.",
      lost: `${name} can then no longer invite or remove people, choose the plan, or rename and delete the workspace.`,
    };
  if (what === "leave")
    return {
      title: `Leave ${workspace}?`,
      action: "Leave",
      done: `You left ${workspace}.`,
      failed: "You are still a member.",
      lost: "You no longer see its tests, and tokens that you made for it end at once. An owner can invite you again.",
    };
  return {
    title: `Remove ${name}?`,
    action: "Remove",
    done: `${name} is removed.`,
    failed: `${name} is still a member.`,
    lost: `${name} no longer sees this workspace, and tokens and shared links that they made for it end at once. The tests stay.`,
  };
}
