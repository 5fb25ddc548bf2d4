import { describe, expect, test } from "vitest";
import { parseSearch } from "../../src/web/tests/search.ts";

describe("the search box", () => {
  test.each([
    ["invoice", { q: "invoice" }],
    ["two words", { q: "two words" }],
    ["subject:offer", { q: "offer" }],
    ['subject:"spring offer" label:news', { q: "spring offer", label: "news" }],
    ["from:example.com", { from_domain: "example.com" }],
    ["from:@example.com", { from_domain: "example.com" }],
    ["from:ann@example.com", { from_domain: "example.com", q: "ann@example.com" }],
    ["from:ann", { q: "ann" }],
    ["score:<70", { max_score: "69.9" }],
    ["score:<=70", { max_score: "70" }],
    ["score:>90", { min_score: "90.1" }],
    ["score:50..70", { min_score: "50", max_score: "70" }],
    ["score:49", { min_score: "49", max_score: "49" }],
    ["score:<0", { max_score: "0.0" }],
    ["status:failed", { status: "failed" }],
    ["Re: offer", { q: "Re: offer" }],
    ["after:2026-11-15", { since: new Date(2026, 10, 15).toISOString() }],
    ["before:2026-11-15", { until: new Date(2026, 10, 15).toISOString() }],
    ["", {}],
  ])("reads %j", (text, filters) => {
    expect(parseSearch(text)).toMatchObject({ filters, problems: [] });
  });

  test.each([
    ["colour:red", "Unknown filter “colour:”."],
    ["constructor:x", "Unknown filter “constructor:”."],
    ["status:lost", "Unknown status “lost”. Use received, analyzing, analyzed, or failed."],
    ["score:high", "“score:” needs a number from 0 to 100"],
    ["score:<700", "“score:” needs a number from 0 to 100"],
    ["after:yesterday", "“after:” needs a date such as 2026-11-15."],
    ["before:2026-13-01", "“before:” needs a date such as 2026-11-15."],
    ["label:", "“label:” needs a value."],
  ])("says what is wrong with %j, and searches by the rest", (text, problem) => {
    const { filters, problems } = parseSearch(`${text} word`);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(filters).toEqual({ q: "word" });
  });

  test.each([
    ["from:a.example from:b.example", { from_domain: "a.example" }, "from:"],
    ["label:one label:two", { label: "one" }, "label:"],
    ["score:>50 score:>60", { min_score: "50.1" }, "score:"],
  ])("says that the second of %j doesn’t count", (text, filters, name) => {
    const problem = `“${name}” is used twice. Only the first counts.`;
    expect(parseSearch(text)).toMatchObject({ filters, problems: [problem] });
    expect(parseSearch("score:>50 score:<70").problems).toEqual([]);
  });
});
