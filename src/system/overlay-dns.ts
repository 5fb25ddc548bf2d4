// DNS as it would be with other records: those in place of what DNS says, everything else as it says it. It answers as
// the changed zone would: a name with records exists and so do all above it, an alias leads to what is given there, and
// a name that lost its last record is gone. Names that existed only through what stood below them stay, and what a wildcard of the true zone answered stands as it was: an answer does
// not tell that it came from one.

import {
  type Dns,
  type DnsAnswer,
  type DnsOutcome,
  type DnsRecord,
  isWithin,
  type RecordType,
  toQuestionName,
  unanswered,
  withoutRecords,
} from "../dns/answer.ts";
import type { RecordSet } from "./record-sets.ts";
import { defaultTtlSeconds, toAncestors } from "./zone.ts";

type Overlay = {
  readonly base: Dns;
  /** What was heard of the base before: it tells whether a name holds more than what is taken from it. */
  readonly recorded: readonly DnsAnswer[];
  readonly sets: readonly RecordSet[];
  readonly at: number;
};

type Entry = ReadonlyMap<RecordType, readonly DnsRecord[]>;

/** What the base says, an alias to follow, or what the changed zone says instead. */
type Step =
  | { readonly as: DnsAnswer }
  | { readonly to: readonly string[]; readonly told: DnsAnswer | null }
  | { readonly outcome: DnsOutcome };

const maxAliases = 16;

export function createOverlayDns({ base, recorded, sets, at }: Overlay): Dns {
  const entries = new Map(
    [...Map.groupBy(sets, ({ name }) => name)].map(([name, here]) => [
      name,
      new Map<RecordType, readonly DnsRecord[]>(here.map(({ type, records }) => [type, records])),
    ]),
  );
  const held = [...entries].filter(([, entry]) => holdsAny(entry)).map(([name]) => name);
  const existing = new Set([...held, ...held.flatMap(toAncestors)]);

  async function step(owner: string, type: RecordType, known: DnsAnswer | null): Promise<Step> {
    const entry = entries.get(owner);
    const given = entry && readEntry(entry, type);
    if (given) return given;
    if (entry?.has(type)) return absent(owner, type, null);
    const told = known ?? (await base.query(owner, type));
    if (entry && losesAlias(entry, type, told)) return absent(owner, type, null);
    const isBare = told.status === "nodata" && told.aliases === undefined;
    return entry && isBare ? absent(owner, type, told) : followOrTake(owner, type, told);
  }

  /** Of a name that is itself left as it is. */
  async function followOrTake(owner: string, type: RecordType, told: DnsAnswer): Promise<Step> {
    const { aliases = [], status } = told;
    const changed = aliases.findIndex((name) => entries.has(name));
    if (changed >= 0) return follow(told, changed);
    if (status !== "nxdomain") return { as: told };
    return aliases.length > 0 ? follow(told, aliases.length - 1) : absent(owner, type, told);
  }

  /** A name that holds nothing of the type. `told`: what the base says, where that is still true. */
  async function absent(name: string, type: RecordType, told: DnsAnswer | null): Promise<Step> {
    const isThere =
      existing.has(name) || (told?.status !== "nxdomain" && standsWithout(name, entries.get(name), recorded));
    if (isThere && told?.status === "nodata") return { as: told };
    if (isThere) return { outcome: withoutRecords("nodata", defaultTtlSeconds) };
    const wildcard = await findWildcard(name, type);
    if (wildcard)
      return readEntry(wildcard, type) ?? { outcome: withoutRecords("nodata", defaultTtlSeconds) };
    if (told?.status === "nxdomain") return { as: told };
    return { outcome: withoutRecords("nxdomain", defaultTtlSeconds) };
  }

  /** RFC 4592 §3.3.1: only the wildcard right below the closest name that exists counts. */
  async function findWildcard(name: string, type: RecordType): Promise<Entry | undefined> {
    const ancestors = toAncestors(name);
    const covering = ancestors.findIndex((ancestor) => entries.has(`*.${ancestor}`));
    for (const between of ancestors.slice(0, Math.max(0, covering)))
      if (existing.has(between) || (await isThere(between, type))) return undefined;
    return covering < 0 ? undefined : entries.get(`*.${ancestors[covering]}`);
  }

  /** An alias is there, though it may lead to nothing. */
  async function isThere(name: string, type: RecordType): Promise<boolean> {
    const { status, aliases } = await base.query(name, type);
    return status !== "nxdomain" || aliases !== undefined;
  }

  return {
    query: async (rawName, type) => {
      const name = toQuestionName(rawName);
      if (name === null) return base.query(rawName, type);
      const aliases: string[] = [];
      let owner = name;
      let told: DnsAnswer | null = null;
      while (aliases.length <= maxAliases) {
        const next: Step = await step(owner, type, told);
        if ("as" in next && aliases.length === 0) return next.as;
        if (!("to" in next)) return toAnswer(unanswered(name, type, "servfail", at), next, aliases);
        aliases.push(...next.to);
        owner = next.to.at(-1) ?? owner;
        told = next.told;
      }
      return unanswered(name, type, "servfail", at);
    },
  };
}

