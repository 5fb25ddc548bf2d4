import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Dns, unanswered } from "../../../src/analyzer/dns/answer.ts";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import {
  recordAnswers,
  replayAnswers,
  withinBudget,
  withoutUnasked,
} from "../../../src/analyzer/facts/dns-evidence.ts";

const zone = { "example.com": { TXT: ["v=spf1 -all"], A: ["192.0.2.1"] }, "slow.example": "fail" } as const;

function counting(dns: Dns): { dns: Dns; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    dns: {
      query: (name, type) => {
        asked.push(`${name} ${type}`);
        return dns.query(name, type);
      },
    },
  };
}

describe("recordAnswers", () => {
  it("recordAnswers stores every distinct query and its answer in query order", async () => {
    const { dns, answers } = recordAnswers(createZoneDns(zone));
    await Promise.all([
      dns.query("slow.example", "A"),
      dns.query("example.com", "TXT"),
      dns.query("Example.com.", "TXT"),
      dns.query("absent.example", "MX"),
    ]);
    expect(answers().map(({ name, type, status }) => `${name} ${type} ${status}`)).toEqual([
      "slow.example A timeout",
      "example.com TXT answered",
      "absent.example MX nxdomain",
    ]);
  });

  it("recordAnswers queries DNS once, so that one analysis never sees two answers to a query", async () => {
    const { dns, asked } = counting(createZoneDns(zone));
    const recorded = recordAnswers(dns);
    await recorded.dns.query("example.com", "TXT");
    await recorded.dns.query("EXAMPLE.com", "TXT");
    expect(asked).toEqual(["example.com TXT"]);
  });
});

describe("a query budget of one part", () => {
  it("a query budget of one part ends without limiting the other parts, and records that it ended", async () => {
    const { dns, share, answers } = recordAnswers(createZoneDns(zone));
    const little = share("part", 1);
    expect((await little.query("example.com", "TXT")).status).toBe("answered");
    expect((await little.query("example.com", "A")).status).toBe("budget");
    expect((await dns.query("example.com", "MX")).status).toBe("nodata");
    expect(answers().map(({ type, status }) => `${type} ${status}`)).toEqual(["TXT answered", "A budget", "MX nodata"]);
  });

  it("a query budget of one part does not block other parts from queries that it cannot make", async () => {
    const { dns, share, answers } = recordAnswers(createZoneDns(zone));
    expect((await share("part", 0).query("example.com", "TXT")).status).toBe("budget");
    expect((await dns.query("example.com", "TXT")).status).toBe("answered");
    expect(answers().map(({ status }) => status)).toEqual(["answered"]);
  });

  it("a query budget of one part refuses the same queries in a replay, and no others", async () => {
    const { dns, share, answers, unasked } = recordAnswers(createZoneDns(zone));
    await share("part", 0).query("example.com", "TXT");
    await dns.query("Example.com", "TXT");
    const refused = new Set(JSON.parse(JSON.stringify(unasked())) as string[]);
    const statusFor = async (part: string) =>
      (await withoutUnasked(replayAnswers(answers()), part, refused).query("EXAMPLE.com", "TXT")).status;
    expect(await statusFor("part")).toBe("budget");
    expect(await statusFor("another")).toBe("answered");
  });

  it("a query budget of one part still refuses a query after another part has made it", async () => {
    const { dns, share } = recordAnswers(createZoneDns(zone));
    const part = share("part", 0);
    await part.query("example.com", "TXT");
    await dns.query("example.com", "TXT");
    expect((await part.query("example.com", "TXT")).status).toBe("budget");
  });

  it("a query budget of one part does not pay for queries that another part has made", async () => {
    const { dns, share } = recordAnswers(createZoneDns(zone));
    await dns.query("example.com", "TXT");
    expect((await share("part", 0).query("example.com", "TXT")).status).toBe("answered");
  });
});

describe("replayAnswers", () => {
  it("replayAnswers gives the recorded answers from JSON", async () => {
    const recorded = recordAnswers(createZoneDns(zone, () => 42));
    const questions = [
      ["example.com", "TXT"],
      ["slow.example", "A"],
      ["bad\0name", "A"],
    ] as const;
    const live = [];
    for (const [name, type] of questions) live.push(await recorded.dns.query(name, type));
    const replay = replayAnswers(JSON.parse(JSON.stringify(recorded.answers())), 42);
    for (const [index, [name, type]] of questions.entries()) {
      expect(await replay.query(name, type)).toEqual(live[index]);
    }
  });

  it("replayAnswers gives no answer to a query that was not recorded", async () => {
    const answer = await replayAnswers([]).query("example.com", "A");
    expect(answer).toMatchObject({ status: "unreachable", records: [], server: null });
  });
});

describe("withinBudget", () => {
  it("withinBudget makes no more queries than allowed, and says so for the others", async () => {
    const { dns, asked } = counting(createZoneDns(zone));
    const limited = withinBudget(dns, { maxQuestions: 2, deadlineAt: 1000, now: () => 0 });
    const statuses = [];
    for (const type of ["A", "TXT", "MX"] as const) statuses.push((await limited.query("example.com", type)).status);
    expect(statuses).toEqual(["answered", "answered", "budget"]);
    expect(asked).toHaveLength(2);
  });

  it("withinBudget accepts no more text than allowed, measured as stored in a report", async () => {
    const texts = { "a.example": { TXT: ["\0".repeat(200)] }, "b.example": { TXT: ["b"] } };
    const budget = { maxQuestions: 9, maxCharacters: 1_000, deadlineAt: 1000, now: () => 0 };
    const limited = withinBudget(createZoneDns(texts), budget);
    expect(await limited.query("a.example", "TXT")).toMatchObject({ status: "budget", records: [] });
    expect((await limited.query("b.example", "TXT")).status).toBe("answered");
  });

  it("withinBudget runs 32 queries of a message at once, and the others in turn", async () => {
    const asked: (() => void)[] = [];
    const held: Dns = {
      query: async (name, type) => {
        await new Promise<void>((resolve) => asked.push(resolve));
        return unanswered(name, type, "nodata", 0);
      },
    };
    const limited = withinBudget(held, { maxQuestions: 99, deadlineAt: 60_000, now: () => 0 });
    const answers = Array.from({ length: 40 }, (_, index) => limited.query(`n${index}.example`, "A"));
    await setImmediate();
    expect(asked).toHaveLength(32);
    for (const answer of asked) answer();
    await setImmediate();
    expect(asked).toHaveLength(40);
    for (const answer of asked) answer();
    expect(await Promise.all(answers)).toHaveLength(40);
  });

  it("withinBudget counts a query once inside a recorder", async () => {
    const { dns } = recordAnswers(
      withinBudget(createZoneDns(zone), { maxQuestions: 1, deadlineAt: 1000, now: () => 0 }),
    );
    await dns.query("example.com", "A");
    expect((await dns.query("example.com", "A")).status).toBe("answered");
  });

  it("withinBudget makes no queries after the deadline", async () => {
    const { dns, asked } = counting(createZoneDns(zone));
    const late = withinBudget(dns, { maxQuestions: 9, deadlineAt: 1000, now: () => 1000 });
    expect((await late.query("example.com", "A")).status).toBe("budget");
    expect(asked).toEqual([]);
  });

  it("withinBudget does not wait beyond the deadline for a pending answer", async () => {
    const never: Dns = { query: () => new Promise(() => undefined) };
    const limited = withinBudget(never, { maxQuestions: 9, deadlineAt: 20, now: () => 0 });
    expect((await limited.query("example.com", "A")).status).toBe("budget");
  });
});
