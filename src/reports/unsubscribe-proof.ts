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
  /** After the deadline, from the same domain at the same address, with another List-Id. */
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
  const state =
    after.length > 0 ? "receiving" : now > deadline ? "quiet" : within.length > 0 ? "allowed" : "waiting";
  return { state, deadline, within, after, otherLists: later.ofOthers.filter(isLate) };
}

/** What identifies a list at one address. */
export type ListKey = {
  /** In lower case. */
  readonly recipient: string;
  readonly listId: string | null;
  readonly fromDomain: string | null;
};

/** List-Id decides if both have one. A sender may have several lists, and a list several From domains. */
export function isSameList(one: ListKey, other: ListKey): boolean {
  if (one.recipient !== other.recipient) return false;
  if (one.listId !== null && other.listId !== null) return one.listId === other.listId;
  return one.fromDomain !== null && one.fromDomain === other.fromDomain;
}