function holdsAny(entry: Entry): boolean {
  return entry.values().some((records) => records.length > 0);
}

/** What is given at a name for this type, be it by an alias. */
function readEntry(entry: Entry, type: RecordType): Step | undefined {
  const records = entry.get(type) ?? [];
  if (records.length > 0)
    return {
      outcome: { status: "answered", records, ttlSeconds: defaultTtlSeconds, authenticated: false },
    };
  const [alias] = entry.get("CNAME") ?? [];
  if (type === "CNAME" || alias?.type !== "CNAME") return undefined;
  return { to: [toQuestionName(alias.target) ?? alias.target], told: null };
}

/** An alias that is taken away, or gives way to records. */
function losesAlias(entry: Entry, type: RecordType, { aliases, records }: DnsAnswer): boolean {
  const isAlias = aliases !== undefined || (type === "CNAME" && records.length > 0);
  return isAlias && (entry.has("CNAME") || holdsAny(entry));
}

/** To the alias at `index`, of which the base has said the rest on the way. */
function follow(told: DnsAnswer, index: number): Step {
  const { aliases = [], ...rest } = told;
  const behind = aliases.slice(index + 1);
  return {
    to: aliases.slice(0, index + 1),
    told: behind.length > 0 ? { ...rest, aliases: behind } : rest,
  };
}

/** Whether a name is still there when what is taken from it is gone, as far as the record tells. */
function standsWithout(name: string, entry: Entry | undefined, recorded: readonly DnsAnswer[]): boolean {
  const isTaken = ({ type, aliases }: DnsAnswer) =>
    entry?.has(type) === true || (aliases !== undefined && entry?.has("CNAME") === true);
  const isThere = ({ status }: DnsAnswer) => status === "answered" || status === "nodata";
  const here = recorded.filter((answer) => answer.name === name);
  const lostSome = here.some((answer) => isTaken(answer) && answer.status === "answered");
  const left = here.filter((answer) => !isTaken(answer));
  if (left.some((answer) => answer.status === "answered" || (!lostSome && isThere(answer)))) return true;
  return recorded.some((answer) => answer.name !== name && isWithin(answer.name, name) && isThere(answer));
}

function toAnswer(
  question: DnsAnswer,
  step: Exclude<Step, { readonly to: readonly string[] }>,
  followed: readonly string[],
): DnsAnswer {
  const outcome = "as" in step ? step.as : step.outcome;
  const aliases = [...followed, ...(outcome.aliases ?? [])];
  const { name, type } = question;
  return { ...question, ...outcome, name, type, ...(aliases.length > 0 && { aliases }) };
}
