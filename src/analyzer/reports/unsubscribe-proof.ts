// What shows whether a request to unsubscribe worked: mail of the same list that arrives later at the same address.

const allowedDays = 2;
/** Gmail and Yahoo require that senders honor a request within two days. */
export const allowedMs = allowedDays * 86_400_000;

export const proofStates = ["waiting", "allowed", "quiet", "receiving"] as const;
/**
 * `waiting`: the time has not passed, and nothing arrived. `allowed`: mail arrived within it. `quiet`: it has passed, and
 * nothing arrived after it. `receiving`: mail arrived after it.
 */
type ProofState = (typeof proofStates)[number];

export type LaterMail = { readonly id: string; readonly receivedAt: number };

export type Proof = {
  readonly state: ProofState;
  readonly deadline: number;
  readonly within: readonly LaterMail[];
  readonly after: readonly LaterMail[];
  /** After the deadline, from the same domain at the same address, with another List-Id or nothing that shows the list. */
  readonly otherLists: readonly LaterMail[];
};

/** `later`: mail after the request, of the list and of others from its domain. */
export function judgeProof(
  askedAt: number,
  later: { readonly ofList: readonly LaterMail[]; readonly ofOthers: readonly LaterMail[] },
  now: number,
): Proof {
  const deadline = askedAt + allowedMs;
  const isLate = ({ receivedAt }: LaterMail) => receivedAt > deadline;
  const within = later.ofList.filter((mail) => !isLate(mail));
  const after = later.ofList.filter(isLate);
  const state = after.length > 0 ? "receiving" : now > deadline ? "quiet" : within.length > 0 ? "allowed" : "waiting";
  return { state, deadline, within, after, otherLists: later.ofOthers.filter(isLate) };
}

/** What identifies a list at one address. */
export type ListKey = {
  /** In lower case. */
  readonly recipient: string;
  readonly listId: string | null;
  readonly fromDomain: string | null;
};

/**
 * List-Id decides: a sender may have several lists, and a list several From domains. Without any, list mail from the same
 * domain counts, and receipts and the like do not.
 */
export function isSameList(asked: ListKey, other: ListKey & { readonly isListMail: boolean }): boolean {
  if (asked.recipient !== other.recipient) return false;
  if (asked.listId !== null || other.listId !== null) return asked.listId === other.listId;
  return other.isListMail && asked.fromDomain !== null && asked.fromDomain === other.fromDomain;
}
