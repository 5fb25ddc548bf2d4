// What a role allows (decisions §3): members do everything but manage members, plan and the workspace's deletion.

import { Refusal } from "../errors.ts";

export const roles = ["owner", "member"] as const;
export type Role = (typeof roles)[number];

export function roleAllows(role: Role, needed: Role): boolean {
  return role === "owner" || needed === "member";
}

export function ownersOnly(): Refusal {
  return new Refusal("forbidden", "Only an owner of the workspace may do this.");
}
