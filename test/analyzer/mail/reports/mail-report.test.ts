import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { recognise } from "../../../../src/analyzer/mail/bounces/classify.ts";
import type { MailReport } from "../../../../src/analyzer/mail/reports/mail-class.ts";
import { seeded } from "../ordinary-messages.ts";
import { fileName, toReportMail as mail, toMailOf as mailOf, subject, zip } from "./report-mail.ts";

const dmarcXml = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE feedback [<!ENTITY boom "boom">]>
<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">
  <report_metadata><org_name>A &amp; B</org_name><email>r@provider.example</email><report_id>r-1</report_id>
    <date_range><begin>1762041600</begin><end>1762127999</end></date_range></report_metadata>
  <policy_published><domain>shop.example</domain><p>reject</p></policy_published>
  <record><row><source_ip>192.0.2.1</source_ip><count>10</count><policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row></record>
  <record><row><source_ip>192.0.2.2</source_ip><count>4</count><policy_evaluated><disposition>reject</disposition><dkim>fail</dkim><spf>fail</spf></policy_evaluated></row></record>
</feedback>`;

const dmarc: MailReport = {
  type: "dmarc",
  organization: "A & B",
  reportId: "r-1",
  domain: "shop.example",
  beginsAt: 1_762_041_600_000,
  endsAt: 1_762_127_999_000,
  total: 14,
  failed: 4,
  problem: null,
  policy: { p: "reject", sp: null, np: null, adkim: null, aspf: null, pct: null, testing: null, discoveryMethod: null },
  sources: [
    {
      sourceIp: "192.0.2.1",
      messages: 10,
      disposition: "none",
      dkimAligned: true,
      spfAligned: false,
      headerFrom: null,
      dkim: [],
      spf: [],
      reasons: [],
    },
    {
      sourceIp: "192.0.2.2",
      messages: 4,
      disposition: "reject",
      dkimAligned: false,
      spfAligned: false,
      headerFrom: null,
      dkim: [],
      spf: [],
      reasons: [],
    },
  ],
  tlsPolicies: [],
};

const tlsJson = JSON.stringify({
  "organization-name": "Provider",
  "date-range": { "start-datetime": "2026-11-01T00:00:00Z", "end-datetime": "2026-11-01T23:59:59Z" },
  "report-id": "t-1",
  policies: [
    {
      policy: { "policy-type": "sts", "policy-domain": "shop.example" },
      summary: { "total-successful-session-count": 90, "total-failure-session-count": 2 },
    },
    {
      policy: { "policy-type": "tlsa", "policy-domain": "shop.example" },
      summary: { "total-successful-session-count": 8, "total-failure-session-count": 1 },
    },
  ],
});

function read(message: Uint8Array) {
  return recognise(message, { mailFrom: "r@provider.example", rcptTo: ["dmarc@shop.example"] });
}

test.each([
  ["gzip", gzipSync(dmarcXml), {}],
  ["gzip followed by a line ending", Buffer.concat([gzipSync(dmarcXml), Buffer.from("\r\n")]), {}],
  ["gzip followed by other bytes", Buffer.concat([gzipSync(dmarcXml), Buffer.from("\x1f\x8b!", "latin1")]), {}],
  ["zip", zip([{ name: "r.xml", content: dmarcXml }]), { type: "application/zip", name: "r.zip" }],
  [
    "zip without compression",
    zip([{ name: "r.xml", content: dmarcXml }], 0),
    { type: "application/x-zip-compressed", name: "r.zip" },
  ],
  [
    "zip of several files",
    zip([
      { name: "d/", content: "" },
      { name: "readme.txt", content: "Hi." },
      { name: "r.xml", content: dmarcXml },
    ]),
    { type: "application/octet-stream", name: "r.zip" },
  ],
  ["plain XML", Buffer.from(dmarcXml), { type: "text/xml", name: "r.xml" }],
  ["gzip declared as zip", gzipSync(dmarcXml), { type: "application/zip", name: "r.zip" }],
])("a DMARC report in %s is parsed", (_, content, options) => {
  expect(read(mail(content, options))).toEqual({ kind: "report", report: dmarc });
});

function named(reportId: string): string {
  return dmarcXml.replace("r-1", reportId);
}

function idsOf(message: Uint8Array) {
  const recognised = read(message);
  if (recognised.kind !== "report") throw new Error("That is no report.");
  return [recognised.report, ...(recognised.more ?? [])].map(({ reportId, problem }) => problem ?? reportId);
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`);

