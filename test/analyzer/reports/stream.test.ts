import { describe, expect, test } from "vitest";
import { readPage } from "../../../src/analyzer/mail/html/page.ts";
import { sketchStructure } from "../../../src/analyzer/mail/html/structure.ts";
import {
  chooseStream,
  replayStream,
  type StreamPoint,
  toMoveCauses,
  toStreamKey,
  toUsual,
} from "../../../src/analyzer/reports/stream.ts";
import type { Traits } from "../../../src/analyzer/reports/traits.ts";

const traits: Traits = {
  template: null,
  host: "mta#.mail.example",
  selectors: ["s1.sender.example"],
  dns: { "TXT _dmarc.sender.example": "a" },
  version: "0.1.0",
};

function toPoints(scores: readonly (number | null)[], changes: Record<number, Partial<Traits>> = {}): StreamPoint[] {
  let now = traits;
  return scores.map((score, index) => {
    now = { ...now, ...changes[index] };
    return { testId: `t${index}`, score, traits: now };
  });
}

const moves = (points: readonly StreamPoint[]) =>
  replayStream(points).steps.flatMap(({ testId, move, isNews }) => (move === null ? [] : [[testId, move, isNews]]));

describe("a stream", () => {
  test("a stream has no unusual score before three tests", () => {
    expect(moves(toPoints([90, 40, 90, 20]))).toEqual([]);
  });

  test("a stream keeps the decimals of scores and differences", () => {
    expect(toUsual({ level: [98.8, 98.8, 98.7] })?.score).toBe(98.8);
    expect(moves(toPoints([98.8, 98.8, 98.8, 64]))).toEqual([["t3", -34.8, true]]);
  });

  test("a stream reports a score far from the usual one once", () => {
    expect(moves(toPoints([92, 93, 92, 92, 80, 80]))).toEqual([
      ["t4", -12, true],
      ["t5", -12, false],
    ]);
  });

  test("a stream adopts a lasting change as the usual score, and reports the recovery", () => {
    expect(moves(toPoints([92, 93, 92, 80, 80, 80, 80, 80, 92]))).toEqual([
      ["t3", -12, true],
      ["t4", -12, false],
      ["t5", -12, false],
      ["t8", 12, true],
    ]);
  });

  test("a stream reports a second drop during the first", () => {
    expect(moves(toPoints([92, 92, 92, 80, 49]))).toEqual([
      ["t3", -12, true],
      ["t4", -43, true],
    ]);
  });

  test("a stream tolerates its usual variation", () => {
    const restless = Array.from({ length: 60 }, (_, index) => 80 + ((index * 7) % 11) - 5);
    expect(moves(toPoints(restless))).toEqual([]);
    expect(moves(toPoints([...restless, 30]))).toEqual([["t60", -50, true]]);
  });

  test("a stream skips tests without a comparable score", () => {
    expect(moves(toPoints([92, null, 92, 92, null, 92]))).toEqual([]);
  });

  test("a stream marks a change at the test where it happened", () => {
    const points = toPoints([92, 92, 92, 92, 92, 92], {
      1: { selectors: ["s2.sender.example"] },
      2: { host: "out#.other.example" },
      3: { dns: { "TXT _dmarc.sender.example": "b" } },
      4: { version: "0.2.0" },
    });
    expect(replayStream(points).steps.map(({ marks }) => marks.map(({ says }) => says))).toEqual([
      [],
      ["The DKIM selector changed from s1.sender.example to s2.sender.example."],
      ["The sending host changed from mta#.mail.example to out#.other.example."],
      ["DNS changed: TXT _dmarc.sender.example."],
      ["Assay was updated from 0.1.0 to 0.2.0."],
      [],
    ]);
  });

  test("a stream does not mark a value that is unknown on one side", () => {
    expect(
      replayStream(toPoints([92, 92], { 1: { host: null, dns: {} } })).steps.flatMap(({ marks }) => marks),
    ).toEqual([]);
  });
});

test("a test is compared with the newest test near the usual score, not with one that is barely normal", () => {
  const { state } = replayStream(toPoints([98, 98, 98, 98, 98, 98, 98, 98, 95, 98, 94]));
  expect(state.usualTestId).toBe("t9");
});

