import { expect, test } from "vitest";
import type { Zone, ZoneEntry } from "../../../src/analyzer/dns/zone.ts";
import type { FetchDoor } from "../../../src/analyzer/facts/fetch.ts";
import { isAboveInfo } from "../../../src/analyzer/reports/causes.ts";
import { findingsOf } from "../../../src/analyzer/reports/domain-report.ts";
import { type CheckdmarcCase, checkdmarcCases } from "./checkdmarc-table.ts";
import { check, healthy, policy } from "./domain-world.ts";

/** Names stand without the domain, but for those that end in a dot. */
function toZone({ zone, of }: CheckdmarcCase): Zone {
  const named = Object.entries(zone).map(([name, entry]): [string, ZoneEntry] => {
    const full = name === "" ? "a.example" : name.endsWith(".") ? name.slice(0, -1) : `${name}.a.example`;
    const held = healthy[full];
    return [full, typeof held === "object" && typeof entry === "object" ? { ...held, ...entry } : entry];
  });
  const { "_dmarc.a.example": _, ...others } = healthy;
  return { ...(of === "dmarc" ? others : healthy), ...Object.fromEntries(named) };
}

function serve(text: string): FetchDoor {
  const headers = { "content-type": "text/plain" };
  return async () => ({ ok: true, status: 200, headers, body: Buffer.from(text), address: "203.0.113.80" });
}

test.each(checkdmarcCases)("the published case of checkdmarc gets the right verdict: $what", async (one) => {
  const fetchStranger = one.policy === undefined ? policy("mx1.a.example") : serve(one.policy);
  const { judgment } = await check(toZone(one), { fetchStranger });
  const told = findingsOf(one.of, judgment);
  const faults = new Set(told.filter(isAboveInfo).map(({ id }) => id));
  expect([...faults].sort()).toEqual([...one.ours].sort());
  expect(told.map(({ id }) => id)).toEqual(expect.arrayContaining([...(one.notes ?? [])]));
});

test("every difference to checkdmarc is explained, and nothing else is", () => {
  const doesAgree = ({ theirs, ours, notes = [] }: CheckdmarcCase) =>
    theirs === "valid" ? ours.length === 0 : theirs === "warning" ? ours.length + notes.length > 0 : true;
  const silent = checkdmarcCases.filter((one) => one.differs === undefined && !doesAgree(one));
  expect(silent.map(({ what }) => what)).toEqual([]);
  const lenient = checkdmarcCases.filter(
    ({ theirs, ours, notes = [], differs }) =>
      (theirs === "invalid" || theirs === "missing") && ours.length + notes.length === 0 && differs === undefined,
  );
  expect(lenient.map(({ what }) => what)).toEqual([]);
});
