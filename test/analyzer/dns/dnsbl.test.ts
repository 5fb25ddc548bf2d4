import { describe, expect, it, test } from "vitest";
import {
  findListRow,
  matchesCode,
  readCodes,
  toBlocklistZone,
  whyRefusedZone,
} from "../../../src/analyzer/dns/dnsbl.ts";
import { type Code, listRows, ownList, refusedZones } from "../../../src/analyzer/dns/dnsbl-table.ts";

/** An address that matches the code. */
function sampleOf(code: string): string {
  return code
    .split(".")
    .map((part) => (part === "*" ? "5" : part.replace("&", "").split("-")[0]))
    .join(".");
}

describe("the table of blocklists", () => {
  const everyCode = listRows.flatMap((row) =>
    (row.codes as readonly Code<string>[]).map((code) => [row.zones[0], code.code, row, code] as const),
  );

  test.each(everyCode)(
    "the table of blocklists contains a listing in %s for %s, and none without an answer",
    (_zone, code, row, wanted) => {
      const codes: readonly Code<string>[] = row.codes;
      expect(readCodes([sampleOf(code)], codes, row.refusals)).toMatchObject({
        outcome: "listed",
        codes: [sampleOf(code)],
        meanings: expect.arrayContaining([wanted.meaning]),
      });
      expect(readCodes([], codes, row.refusals)).toEqual({ outcome: "not-listed" });
    },
  );

  test.each(listRows.map((row) => [row.zones[0], row] as const))(
    "the table of blocklists ignores %s if it refuses, is hijacked, or sends an unknown code",
    (_zone, row) => {
      const codes: readonly Code<string>[] = row.codes;
      const outcomeOf = (address: string) => readCodes([address], codes, row.refusals).outcome;
      for (const code of ["127.255.255.252", "127.255.255.254", "127.255.255.255", "127.255.255.1"])
        expect(outcomeOf(code)).toBe("refused");
      for (const refusal of row.refusals ?? []) expect(outcomeOf(sampleOf(refusal))).toBe("refused");
      expect(outcomeOf("203.0.113.9")).toBe("nonsense");
      expect(outcomeOf("127.9.9.9")).toBe("nonsense");
    },
  );

  test("the table of blocklists contains each zone only once, and no refused zone", () => {
    const zones = listRows.flatMap((row) => row.zones);
    expect(new Set(zones).size).toBe(zones.length);
    for (const zone of zones) {
      const asked = zone.replace("<key>", "abc123");
      expect(findListRow(toBlocklistZone(asked).zone)).toBeDefined();
      expect(whyRefusedZone(toBlocklistZone(asked))).toBeNull();
    }
    for (const zone of Object.keys(refusedZones)) expect(zones).not.toContain(zone);
  });

  test("the table of blocklists sorts the codes of an IP blocklist with the worst first", () => {
    const order = ["major", "minor", "policy", "broad"];
    for (const row of listRows.filter(({ kind }) => kind === "address")) {
      const ranks = row.codes.map((code) => order.indexOf(code.class));
      expect(ranks).toEqual(ranks.toSorted());
    }
  });
});

describe("a blocklist answer", () => {
  const zen = findListRow("zen.spamhaus.org")?.codes as readonly Code<string>[];

  it("a blocklist answer counts by its worst class, and shows all codes of that class", () => {
    expect(readCodes(["127.0.0.11", "127.0.0.4", "127.0.0.2"], zen)).toEqual({
      outcome: "listed",
      class: "major",
      codes: ["127.0.0.2", "127.0.0.4"],
      meanings: ["SBL: spam source, listed manually", "XBL: hijacked or infected machine"],
    });
  });

  it("a blocklist answer shows every bit that is set", () => {
    const surbl = findListRow("multi.surbl.org");
    expect(readCodes(["127.0.0.80"], surbl?.codes as readonly Code<string>[], surbl?.refusals)).toMatchObject({
      class: "bad",
      codes: ["127.0.0.80"],
      meanings: ["MW: spreads malware", "ABUSE: advertised in spam"],
    });
  });

  it("a blocklist answer with a refusal code is no listing, whatever the other codes are", () => {
    expect(readCodes(["127.0.0.2", "127.255.255.254"], zen).outcome).toBe("refused");
  });

  it("a blocklist answer of an unknown list only shows that it is listed", () => {
    expect(readCodes(["127.0.0.77"], ownList.addressCodes, ownList.refusals)).toMatchObject({
      outcome: "listed",
      class: "minor",
    });
    expect(readCodes(["127.0.0.1"], ownList.addressCodes, ownList.refusals).outcome).toBe("refused");
  });

  it.each([
    ["127.0.0.5", "127.0.0.4-7", true],
    ["127.0.0.8", "127.0.0.4-7", false],
    ["127.0.9.3", "127.0.*.3", true],
    ["127.0.0.72", "127.0.0.&8", true],
    ["127.0.0.64", "127.0.0.&8", false],
    ["127.0.0.20", "127.0.0.2", false],
  ])("the blocklist answer %s matches the code %s: %s", (address, code, expected) => {
    expect(matchesCode(address, code)).toBe(expected);
  });
});

describe("a blocklist zone with a key", () => {
  it("a blocklist zone with a key has a display name without the key", () => {
    expect(toBlocklistZone("s3cr3t.zen.dq.spamhaus.net")).toEqual({
      zone: "_key.zen.dq.spamhaus.net",
      asked: "s3cr3t.zen.dq.spamhaus.net",
    });
    expect(toBlocklistZone("zen.spamhaus.org")).toEqual({ zone: "zen.spamhaus.org", asked: "zen.spamhaus.org" });
    expect(toBlocklistZone("bl.own.example")).toEqual({ zone: "bl.own.example", asked: "bl.own.example" });
  });

  it.each([
    ["dnsbl.sorbs.net", "sorbs.net was shut down on June 5, 2024"],
    ["spam.dnsbl.sorbs.net", "sorbs.net was shut down on June 5, 2024"],
    ["cbl.abuseat.org", "zen.spamhaus.org"],
    ["zen.dq.spamhaus.net", "<key>.zen.dq.spamhaus.net with your key"],
    ["s3cr3t.hbl.dq.spamhaus.net", "<key>.zen.dq.spamhaus.net with your key"],
    ["score.senderscore.com", "use bl.score.senderscore.com"],
  ])("the blocklist zone %s is rejected without showing the key: %s", (zone, expected) => {
    const why = whyRefusedZone(toBlocklistZone(zone));
    expect(why).toContain(expected);
    expect(why).not.toContain("s3cr3t");
  });
});
