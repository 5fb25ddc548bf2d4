// Previews DNS with changed records: they replace what DNS says, and the rest stays. Answers are like those of the changed
// zone. A name with records exists, and so do all names above it. An alias leads to the given records. A name without records
// is gone. Two limits: a name that existed only because of names below it stays, and an answer from a wildcard stays as it
// was, because an answer does not show that it came from one.

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
} from "./answer.ts";
import type { RecordSet } from "./record-sets.ts";
import { defaultTtlSeconds, toAncestors } from "./zone.ts";

type Overlay = {
  readonly base: Dns;
  /** Earlier answers of the base, which show whether a name has more than what is removed from it. */
  readonly recorded: readonly DnsAnswer[];
  readonly sets: readonly RecordSet[];
  readonly at: number;
};

type Entry = ReadonlyMap<RecordType, readonly DnsRecord[]>;

/** The answer of the base, an alias to follow, or the answer of the changed zone. */
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

  /** For a name that is not changed itself. */
  async function followOrTake(owner: string, type: RecordType, told: DnsAnswer): Promise<Step> {
    const { aliases = [], status } = told;
    const changed = aliases.findIndex((name) => entries.has(name));
    if (changed >= 0) return follow(told, changed);
    if (status !== "nxdomain") return { as: told };
    return aliases.length > 0 ? follow(told, aliases.length - 1) : absent(owner, type, told);
  }

  /** A name without records of the type. `told`: the answer of the base, if it is still true. */
  async function absent(name: string, type: RecordType, told: DnsAnswer | null): Promise<Step> {
    const isThere =
      existing.has(name) || (told?.status !== "nxdomain" && standsWithout(name, entries.get(name), recorded));
    if (isThere && told?.status === "nodata") return { as: told };
    if (isThere) return { outcome: withoutRecords("nodata", defaultTtlSeconds) };
    const wildcard = await findWildcard(name, type);
    if (wildcard) return readEntry(wildcard, type) ?? { outcome: withoutRecords("nodata", defaultTtlSeconds) };
    if (told?.status === "nxdomain") return { as: told };
    return { outcome: withoutRecords("nxdomain", defaultTtlSeconds) };
  }

  /** RFC 4592 §3.3.1: only the wildcard directly below the closest existing name counts. */
  async function findWildcard(name: string, type: RecordType): Promise<Entry | undefined> {
    const ancestors = toAncestors(name);
    const covering = ancestors.findIndex((ancestor) => entries.has(`*.${ancestor}`));
    for (const between of ancestors.slice(0, Math.max(0, covering)))
      if (existing.has(between) || (await isThere(between, type))) return undefined;
    return covering < 0 ? undefined : entries.get(`*.${ancestors[covering]}`);
  }

  /** The alias exists, even if its target does not. */
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

/** The given records at a name for this type, or its given alias. */
function readEntry(entry: Entry, type: RecordType): Step | undefined {
  const records = entry.get(type) ?? [];
  if (records.length > 0)
    return { outcome: { status: "answered", records, ttlSeconds: defaultTtlSeconds, authenticated: false } };
  const [alias] = entry.get("CNAME") ?? [];
  if (type === "CNAME" || alias?.type !== "CNAME") return undefined;
  return { to: [toQuestionName(alias.target) ?? alias.target], told: null };
}

/** An alias that is removed or replaced by records. */
function losesAlias(entry: Entry, type: RecordType, { aliases, records }: DnsAnswer): boolean {
  const isAlias = aliases !== undefined || (type === "CNAME" && records.length > 0);
  return isAlias && (entry.has("CNAME") || holdsAny(entry));
}

/** Follows the alias at `index`. The base has answered the rest of the chain. */
function follow(told: DnsAnswer, index: number): Step {
  const { aliases = [], ...rest } = told;
  const behind = aliases.slice(index + 1);
  return { to: aliases.slice(0, index + 1), told: behind.length > 0 ? { ...rest, aliases: behind } : rest };
}

/** Whether a name still exists without what is removed from it, as far as the record shows. */
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
