// The rights of each role: members can do everything except manage members, the plan and the workspace
// (src/decisions.md, "Access").

import { Refusal } from "../errors.ts";

export const roles = ["owner", "member"] as const;
export type Role = (typeof roles)[number];

export function roleAllows(role: Role, needed: Role): boolean {
  return role === "owner" || needed === "member";
}

export function ownersOnly(): Refusal {
  return new Refusal("forbidden", "Only an owner of the workspace can do this.");
}
