import { describe, expect, it } from "vitest";
import type { Dns } from "../../../src/analyzer/dns/answer.ts";
import { toBlocklistZone } from "../../../src/analyzer/dns/dnsbl.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { createListTests } from "../../../src/analyzer/facts/list-tests.ts";

const patienceMs = 60_000;
const listed = { A: ["127.0.0.2"] };
const mapped = `0.0.0.f.7.f.f.f.f.${"0.".repeat(20)}`;

async function statesOf(zone: string, entries: Zone) {
  const tests = createListTests([toBlocklistZone(zone)], createZoneDns(entries), () => 0);
  const states = await tests.states(patienceMs);
  return Object.fromEntries(states.map((state) => [state.with, state.unfit]));
}

describe("the self-test of a blocklist", () => {
  it("the self-test of a blocklist passes if the list contains its test entries and no forbidden ones", async () => {
    const both = { "2.0.0.127.zen.spamhaus.org": listed, [`2.0.0.${mapped}zen.spamhaus.org`]: listed };
    expect(await statesOf("zen.spamhaus.org", both)).toEqual({ ipv4: null, ipv6: null });
    expect(await statesOf("bl.spamcop.net", { "2.0.0.127.bl.spamcop.net": listed })).toEqual({ ipv4: null });
    expect(await statesOf("multi.surbl.org", { "test.multi.surbl.org": listed })).toEqual({ domain: null });
  });

  it("the self-test of a blocklist accepts the owner's own test entry as well as the standard one", async () => {
    const own = { "dbltest.com.dbl.spamhaus.org": { A: ["127.0.1.2"] } };
    expect(await statesOf("dbl.spamhaus.org", own)).toEqual({ domain: null });
  });

  it("the self-test of a blocklist passes for DNSWL, whose test entry has the code of a refusal elsewhere", async () => {
    const entries = { "2.0.0.127.list.dnswl.org": { A: ["127.0.10.0"] } };
    expect(await statesOf("list.dnswl.org", entries)).toMatchObject({ ipv4: null });
    const refusing = { "2.0.0.127.list.dnswl.org": { A: ["127.0.0.255"] } };
    expect(await statesOf("list.dnswl.org", refusing)).toMatchObject({ ipv4: "refused" });
  });

  it.each<[string, Zone, string]>([
    ["lists nothing", {}, "servfail"],
    ["lists everyone", { "*.bl.spamcop.net": listed }, "servfail"],
    ["lists 127.0.0.1", { "2.0.0.127.bl.spamcop.net": listed, "1.0.0.127.bl.spamcop.net": listed }, "servfail"],
    ["is hijacked", { "*.bl.spamcop.net": { A: ["203.0.113.9"] } }, "servfail"],
    ["refuses us", { "*.bl.spamcop.net": { A: ["127.255.255.254"] } }, "refused"],
    ["is silent", { "*.bl.spamcop.net": "timeout" }, "timeout"],
    ["fails", { "*.bl.spamcop.net": "servfail" }, "servfail"],
    ["is refused by DNS", { "2.0.0.127.bl.spamcop.net": "refused" }, "refused"],
  ])("the self-test of a blocklist fails if the list %s", async (_what, entries, expected) => {
    expect(await statesOf("bl.spamcop.net", entries)).toEqual({ ipv4: expected });
  });

  it("the self-test of a blocklist finds out which kinds of entries an operator's own list has", async () => {
    expect(await statesOf("bl.own.example", { "2.0.0.127.bl.own.example": listed })).toEqual({ ipv4: null });
    expect(await statesOf("bl.own.example", { "test.bl.own.example": listed })).toEqual({ domain: null });
    expect(await statesOf("bl.own.example", {})).toEqual({ ipv4: "servfail", ipv6: "servfail" });
  });
});

describe("the cache of self-tests", () => {
  function world(entries: Zone) {
    let now = 1_000;
    let questions = 0;
    const zoneDns = createZoneDns(entries);
    const dns: Dns = {
      query: (name, type) => {
        questions++;
        return zoneDns.query(name, type);
      },
    };
    const tests = createListTests([toBlocklistZone("bl.spamcop.net")], dns, () => now);
    return {
      tests,
      questions: () => questions,
      advance: (ms: number) => {
        now += ms;
      },
    };
  }

  it("the cache of self-tests tests a working blocklist once a day", async () => {
    const { tests, questions, advance } = world({ "2.0.0.127.bl.spamcop.net": listed });
    await Promise.all([tests.states(patienceMs), tests.states(patienceMs)]);
    advance(86_000_000);
    await tests.states(patienceMs);
    expect(questions()).toBe(2);
    advance(1_000_000);
    await tests.states(patienceMs);
    expect(questions()).toBe(4);
  });

  it("the cache of self-tests tests a failing blocklist again after minutes, and treats it as failing until then", async () => {
    const { tests, questions, advance } = world({});
    const first = await tests.states(patienceMs);
    advance(601_000);
    expect(await tests.states(patienceMs)).toEqual(first);
    expect(questions()).toBe(4);
  });

  it("the cache of self-tests waits at most the given time, after which the blocklist is unknown", async () => {
    const asked = Promise.withResolvers<never>();
    const silent: Dns = { query: () => asked.promise };
    const tests = createListTests([toBlocklistZone("bl.spamcop.net")], silent, () => 0);
    expect(await tests.states(1)).toEqual([{ zone: "bl.spamcop.net", with: "ipv4", unfit: "budget" }]);
  });
});