test("all reports in the attachments of a message are read", () => {
  const several = mailOf(ids(20).map((id) => ({ content: gzipSync(named(id)) })));
  expect(idsOf(several)).toEqual(ids(20));
});

test("all reports in an archive are read", () => {
  const files = ids(3).map((id) => ({ name: `${id}.xml`, content: named(id) }));
  expect(idsOf(mail(zip(files), { type: "application/zip", name: "r.zip" }))).toEqual(ids(3));
});

test("a damaged report doesn't hide the others, and is listed with its problem", () => {
  const damaged = gzipSync(dmarcXml).subarray(0, 100);
  expect(idsOf(mailOf([{ content: damaged }, { content: gzipSync(named("a0")) }]))).toEqual([
    "a0",
    "It cannot be unpacked because the archive is damaged.",
  ]);
});

const notAll = expect.stringContaining("Not all reports in this message were read.");

test.each([
  ["attachments", mailOf(ids(21).map((id) => ({ content: gzipSync(named(id)) })))],
  ["files in an archive", mail(zip(ids(21).map((id) => ({ name: `${id}.xml`, content: named(id) }))))],
  [
    "files in archives",
    mailOf(
      [0, 11].map((from) => ({
        content: zip(
          ids(22)
            .slice(from, from + 11)
            .map((id) => ({ name: id, content: named(id) })),
        ),
      })),
    ),
  ],
])("a message with more than 20 reports in %s says that the others weren't read", (_, message) => {
  expect(idsOf(message)).toEqual([...ids(20), notAll]);
});

test("reports with very many rows are read up to a limit, and the message says so", () => {
  const records = Array.from(
    { length: 400 },
    (_, index) =>
      `<record><row><source_ip>192.0.${index >> 8}.${index & 255}</source_ip><count>1</count></row></record>`,
  );
  const long = (id: string) => gzipSync(named(id).replace("</feedback>", `${records.join("")}</feedback>`));
  expect(idsOf(mailOf(ids(9).map((id) => ({ content: long(id) }))))).toEqual([...ids(3), notAll]);
});

test("gzip with a wrong checksum counts as damaged, even with bytes after it", () => {
  const packed = gzipSync(dmarcXml);
  packed.writeUInt8(packed.readUInt8(packed.length - 6) ^ 1, packed.length - 6);
  expect(read(mail(Buffer.concat([packed, Buffer.from("\n")])))).toMatchObject({
    report: { problem: "It cannot be unpacked because the archive is damaged." },
  });
});

test("a DMARC report that is the whole message is parsed", () => {
  const message = `Subject: x\r\nContent-Type: application/gzip; name="${fileName}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${gzipSync(dmarcXml).toString("base64")}\r\n`;
  expect(read(Buffer.from(message))).toEqual({ kind: "report", report: dmarc });
});

test.each([
  ["application/tlsrpt+gzip", gzipSync(tlsJson)],
  ["application/tlsrpt", gzipSync(tlsJson)],
  ["application/tlsrpt+json", Buffer.from(tlsJson)],
])("a TLS report as %s is parsed", (type, content) => {
  const head =
    "TLS-Report-Domain: shop.example\r\nSubject: Report Domain: shop.example Submitter: provider.example Report-ID: <t-1>";
  expect(read(mail(content, { type, name: "r.json.gz", head }))).toEqual({
    kind: "report",
    report: {
      type: "tls",
      organization: "Provider",
      reportId: "t-1",
      domain: "shop.example",
      beginsAt: Date.UTC(2026, 10, 1),
      endsAt: Date.UTC(2026, 10, 1, 23, 59, 59),
      total: 101,
      failed: 3,
      problem: null,
      policy: null,
      sources: [],
      tlsPolicies: [
        { type: "sts", domain: "shop.example", successful: 90, failed: 2, failures: [] },
        { type: "tlsa", domain: "shop.example", successful: 8, failed: 1, failures: [] },
      ],
    },
  });
});

