// Public names and descriptions of DNS changes, used in alerts, a domain's history and the API.

import rows from "./change-kinds.json" with { type: "json" };

/** What monitored domains are reported for. */
export const noticeKinds = ["drift", "mended", "unstable"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** `undo` completes "To undo it, …". Null: nothing to undo. */
type ChangeKindWords = { readonly means: string; readonly undo: string | null };

export const changeKinds: Readonly<Record<ChangeKind, ChangeKindWords>> = rows;

export type ChangeKind = keyof typeof rows;

export type Direction = "worse" | "better" | "neutral";

/** The part of a change that is specific to a mechanism. */
export type ChangeWords = { readonly kind: ChangeKind; readonly direction: Direction; readonly says: string };
