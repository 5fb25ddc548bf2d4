// Public names and descriptions of DNS changes, used in alerts, a domain's history and the API.

/** What monitored domains are reported for. */
export const noticeKinds = ["drift", "mended", "unstable"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** `undo` completes "To undo it, …". Null: nothing to undo. */
type ChangeKindWords = { readonly means: string; readonly undo: string | null };

const restore = "restore the previous record";

export const changeKinds = {
  record_added: { means: "A record was added.", undo: null },
  record_removed: { means: "A record was removed.", undo: restore },
  record_doubled: {
    means: "There are several records where only one is allowed, so receivers ignore all of them.",
    undo: "remove all but one of the records",
  },
  record_broken: { means: "A record became invalid.", undo: restore },
  record_repaired: { means: "There is one valid record again.", undo: null },
  record_changed: { means: "A record changed.", undo: restore },
  policy_loosened: { means: "A DMARC policy became weaker.", undo: restore },
  policy_tightened: { means: "A DMARC policy became stricter.", undo: null },
  alignment_loosened: { means: "DMARC alignment changed from strict to relaxed.", undo: restore },
  alignment_tightened: { means: "DMARC alignment changed from relaxed to strict.", undo: restore },
  reports_started: { means: "Reports are now requested.", undo: null },
  reports_stopped: { means: "Reports are no longer requested.", undo: restore },
  reports_changed: { means: "Reports go to a different address.", undo: restore },
  all_loosened: { means: "An SPF record became more lenient with unlisted senders.", undo: restore },
  all_tightened: { means: "An SPF record became stricter with unlisted senders.", undo: restore },
  senders_added: { means: "An SPF record allows more senders.", undo: restore },
  senders_removed: { means: "An SPF record allows fewer senders.", undo: restore },
  senders_changed: { means: "An SPF record allows different senders.", undo: restore },
  lookups_exceeded: {
    means: "An SPF record needs more than 10 DNS lookups, so receivers treat it as broken (permerror).",
    undo: "remove unneeded includes",
  },
  selector_added: { means: "A DKIM key was published for a new selector.", undo: null },
  selector_removed: { means: "A selector's DKIM key was removed.", undo: restore },
  key_rotated: { means: "A selector's DKIM key was replaced.", undo: restore },
  key_revoked: { means: "A DKIM key was revoked.", undo: restore },
  key_broken: { means: "A DKIM key became invalid.", undo: restore },
  key_repaired: { means: "A DKIM key is valid again.", undo: null },
  key_changed: { means: "A DKIM key's restrictions changed.", undo: restore },
  mx_changed: { means: "Mail for the domain goes to different servers.", undo: restore },
  policy_mode_loosened: { means: "MTA-STS offers less protection than before.", undo: "restore the previous mode" },
  policy_mode_tightened: { means: "MTA-STS offers more protection than before.", undo: null },
  policy_changed: { means: "An MTA-STS policy changed.", undo: "restore the previous policy" },
  policy_lost: { means: "An MTA-STS policy is no longer available.", undo: "restore the previous policy" },
  policy_found: { means: "An MTA-STS policy is available again.", undo: null },
  dnssec_lost: {
    means: "A domain is no longer signed with DNSSEC.",
    undo: "restore the previous DS records in the parent zone",
  },
  dnssec_gained: { means: "A domain is now signed with DNSSEC.", undo: null },
  dnssec_broken: {
    means: "A domain's DNSSEC signatures are invalid, so many resolvers cannot resolve it.",
    undo: "sign the zone again, or remove the DS records from the parent zone",
  },
  dnssec_repaired: { means: "A domain's DNSSEC signatures are valid again.", undo: null },
  dane_lost: { means: "An MX host is no longer protected by DANE.", undo: restore },
  dane_gained: { means: "An MX host is now protected by DANE.", undo: null },
  verdict_changed: { means: "The record is unchanged, but receivers now evaluate it differently.", undo: null },
} as const satisfies Readonly<Record<string, ChangeKindWords>>;

export type ChangeKind = keyof typeof changeKinds;

export type Direction = "worse" | "better" | "neutral";

/** The part of a change that is specific to a mechanism. */
export type ChangeWords = { readonly kind: ChangeKind; readonly direction: Direction; readonly says: string };