test("a decompression bomb is stopped at the limit, and the report says so", () => {
  const bomb = Buffer.alloc(64 * 1024 * 1024, " ");
  for (const content of [
    gzipSync(bomb),
    zip([{ name: "r.xml", content: bomb }]),
    zip(Array.from({ length: 4 }, (_, index) => ({ name: `${index}.xml`, content: bomb.subarray(0, 8_000_000) }))),
  ])
    expect(read(mail(content))).toMatchObject({
      kind: "report",
      report: {
        type: "dmarc",
        domain: "shop.example",
        organization: "provider.example",
        total: null,
        problem: expect.stringContaining("more than 20 MB"),
      },
    });
});

test("a TLS report over the size limit is stored without parsing", () => {
  const long = JSON.stringify({ ...JSON.parse(tlsJson), padding: "x".repeat(5_000_000) });
  const head = `TLS-Report-Domain: shop.example\r\nSubject: ${subject}`;
  expect(read(mail(gzipSync(long), { type: "application/tlsrpt+gzip", head }))).toMatchObject({
    kind: "report",
    report: {
      type: "tls",
      domain: "shop.example",
      total: null,
      problem: expect.stringContaining("no readable report"),
    },
  });
});

test("a damaged report is stored with its problem if its subject and file name look like a report", () => {
  const damaged = gzipSync(dmarcXml).subarray(0, 100);
  expect(read(mail(damaged))).toMatchObject({
    kind: "report",
    report: {
      domain: "shop.example",
      beginsAt: 1_762_041_600_000,
      failed: null,
      problem: "It cannot be unpacked because the archive is damaged.",
    },
  });
  expect(read(mail(damaged, { name: "backup.gz", head: "Subject: Backup" })).kind).toBe("test");
});

test.each([
  ["with its attachment", mail(gzipSync(dmarcXml), { head: `Subject: Fwd: ${subject}` })],
  ["in a reply", mail(gzipSync(dmarcXml), { head: `Subject: ${subject}\r\nIn-Reply-To: <x@y.example>` })],
  ["as an attachment", forwardOf(mail(gzipSync(dmarcXml)))],
])("a report that a person forwards %s is read, and proves nothing about its reporter", (_, message) => {
  expect(read(message)).toEqual({ kind: "report", report: dmarc, isForwarded: true });
});

test("a forwarded message with something else is a test, and so is a forwarded report that can't be read", () => {
  const damaged = gzipSync(dmarcXml).subarray(0, 100);
  for (const content of [gzipSync("Hi."), damaged])
    for (const message of [mail(content, { head: `Subject: Fwd: ${subject}` }), forwardOf(mail(content))])
      expect(read(message).kind).toBe("test");
});

test("a report that comes through a mailing list is read", () => {
  const head = `Subject: ${subject}\r\nList-Post: <mailto:dmarc@shop.example>`;
  expect(read(mail(gzipSync(dmarcXml), { head }))).toEqual({ kind: "report", report: dmarc });
});

const nameless = "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n";

test.each([
  ["gzip in a text part without a name", `${nameless}${gzipSync(dmarcXml).toString("base64")}`],
  ["XML in a text part without a name", `${nameless}${Buffer.from(dmarcXml).toString("base64")}`],
  ["XML as the text itself", `Content-Type: text/plain\r\n\r\n${dmarcXml}`],
])("a DMARC report as %s is read", (_, part) => {
  const message = Buffer.from(`From: a@b.example\r\nSubject: DMARC-Report\r\n${part}\r\n`);
  expect(read(message)).toEqual({ kind: "report", report: dmarc });
});

function forwardOf(message: Uint8Array): Buffer {
  const head = `From: ann@shop.example\r\nSubject: Fwd: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=f\r\n\r\n--f\r\nContent-Type: text/plain\r\n\r\nPlease look.\r\n--f\r\nContent-Type: message/rfc822\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), message, Buffer.from("\r\n--f--\r\n")]);
}

test("no archive makes the parser throw", () => {
  const random = seeded(11);
  const archives = [
    gzipSync(dmarcXml),
    zip([{ name: "r.xml", content: dmarcXml }]),
    zip([{ name: "a", content: dmarcXml }], 0),
  ];
  for (let round = 0; round < 300; round++) {
    const bytes = Buffer.from(archives[round % archives.length] ?? Buffer.alloc(0));
    for (let change = 0; change < 6; change++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    expect(() => read(mail(bytes.subarray(0, Math.floor(random() * bytes.length))))).not.toThrow();
    expect(() => read(mail(bytes))).not.toThrow();
  }
});
