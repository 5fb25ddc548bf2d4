// The words for what can change, public: in alerts, in the history of a domain, in the API.

/** What a monitored domain is reported for. */
export const noticeKinds = ["drift", "mended", "unstable"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** `undo` completes "To undo it, …"; null where there is nothing to undo. */
type ChangeKindWords = { readonly means: string; readonly undo: string | null };

const restore = "publish the record that stood before again";

export const changeKinds = {
  record_added: { means: "A record stands where there was none.", undo: null },
  record_removed: { means: "A record is gone.", undo: restore },
  record_doubled: {
    means: "Several records stand where one must; receivers use none of them.",
    undo: "remove all but one of the records",
  },
  record_broken: { means: "A record can no longer be read or used.", undo: restore },
  record_repaired: { means: "One record that can be read stands again.", undo: null },
  record_changed: { means: "A record says something else.", undo: restore },
  policy_loosened: { means: "A DMARC policy asks for less than before.", undo: restore },
  policy_tightened: { means: "A DMARC policy asks for more than before.", undo: null },
  alignment_loosened: { means: "DMARC accepts subdomains where it wanted an exact match.", undo: restore },
  alignment_tightened: { means: "DMARC wants an exact match where it accepted subdomains.", undo: restore },
  reports_started: { means: "Reports are asked for.", undo: null },
  reports_stopped: { means: "Reports are no longer asked for.", undo: restore },
  reports_changed: { means: "Reports go to another address.", undo: restore },
  all_loosened: { means: "An SPF record judges unlisted senders more mildly.", undo: restore },
  all_tightened: { means: "An SPF record judges unlisted senders more strictly.", undo: restore },
  senders_added: { means: "An SPF record allows more senders.", undo: restore },
  senders_removed: { means: "An SPF record allows fewer senders.", undo: restore },
  senders_changed: { means: "An SPF record allows other senders.", undo: restore },
  lookups_exceeded: {
    means: "An SPF record needs more than 10 DNS look-ups, so that receivers refuse to evaluate it.",
    undo: "remove the includes that are not needed",
  },
  selector_added: { means: "A DKIM key stands under a selector that had none.", undo: null },
  selector_removed: { means: "The DKIM key of a selector is gone.", undo: restore },
  key_rotated: { means: "Another DKIM key stands under the same selector.", undo: restore },
  key_revoked: { means: "A DKIM key is revoked.", undo: restore },
  key_broken: { means: "A DKIM key can no longer be used.", undo: restore },
  key_repaired: { means: "A DKIM key can be used again.", undo: null },
  key_changed: { means: "A DKIM key may be used otherwise.", undo: restore },
  mx_changed: { means: "Mail for the domain goes elsewhere.", undo: restore },
  policy_mode_loosened: { means: "MTA-STS protects less than before.", undo: "set the earlier mode again" },
  policy_mode_tightened: { means: "MTA-STS protects more than before.", undo: null },
  policy_changed: { means: "An MTA-STS policy says something else.", undo: "serve the earlier policy again" },
  policy_lost: { means: "An MTA-STS policy can no longer be had.", undo: "serve the earlier policy again" },
  policy_found: { means: "An MTA-STS policy can be had again.", undo: null },
  dnssec_lost: {
    means: "A domain is no longer signed.",
    undo: "have the earlier DS records put into the parent zone again",
  },
  dnssec_gained: { means: "A domain is signed.", undo: null },
  dnssec_broken: {
    means: "The signatures of a domain are not valid, so that many resolvers refuse to answer for it.",
    undo: "have the zone signed anew, or the DS records removed from the parent zone",
  },
  dnssec_repaired: { means: "The signatures of a domain are valid again.", undo: null },
  dane_lost: { means: "An MX host is no longer protected by DANE.", undo: restore },
  dane_gained: { means: "An MX host is protected by DANE.", undo: null },
  verdict_changed: {
    means: "The record is the same, and what it leads to is not: receivers judge it otherwise.",
    undo: null,
  },
} as const satisfies Readonly<Record<string, ChangeKindWords>>;

export type ChangeKind = keyof typeof changeKinds;

export type Direction = "worse" | "better" | "neutral";

/** What a mechanism's own file makes of two states: the sentence without what is the same for all. */
export type ChangeWords = { readonly kind: ChangeKind; readonly direction: Direction; readonly says: string };
