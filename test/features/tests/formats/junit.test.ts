import { expect, test } from "vitest";
import { toJunit } from "../../../../src/features/tests/formats/junit.ts";
import { analyze, faulty, healthy } from "../command/letters.ts";
import { finding, hostile, judgment } from "./judgments.ts";
import { readXml } from "./xml.ts";

async function read(letter: typeof healthy) {
  const { report } = await analyze(letter);
  return readXml(toJunit([{ name: "a.eml", path: "a.eml", report }]));
}

test("a healthy message has no failure, and its suite contains the score", async () => {
  const elements = await read(healthy);
  const [, suite] = elements;
  expect(suite).toMatchObject({ name: "testsuite", attributes: { name: "a.eml", failures: "0", skipped: "5" } });
  expect(elements.filter(({ name }) => name === "failure")).toEqual([]);
  expect(elements.filter(({ name }) => name === "property").map(({ attributes }) => attributes)).toContainEqual({
    name: "score",
    value: "100",
  });
});

test("each check with an issue is a failure with its title, fix, and source", async () => {
  const elements = await read(faulty);
  const failures = elements.filter(({ name }) => name === "failure");
  expect(failures).toHaveLength(9);
  const [missing] = failures.filter(({ attributes }) => attributes.message?.includes("No DMARC record"));
  expect(missing?.attributes.type).toBe("major");
  expect(missing?.text).toMatch(/^Fix: Publish a TXT record at .*: `v=DMARC1; p=none; rua=mailto:dmarc@a\.example`/m);
  expect(missing?.text).toMatch(/^See RFC 9989 .*, https:\/\/www\.rfc-editor\.org\/rfc\/rfc9989/m);
});

test("the counts equal the test cases of all files", async () => {
  const letters = await Promise.all([healthy, faulty].map(analyze));
  const judged = letters.map(({ report }, index) => ({ name: `${index}.eml`, path: `${index}.eml`, report }));
  const elements = readXml(toJunit(judged));
  const [root, ...suites] = elements.filter(({ name }) => name.startsWith("testsuite"));
  const count = (wanted: string) => elements.filter(({ name }) => name === wanted).length;
  expect(root?.attributes).toEqual({
    name: "assay",
    tests: String(count("testcase")),
    failures: String(count("failure")),
    errors: "0",
  });
  expect(suites.map(({ attributes }) => Number(attributes.tests)).reduce((one, other) => one + other)).toBe(
    count("testcase"),
  );
});

test("a consequence of another issue is skipped, with its cause", () => {
  const findings = [
    finding("dkim-key.missing", { severity: "critical" }),
    finding("dmarc-result.unauthenticated", { ownedBy: "dkim-key.missing" }),
  ];
  const elements = readXml(toJunit([{ name: "a", path: null, report: { judgment: judgment({ findings }) } }]));
  expect(elements.filter(({ name }) => name === "failure")).toHaveLength(1);
  expect(elements.find(({ name }) => name === "skipped")?.attributes.message).toBe(
    "Same fix as dkim-key.missing: Title dmarc-result.unauthenticated",
  );
});

test("a check with several issues is one failure that lists all", () => {
  const findings = [finding("dmarc-syntax.one"), finding("dmarc-syntax.two", { severity: "minor" })];
  const elements = readXml(toJunit([{ name: "a", path: null, report: { judgment: judgment({ findings }) } }]));
  const [failure, ...others] = elements.filter(({ name }) => name === "failure");
  expect(others).toEqual([]);
  expect(failure?.attributes.message).toBe("Title dmarc-syntax.one (and 1 more)");
  expect(failure?.text).toContain("The fault dmarc-syntax.two.");
});

test("an incomplete check is skipped with its reason, and a note passes", () => {
  const elements = readXml(
    toJunit([
      {
        name: "a",
        path: null,
        report: {
          judgment: judgment({
            skipped: [{ check: "spf-record", why: "timeout" }],
            findings: [finding("bimi-record.missing", { severity: "info" })],
          }),
        },
      },
    ]),
  );
  expect(elements.find(({ name }) => name === "skipped")?.attributes.message).toBe("Not checked: DNS did not respond");
  expect(elements.filter(({ name }) => name === "testcase").map(({ attributes }) => attributes.name)).toEqual([
    "spf-record",
    "bimi-record",
  ]);
  expect(elements.some(({ name }) => name === "failure")).toBe(false);
});

test("a partial pass says what is missing", () => {
  const passed = judgment({
    passes: [{ check: "helo-name", says: "It is a full name." }],
    partly: [{ check: "helo-name", lacks: "ptr", why: "servfail" }],
  });
  const elements = readXml(toJunit([{ name: "a", path: null, report: { judgment: passed } }]));
  expect(elements.find(({ name }) => name === "system-out")?.text).toBe(
    "It is a full name.\nChecked without ptr: DNS failed.",
  );
});

test("hostile text stays text in XML", () => {
  const occurrences = [hostile, hostile].map((says) => ({ subject: hostile, says, fix: hostile, evidence: {} }));
  const findings = [finding("dmarc-syntax.one", { says: hostile, fix: hostile, occurrences })];
  const xml = toJunit([{ name: hostile, path: null, report: { judgment: judgment({ findings }) } }]);
  const elements = readXml(xml);
  expect(elements.map(({ name }) => name)).not.toContain("b");
  expect(elements.find(({ name }) => name === "failure")?.text).toContain("\\u001b[31m\\r\\n\\u202e");
});

test("a message that is not a test has a suite without cases", () => {
  expect(readXml(toJunit([{ name: "bounce.eml", path: "bounce.eml", report: null }]))).toMatchObject([
    { name: "testsuites" },
    { name: "testsuite", attributes: { name: "bounce.eml", tests: "0" } },
  ]);
});
