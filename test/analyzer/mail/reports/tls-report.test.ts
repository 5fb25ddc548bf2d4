import { expect, test } from "vitest";
import { readTlsReport } from "../../../../src/analyzer/mail/reports/tls-report.ts";
import { tlsSample } from "./samples.ts";

const policy = (type: string, failures: unknown) => ({
  policy: { "policy-type": type, "policy-domain": "shop.example" },
  summary: { "total-successful-session-count": 1, "total-failure-session-count": 1 },
  "failure-details": failures,
});

function read(policies: unknown) {
  const report = readTlsReport(JSON.stringify({ ...tlsSample, policies }));
  if (report === null) throw new Error("That is no report.");
  return report;
}

test("the policies of a report are listed with their failures", () => {
  const unsaid = { receivingIp: null, reasonCode: null };
  expect(readTlsReport(`\ufeff${JSON.stringify(tlsSample)}`)).toMatchObject({
    organization: "Company-X",
    domain: "shop.example",
    total: 5_639,
    failed: 303,
    tlsPolicies: [
      {
        type: "sts",
        domain: "shop.example",
        successful: 5_326,
        failed: 303,
        failures: [
          {
            resultType: "starttls-not-supported",
            sendingIp: "2001:db8:abcd:13::1",
            reasonCode: null,
            mxHost: "mx2.mail.shop.example",
            receivingIp: "203.0.113.56",
            sessions: 200,
          },
          {
            resultType: "certificate-expired",
            sendingIp: "2001:db8:abcd:12::1",
            ...unsaid,
            mxHost: "mx1.mail.shop.example",
            sessions: 100,
          },
          { resultType: "validation-failure", reasonCode: "X509_V_ERR_PROXY_PATH_LENGTH_EXCEEDED", sessions: 3 },
        ],
      },
      { type: "tlsa", domain: "news.shop.example", successful: 10, failed: 0, failures: [] },
    ],
  });
});

test("many policies and failures are reduced to the first and largest, and sums for the others", () => {
  const failures = Array.from({ length: 400 }, (_, index) => ({
    "result-type": `type-${index}`,
    "failed-session-count": index,
  }));
  const { tlsPolicies, total, failed } = read(
    Array.from({ length: 60 }, (_, index) => policy(`type-${index}`, failures)),
  );
  expect(tlsPolicies).toHaveLength(10);
  expect(tlsPolicies[0]?.failures).toHaveLength(51);
  expect(tlsPolicies[0]?.failures[0]).toMatchObject({ resultType: "type-399", sessions: 399 });
  expect(tlsPolicies[0]?.failures[50]).toMatchObject({ resultType: null, sessions: 61_075 });
  expect(tlsPolicies[9]).toMatchObject({ type: null, domain: null, successful: 51, failed: 51 });
  expect([total, failed]).toEqual([120, 60]);
});

test.each([
  [[null, 1, "x", [], { policy: null, summary: [], "failure-details": {} }]],
  [[policy("sts", [null, 3, { "failed-session-count": -4, "sending-mta-ip": {}, "result-type": 7 }])]],
  [[{ policy: { "policy-domain": "\0".repeat(9_000) }, summary: { "total-failure-session-count": 1e300 } }]],
  [[]],
])("invalid values count as zero: %j", (policies) => {
  const { failed, tlsPolicies } = read(policies);
  expect(failed).toBeLessThanOrEqual(1);
  expect(JSON.stringify(tlsPolicies).length).toBeLessThan(3_000);
});
