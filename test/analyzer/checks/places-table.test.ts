// Where each finding of the catalog is seen in a message.

import { expect, test } from "vitest";
import { checks } from "../../../src/analyzer/checks/list.ts";
import {
  bodyPlaceOf,
  bodyPlaces,
  headerPlaceOf,
  headerPlaces,
  unplaced,
} from "../../../src/analyzer/checks/places-table.ts";

const findings = checks.flatMap(({ id, area, findings }) =>
  Object.keys(findings).map((name) => ({ check: id, area, id: `${id}.${name}` })),
);

const decided = [...Object.values(bodyPlaces), ...Object.values(headerPlaces), unplaced].flatMap((ids) =>
  ids.split(" "),
);

test("every finding about what a reader sees has a decided place", () => {
  const seen = new Set(["identity", "content", "rendering", "accessibility", "compliance"]);
  const undecided = findings.filter(
    ({ area, check, id }) => seen.has(area) && !decided.includes(check) && !decided.includes(id),
  );
  expect(undecided.map(({ id }) => id)).toEqual([]);
});

test("every decided place belongs to a check or a finding, and each has one place", () => {
  const known = new Set(findings.flatMap(({ check, id }) => [check, id]));
  expect(decided.filter((key) => !known.has(key))).toEqual([]);
  expect(decided.toSorted()).toEqual([...new Set(decided)].toSorted());
});

test.each([
  ["display-name.brand", "identity", {}, "from"],
  ["dmarc-policy.none", "authentication", {}, "authentication"],
  ["subject-style.capitals", "content", {}, "subject"],
  ["preheader.wasted", "content", {}, "preheader"],
  ["attachment-risky.macros", "content", {}, "attachments"],
  ["invisible-characters.bidi", "identity", { header: "From" }, "from"],
  ["invisible-characters.bidi", "identity", { header: "Subject" }, "subject"],
  ["encoded-words.broken", "format", { header: "Reply-To" }, "from"],
  ["encoded-words.broken", "format", { header: "X-Mailer" }, null],
  ["placeholders.left-over", "content", { places: ["the subject", "the HTML"] }, "subject"],
  ["placeholders.left-over", "content", { places: ["the HTML", "the preview text"] }, "preheader"],
  ["placeholders.suspected", "content", { place: "the HTML" }, null],
  ["ptr-record.missing", "infrastructure", {}, null],
  ["html-clipping.clipped", "rendering", {}, null],
] as const)("the header of %s (%s) with %j is %s", (id, area, evidence, place) => {
  expect(headerPlaceOf({ id, area, occurrences: [{ evidence }] })).toBe(place);
});

test("a finding with a place in the header has none in the body, unless its evidence says so", () => {
  for (const { id, area } of findings)
    if (headerPlaceOf({ id, area, occurrences: [] }) !== null) expect([id, bodyPlaceOf(id)]).toEqual([id, null]);
});
