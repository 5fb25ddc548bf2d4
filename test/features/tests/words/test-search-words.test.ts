import { describe, expect, test } from "vitest";
import { readSearch } from "../../../../src/features/tests/page/search.ts";
import { parseSearch, type SearchPart, utcDays } from "../../../../src/features/tests/words/test-search-words.ts";

const now = Date.UTC(2026, 10, 21, 6, 30);
const read = (text: string) => parseSearch(text, { now, ...utcDays });
const words = (text: string): SearchPart => ({ field: "words", text });
const received = (from: number | null, before: number | null = null): SearchPart => ({
  field: "received",
  from,
  before,
});

describe("a search for tests", () => {
  test.each<[string, readonly SearchPart[]]>([
    ["", []],
    ["invoice", [words("invoice")]],
    ["two words", [words("two"), words("words")]],
    ["subject:offer", [words("offer")]],
    ['subject:"spring offer" label:news', [words("spring offer"), { field: "label", text: "news" }]],
    ["from:example.com", [{ field: "from", domain: "example.com", text: null }]],
    ["from:@example.com", [{ field: "from", domain: "example.com", text: null }]],
    ["from:ann@example.com", [{ field: "from", domain: "example.com", text: "ann@example.com" }]],
    ["from:ann", [{ field: "from", domain: null, text: "ann" }]],
    ["to:ann+ci@seed.example", [{ field: "to", text: "ann+ci@seed.example" }]],
    ["score:<70", [{ field: "score", least: 0, most: 69.9 }]],
    ["score:<=70", [{ field: "score", least: 0, most: 70 }]],
    ["score:>90", [{ field: "score", least: 90.1, most: 100 }]],
    ["score:>=90.5", [{ field: "score", least: 90.5, most: 100 }]],
    ["score:50..70", [{ field: "score", least: 50, most: 70 }]],
    ["score:49", [{ field: "score", least: 49, most: 49 }]],
    ["status:failed", [{ field: "status", value: "failed" }]],
    [
      "SPF:Fail dkim:unknown",
      [
        { field: "spf", value: "fail" },
        { field: "dkim", value: "unknown" },
      ],
    ],
    ["type:auto-reply", [{ field: "type", value: "auto-reply" }]],
    ["kind:auto-reply", [{ field: "type", value: "auto-reply" }]],
    [
      "placement:spam has:attachment",
      [
        { field: "placement", value: "spam" },
        { field: "has", value: "attachment" },
      ],
    ],
    ["door:IMAP", [{ field: "door", value: "imap" }]],
    ["Re: offer", [words("Re:"), words("offer")]],
    ["10:30 - 50%", [words("10:30"), words("-"), words("50%")]],
    ['"https://example.com"', [words("https://example.com")]],
    ["after:2026-11-15", [received(Date.UTC(2026, 10, 15))]],
    ["since:2026-11-15", [received(Date.UTC(2026, 10, 15))]],
    ["before:2026-11-15", [received(null, Date.UTC(2026, 10, 15))]],
    [
      "after:today before:2026-11-21T06:00:00+01:00",
      [received(Date.UTC(2026, 10, 21)), received(null, Date.UTC(2026, 10, 21, 5))],
    ],
    ["after:yesterday", [received(Date.UTC(2026, 10, 20))]],
    ["after:7d", [received(now - 7 * 86_400_000)]],
    ["after:12h", [received(now - 12 * 3_600_000)]],
  ])("a search for tests parses %j", (text, parts) => {
    const { terms, problems } = read(text);
    expect(problems).toEqual([]);
    expect(terms.map(({ part }) => part)).toEqual(parts);
    expect(terms.every(({ isNot }) => !isNot)).toBe(true);
  });

  test.each<[string, SearchPart]>([
    ["-label:ci", { field: "label", text: "ci" }],
    ['-"some words"', words("some words")],
    ["-word", words("word")],
    ['-label:"two words"', { field: "label", text: "two words" }],
    ["-score:<80", { field: "score", least: 0, most: 79.9 }],
  ])("a search for tests excludes the matches of %j", (text, part) => {
    expect(read(text).terms).toEqual([{ text, exact: text, isNot: true, part }]);
  });

  test.each([
    ["colour:red", "Unknown filter “colour:”. Put quotes around it to search for the text."],
    ["-colour:red", "Unknown filter “colour:”."],
    ["lable:ci", "Unknown filter “lable:”. Did you mean “label:”? To search for the text, put it in quotes."],
    ["sicne:7d", "Did you mean “since:”?"],
    ["constructor:x", "Unknown filter “constructor:”."],
    ["status:lost", "“status:” must be received, analyzing, analyzed, or failed."],
    ["spf:bad", "“spf:” must be pass, fail,"],
    ["has:attachments", "“has:” must be attachment, label, or score."],
    ["needs:me", "“needs:” must be you."],
    ["score:high", "“score:” needs a number from 0 to 100"],
    ["score:<700", "“score:” needs a number from 0 to 100"],
    ["score:<5..10", "“score:” needs a number from 0 to 100"],
    ["after:tomorrow", "“after:” needs a date such as 2026-11-15, or today, yesterday, 7d, or 12h."],
    ["before:2026-13-01", "“before:” needs a date"],
    ["after:2026-11-21T25:00:00Z", "“after:” needs a date"],
    ["after:2026-02-31T00:00:00Z", "“after:” needs a date"],
    ["before:2026-04-31T23:00:00-05:00", "“before:” needs a date"],
    ["after:0099-01-01", "“after:” needs a date"],
    ["after:0099-01-01T00:00:00Z", "“after:” needs a date"],
    ["after:1969-12-31", "“after:” needs a date"],
    ["label:", "“label:” needs a value."],
    ['label:""', "“label:” needs a value."],
    ['""', "Put words between the quotes."],
    ["from:a.example from:b.example", "“from:” is used twice. A test has only one."],
    ["label:one label:two", "“label:” is used twice. A test has only one."],
    ["x".repeat(501), "Use at most 500 characters."],
    ["x ".repeat(21), "Use at most 20 words and filters."],
  ])("a search for tests reports what is wrong with %.40j", (text, problem) => {
    expect(read(text).problems[0]).toContain(problem);
  });

  test("a search for tests may exclude several values of one field, and limit a score on both sides", () => {
    expect(read("-label:a -label:b label:c score:>50 score:<70 -status:failed from:ann from:bob").problems).toEqual([]);
  });

  test("a search for tests uses the user's days, which are sent as times", () => {
    const { search, problems } = readSearch("-after:2026-11-15 before:today label:x", now);
    const [day, today] = [new Date(2026, 10, 15), new Date(now)];
    today.setHours(0, 0, 0, 0);
    expect(problems).toEqual([]);
    expect(search).toBe(`-after:${day.toISOString()} before:${today.toISOString()} label:x`);
    expect(read(search ?? "").terms.map(({ part }) => part)).toEqual([
      received(day.getTime()),
      received(null, today.getTime()),
      { field: "label", text: "x" },
    ]);
    expect(readSearch(" ", now).search).toBeUndefined();
    expect(readSearch("after:0099-01-01", now).problems).toHaveLength(1);
  });
});
