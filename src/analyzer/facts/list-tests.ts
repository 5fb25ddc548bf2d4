// Each list is tested before it is used, and once a day (RFC 5782 §5): its test entry must be listed, and an address
// that must never be listed must not. Otherwise a dead list, which lists nothing or everyone, would still count. The
// outcome is plain JSON, kept with the DNS answers of a test, because test entries are looked up apart from messages. A
// replay then uses and skips the same lists.

import { toReverseName } from "../addresses.ts";
import { type Why, whyUnknown } from "../checks/fact.ts";
import type { AskedWith, ListState } from "../checks/infrastructure-facts.ts";
import type { Dns, DnsAnswer } from "../dns/answer.ts";
import { addressesOf, type BlocklistZone, findListRow, matchesCode, readCodes } from "../dns/dnsbl.ts";
import { type ListRow, ownList } from "../dns/dnsbl-table.ts";

export type ListTests = {
  /** A test that takes longer continues in the background. Until it ends, the list is unknown. */
  readonly states: (patienceMs: number) => Promise<readonly ListState[]>;
};

const fitForMs = 86_400_000;
/** A failed test is repeated sooner, so that a brief outage does not cost a day. */
const unfitForMs = 600_000;

/**
 * One per process or thread, because it caches results. `dns`: not that of a message, whose queries are counted and
 * recorded.
 */
export function createListTests(zones: readonly BlocklistZone[], dns: Dns, now: () => number): ListTests {
  const remembered = new Map<string, { readonly states: readonly ListState[]; readonly until: number }>();
  const underway = new Map<string, Promise<readonly ListState[]>>();

  async function test(zone: string): Promise<readonly ListState[]> {
    const states = await testList(zone, dns);
    const isFit = states.every(({ unfit }) => unfit === null);
    remembered.set(zone, { states, until: now() + (isFit ? fitForMs : unfitForMs) });
    underway.delete(zone);
    return states;
  }

  async function stateOf(zone: string, patienceMs: number): Promise<readonly ListState[]> {
    const last = remembered.get(zone);
    if (last && now() < last.until) return last.states;
    const running = underway.get(zone) ?? test(zone);
    underway.set(zone, running);
    // While a list is tested again, the last result counts, so that no message waits.
    return last?.states ?? within(patienceMs, running, untested(zone));
  }

  return {
    states: async (patienceMs) => (await Promise.all(zones.map(({ zone }) => stateOf(zone, patienceMs)))).flat(),
  };
}

async function within<T>(patienceMs: number, promise: Promise<T>, otherwise: T): Promise<T> {
  const { promise: tired, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(resolve, patienceMs, otherwise);
  const first = await Promise.race([promise, tired]);
  clearTimeout(timer);
  return first;
}

function untested(zone: string): readonly ListState[] {
  const row = findListRow(zone);
  const kinds = kindsOf(row).filter((kind) => row !== undefined || kind !== "domain");
  return kinds.map((kind) => ({ zone, with: kind, unfit: "budget" }));
}

async function testList(zone: string, dns: Dns): Promise<readonly ListState[]> {
  const row = findListRow(zone);
  const states = await Promise.all(
    kindsOf(row).map(async (kind) => ({ zone, with: kind, unfit: await testWith(kind, zone, dns) })),
  );
  if (row !== undefined) return states;
  // A custom list may contain addresses or domains. Its test entries show which.
  const working = states.filter(({ unfit }) => unfit === null);
  return working.length > 0 ? working : states.filter((state) => state.with !== "domain");
}

function kindsOf(row: ListRow | undefined): readonly AskedWith[] {
  if (row === undefined) return ["ipv4", "ipv6", "domain"];
  if (row.kind === "domain") return ["domain"];
  return row.ipv6 ? ["ipv4", "ipv6"] : ["ipv4"];
}

/** ::ffff:127.0.0.2 and ::ffff:127.0.0.1, written out because they would be parsed as IPv4. */
const mapped = `0.0.0.f.7.f.f.f.f.${"0.".repeat(20)}`;

/** RFC 5782 §5. A domain list may have a different test entry. Either one is enough. */
function testNames(kind: AskedWith, zone: string): { readonly listed: readonly string[]; readonly clean: string } {
  if (kind === "ipv4") return { listed: [toReverseName("127.0.0.2", zone)], clean: toReverseName("127.0.0.1", zone) };
  if (kind === "ipv6") return { listed: [`2.0.0.${mapped}${zone}`], clean: `1.0.0.${mapped}${zone}` };
  const row = findListRow(zone);
  const own = row?.kind === "domain" && row.testName !== undefined ? [`${row.testName}.${zone}`] : [];
  return { listed: [`test.${zone}`, ...own], clean: `invalid.${zone}` };
}

async function testWith(kind: AskedWith, zone: string, dns: Dns): Promise<Why | null> {
  const names = testNames(kind, zone);
  const ask = async (name: string) => toWord(await dns.query(name, "A"), findListRow(zone));
  const [clean, ...listed] = await Promise.all([ask(names.clean), ...names.listed.map(ask)]);
  if (clean === "listed") return "servfail";
  if (clean !== "not-listed") return clean;
  if (listed.includes("listed")) return null;
  return listed.find((word) => word !== "listed" && word !== "not-listed") ?? "servfail";
}

type TestWord = "listed" | "not-listed" | Why;

/** Any code is fine for a test entry, even one that is not in the table. */
const anyCode = [{ code: "127.*.*.*", class: "listed", meaning: "" }] as const;

function toWord(answer: DnsAnswer, row: ListRow | undefined): TestWord {
  const trouble = whyUnknown(answer);
  if (trouble !== undefined) return trouble;
  const addresses = addressesOf(answer.records);
  const { testCode } = row ?? {};
  if (testCode !== undefined && addresses.some((address) => matchesCode(address, testCode))) return "listed";
  const { outcome } = readCodes(addresses, anyCode, (row ?? ownList).refusals);
  return outcome === "nonsense" ? "servfail" : outcome;
}
