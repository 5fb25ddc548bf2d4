import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { recognise } from "../../../../src/analyzer/mail/bounces/classify.ts";
import { readDmarcReport } from "../../../../src/analyzer/mail/reports/dmarc-report.ts";
import { toReportMail, zip } from "./report-mail.ts";
import { dmarcSamples } from "./samples.ts";

const envelope = { mailFrom: "r@provider.example", rcptTo: ["dmarc@shop.example"] };

test.each(dmarcSamples)("a DMARC report of $receiver is parsed with its sources", ({ content, told }) => {
  const bytes = Buffer.from(content);
  for (const mail of [
    toReportMail(gzipSync(bytes)),
    toReportMail(zip([{ name: "report.xml", content: bytes }]), { type: "application/zip", name: "r.zip" }),
    toReportMail(bytes, { type: "text/xml", name: "report.xml" }),
  ])
    expect(recognise(mail, envelope)).toMatchObject({
      kind: "report",
      report: { type: "dmarc", domain: "shop.example", problem: null, ...told },
    });
});

const head =
  "<feedback><report_metadata><org_name>R</org_name></report_metadata><policy_published><domain>shop.example</domain></policy_published>";

function record(fields: string, count: number | string = 1): string {
  return `<record><row>${fields}<count>${count}</count></row></record>`;
}

function read(records: string) {
  const report = readDmarcReport(`${head}${records}</feedback>`);
  if (report === null) throw new Error("That is no report.");
  return report;
}

test("a report with too many sources lists the largest, and one sum for the others", () => {
  const passed = "<policy_evaluated><disposition>none</disposition><dkim>pass</dkim></policy_evaluated>";
  const records = Array.from({ length: 30_000 }, (_, index) =>
    record(
      `<source_ip>10.${index >> 16}.${(index >> 8) & 255}.${index & 255}</source_ip>${index % 2 === 0 ? passed : ""}`,
      index,
    ),
  );
  const { sources, total, failed } = read(records.join(""));
  expect(sources).toHaveLength(502);
  expect(sources[0]).toMatchObject({ sourceIp: "10.0.117.47", messages: 29_999 });
  expect(sources.slice(500)).toMatchObject([
    { sourceIp: null, headerFrom: null, dkimAligned: expect.any(Boolean) },
    { sourceIp: null, headerFrom: null, dkimAligned: expect.any(Boolean) },
  ]);
  expect(sources.reduce((sum, { messages }) => sum + messages, 0)).toBe(total);
  expect([total, failed]).toEqual([449_985_000, 225_000_000]);
});

test("identical records are merged", () => {
  const { sources } = read(record("<source_ip>192.0.2.1</source_ip>", 2).repeat(3));
  expect(sources).toMatchObject([{ sourceIp: "192.0.2.1", messages: 6 }]);
});

test.each(["-5", "1.5", "1e3", "99999999999999999999", "NaN", "", "٣", "0x10"])(
  "a report with an invalid count of %j says so, and counts nothing",
  (count) => {
    expect(read(record("<source_ip>192.0.2.1</source_ip>", count))).toMatchObject({
      total: null,
      sources: [],
      problem: "A record’s number of messages is missing or invalid.",
    });
  },
);

test("whole numbers and milliseconds are read as they are meant", () => {
  const dates = "<date_range><begin>1762041600000</begin><end>1762127999000</end></date_range></report_metadata>";
  const xml = `${head.replace("</report_metadata>", dates)}${record("", "2.0")}</feedback>`;
  expect(readDmarcReport(xml)).toMatchObject({ total: 2, beginsAt: 1_762_041_600_000, problem: null });
});

test("a report without the published policy says so, with the domain of its rows", () => {
  const from =
    "<record><row><count>1</count></row><identifiers><header_from>Shop.example</header_from></identifiers></record>";
  const xml = `<feedback><report_metadata><org_name>R</org_name></report_metadata>${from}</feedback>`;
  expect(readDmarcReport(xml)).toMatchObject({
    domain: "shop.example",
    problem: expect.stringContaining("policy_published"),
  });
});

test("the sum of very large counts stays a number that every database can store", () => {
  const many = Array.from({ length: 2_000 }, (_, index) =>
    record(`<source_ip>10.0.${index >> 8}.${index & 255}</source_ip>`, 999_999_999),
  );
  const { sources, total } = read(many.join(""));
  for (const sum of [total ?? 0, ...sources.map(({ messages }) => messages)])
    expect(sum).toBeLessThanOrEqual(100_000_000_000);
});

test("external and custom entities are never fetched or expanded", () => {
  const xxe = `<!DOCTYPE feedback [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>`;
  const { organization } =
    readDmarcReport(`<?xml version="1.0"?>${xxe}${head.replace("R<", "&x;&b;<")}</feedback>`) ?? {};
  expect(organization).toBe("&x;&b;");
});

const size = 4_000_000;

test.each([
  ["records that are never closed", "<record>"],
  ["nested records", "<record><row><dkim>"],
  ["a million empty records", "<record></record>"],
  ["ends without a beginning", "</record>"],
  ["depth", "<a>"],
  ["brackets", "<"],
  ["names without an end", "<a"],
  ["comments that are never closed", "<!--"],
  ["CDATA that is never closed", "<![CDATA["],
  ["prefixes", `<${"a".repeat(30)}:`],
  ["declarations", "<!"],
  ["results of one record", "<dkim><domain>x</domain></dkim>"],
  ["NULs", "\0"],
])("hostile %s are read in one pass and give no data", (_name, piece) => {
  const report = readDmarcReport(head + piece.repeat(size / piece.length));
  expect(report).toMatchObject({ domain: "shop.example", total: null, problem: "It is cut off: its end is missing." });
  expect(JSON.stringify(report).length).toBeLessThan(1_000);
});

test("a record lists a limited number of results", () => {
  const results = "<dkim><domain>x.example</domain><selector>s</selector></dkim>".repeat(10_000);
  const reasons = `<reason><type>other</type><comment>${"y".repeat(5_000)}</comment></reason>`.repeat(1_000);
  const long = `<identifiers><header_from>${"z".repeat(100_000)}</header_from></identifiers>`;
  const { sources } = read(
    `<record><row><count>1</count><policy_evaluated>${reasons}</policy_evaluated></row>${long}<auth_results>${results}</auth_results></record>`,
  );
  expect(sources[0]?.dkim).toHaveLength(10);
  expect(sources[0]?.reasons).toHaveLength(10);
  expect(JSON.stringify(sources).length).toBeLessThan(5_000);
});

test("a truncated report says so, and counts nothing", () => {
  const whole = record("<source_ip>192.0.2.1</source_ip>", 3);
  const report = readDmarcReport(`${head}${whole}${whole.slice(0, 40)}`);
  expect(report).toMatchObject({ total: null, sources: [], problem: "It is cut off: its end is missing." });
});
