// The week's bounces and complaints, those that say the same told once. All of it was written by strangers' servers.

import type { Bounce } from "../../api/bounces.ts";
import { toMoment, toPlural, toSentence, toShortTime } from "../client/words.ts";

export type BounceGroup = {
  readonly key: string;
  readonly tone: "major" | "minor";
  readonly word: string;
  readonly title: string;
  readonly line: string;
  readonly count: number;
  /** The newest of them. */
  readonly example: Bounce;
};

type Class = Bounce["recipients"][number]["class"];

const classWords: Readonly<Record<Class, string>> = {
  user_unknown: "No such mailbox",
  host_unknown: "No such mail host",
  mailbox_full: "Mailbox full",
  disabled: "Mailbox switched off",
  too_big: "Message too large",
  policy: "Refused by a policy",
  authentication: "Refused for want of proof",
  reputation: "Refused for the sender’s reputation",
  content: "Refused for its content",
  rate: "Too much mail at once",
  system: "Trouble at the receiving server",
  expired: "Given up after many tries",
  unknown: "Returned, and the reason is not clear",
};

/** `bounces`: newest first. */
export function toBounceGroups(bounces: readonly Bounce[], since: string): readonly BounceGroup[] {
  const recent = bounces.filter(({ receivedAt }) => receivedAt >= since);
  const groups = [...Map.groupBy(recent, toKey)].flatMap(([key, [example, ...others]]) =>
    example === undefined ? [] : [toGroup(key, example, others.length + 1)],
  );
  return groups.toSorted((a, b) => rank(a) - rank(b) || b.count - a.count);
}

const rank = ({ tone }: BounceGroup) => (tone === "major" ? 0 : 1);

function toKey({ kind, recipients, feedbackType, reportingMta }: Bounce): string {
  const [first] = recipients;
  if (kind === "complaint") return `complaint ${feedbackType} ${reportingMta}`;
  return `bounce ${first?.class} ${first?.hard} ${toHost(first?.address ?? null)}`;
}

function toHost(address: string | null): string | null {
  return address?.split("@").at(1) || null;
}

function toGroup(key: string, example: Bounce, count: number): BounceGroup {
  const shared = { key, count, example };
  return example.kind === "complaint"
    ? { ...shared, tone: "major", word: "Complaint", ...toComplaint(example, count) }
    : { ...shared, ...toBounce(example, count) };
}

const feedbackWords: Readonly<Record<string, string>> = {
  abuse: "reported a message as spam",
  fraud: "reported a message as fraud",
  virus: "reported a message with a virus",
  "not-spam": "said that a message is no spam",
  "opt-out": "asked for no more mail",
};

function toComplaint({ feedbackType, reportingMta, receivedAt }: Bounce, count: number) {
  const known = feedbackType !== null && Object.hasOwn(feedbackWords, feedbackType);
  const did = known ? feedbackWords[feedbackType] : "complained about a message";
  const title = count === 1 ? `One reader ${did}` : `${toPlural(count, "reader", "readers")} ${did}`;
  return { title, line: `${reportingMta ?? "Unnamed server"}, ${toShortTime(receivedAt)}` };
}

function toBounce({ recipients, receivedAt }: Bounce, count: number) {
  const [first] = recipients;
  const host = toHost(first?.address ?? null);
  const isHard = first?.hard ?? false;
  const words = [
    first?.status ?? null,
    isHard ? "permanent" : "temporary",
    count > 1 ? toPlural(count, "time", "times") : null,
    toShortTime(receivedAt),
  ];
  return {
    tone: isHard ? ("major" as const) : ("minor" as const),
    word: "Bounce",
    title: `${classWords[first?.class ?? "unknown"]}${host === null ? "" : ` at ${host}`}`,
    line: toSentence(words.filter((word) => word !== null).join(", ")),
  };
}

/** For a link that is read without what stands beside it. */
export function toLinkName({ title, example }: BounceGroup): string {
  return `${title}, ${toMoment(example.receivedAt)}`;
}