test("the causes of an unusual score add up to the difference", () => {
  const causes = [
    { cause: "infrastructure" as const, points: -21 },
    { cause: "mail" as const, points: -16 },
  ];
  expect(toMoveCauses(causes, -37)).toEqual(causes);
  expect(toMoveCauses(causes, -43)).toEqual([...causes, { cause: "variation", points: -6 }]);
  expect(toMoveCauses([], -5)).toEqual([{ cause: "variation", points: -5 }]);
  const tenths = [{ cause: "dns" as const, points: -21.3 }];
  expect(toMoveCauses(tenths, -21.4)).toEqual([...tenths, { cause: "variation", points: -0.1 }]);
});

describe("the stream key", () => {
  const news = { address: "news@mail.sender.example", domain: "mail.sender.example", label: "weekly", kind: "bulk" };

  test("the stream key consists of the sender's domain and the label", () => {
    expect(toStreamKey([], news)).toEqual({
      match_key: "mail.sender.example weekly",
      from_domain: "mail.sender.example",
      label: "weekly",
      rule_id: null,
      kind: null,
    });
    expect(toStreamKey([], { address: null, domain: null, label: "weekly", kind: "bulk" })).toBeNull();
  });

  test("the stream key consists of the kind without a label, and no label can imitate that", () => {
    const unlabeled = toStreamKey([], { ...news, label: null });
    expect(unlabeled).toMatchObject({ match_key: "bulk:mail.sender.example", label: null, kind: "bulk" });
    for (const label of ["bulk", " bulk", ":bulk", ""])
      expect(toStreamKey([], { ...news, label })?.match_key).not.toBe(unlabeled?.match_key);
    expect(toStreamKey([], { ...news, label: null, kind: null })?.match_key).toBe("mail.sender.example ");
  });

  test.each([
    [{ sender: "news@*", label: null }, true],
    [{ sender: "*@*.sender.example", label: "WEEK*" }, true],
    [{ sender: "*@sender.example", label: null }, false],
    [{ sender: null, label: "*ly" }, true],
    [{ sender: null, label: "weekly*weekly" }, false],
    [{ sender: null, label: "weekly" }, true],
    [{ sender: null, label: "week" }, false],
  ])("the stream key matches the rule %j: %s", (rule, isMatch) => {
    expect(toStreamKey([{ id: "srl_1", ...rule }], news)?.rule_id).toBe(isMatch ? "srl_1" : null);
  });

  test("the stream key uses the first rule that matches", () => {
    const rules = ["a", "b"].map((id) => ({ id, sender: "*", label: null }));
    expect(toStreamKey(rules, news)?.rule_id).toBe("a");
  });

  describe("the stream key by layout", () => {
    const key = toStreamKey([], { ...news, label: null, kind: "transactional" });
    const template = (html: string) => sketchStructure(readPage(html).tree);
    const table = template(`<table width=600><tr><td class=a><h2>a</h2></td><td class=b><h3>b</h3></td></tr></table>`);
    const list = template(
      `<section><div class=x></div><div class=y></div><footer></footer><center></center></section>`,
    );
    const sibling = { match_key: "bulk:mail.sender.example", template: table };
    const own = { match_key: "transactional:mail.sender.example", template: list };
    const choose = (layout: string | null, ...siblings: Parameters<typeof chooseStream>[2]) =>
      key && chooseStream(key, layout, siblings).kind;

    test("the stream key by layout keeps a newsletter in its stream even if it looks like a receipt", () => {
      expect(choose(table, sibling)).toBe("bulk");
      expect(choose(table, sibling, own)).toBe("bulk");
    });

    test("the stream key by layout uses the kind without a layout, with a new layout, or with one of both kinds", () => {
      expect(choose(null, sibling)).toBe("transactional");
      expect(choose(list, sibling)).toBe("transactional");
      expect(choose(table, sibling, { ...own, template: table })).toBe("transactional");
      expect(choose(table)).toBe("transactional");
    });

    test("the stream key by layout ignores a layout that is too common", () => {
      const plain = template("<div>Hello<div>again</div></div>");
      expect(choose(plain, { ...sibling, template: plain })).toBe("transactional");
    });
  });
});

test("a changed usual score comes with its start and the previous score", () => {
  const { state } = replayStream(toPoints([98, 98, 97, 98, 49, 49, 50]));
  expect(toUsual(state)?.score).toBe(49);
  expect(state.settled).toEqual({ testId: "t4", before: 98 });
  const later = replayStream(toPoints([98, 98, 98, ...Array.from({ length: 25 }, () => 49)]));
  expect(later.state.settled).toBeNull();
});
