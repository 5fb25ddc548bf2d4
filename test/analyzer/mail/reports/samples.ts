// DMARC reports in the formats of large receivers, with made-up values, and TLS reports.

import type { MailReport } from "../../../../src/analyzer/mail/reports/mail-class.ts";

export type ReportSample = {
  readonly receiver: string;
  readonly content: string | Uint8Array;
  readonly told: Partial<MailReport>;
};

const day = { beginsAt: Date.UTC(2026, 10, 19), endsAt: Date.UTC(2026, 10, 19, 23, 59, 59) };
const nothing = { sp: null, np: null, adkim: null, aspf: null, pct: null, testing: null, discoveryMethod: null };

const google = `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <version>1.0</version>
  <report_metadata>
    <org_name>google.com</org_name>
    <email>noreply-dmarc-support@google.com</email>
    <extra_contact_info>https://support.google.com/a/answer/2466580</extra_contact_info>
    <report_id>4711000000000000001</report_id>
    <date_range>
      <begin>1795046400</begin>
      <end>1795132799</end>
    </date_range>
  </report_metadata>
  <policy_published>
    <domain>shop.example</domain>
    <adkim>r</adkim>
    <aspf>r</aspf>
    <p>quarantine</p>
    <sp>reject</sp>
    <pct>100</pct>
    <np>reject</np>
  </policy_published>
  <record>
    <row>
      <source_ip>198.51.100.7</source_ip>
      <count>12</count>
      <policy_evaluated>
        <disposition>none</disposition>
        <dkim>fail</dkim>
        <spf>fail</spf>
        <reason>
          <type>local_policy</type>
          <comment>arc=pass</comment>
        </reason>
      </policy_evaluated>
    </row>
    <identifiers>
      <header_from>news.shop.example</header_from>
    </identifiers>
    <auth_results>
      <dkim>
        <domain>shop.example</domain>
        <result>fail</result>
        <selector>spring</selector>
      </dkim>
      <dkim>
        <domain>lists.other.example</domain>
        <result>pass</result>
        <selector>l1</selector>
      </dkim>
      <spf>
        <domain>lists.other.example</domain>
        <result>pass</result>
      </spf>
    </auth_results>
  </record>
</feedback>
`;

const microsoft = `<?xml version="1.0"?><feedback xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><version>1.0</version><report_metadata><org_name>Enterprise Outlook</org_name><email>dmarcreport@microsoft.com</email><report_id>0a1b2c3d4e5f</report_id><date_range><begin>1795046400</begin><end>1795132800</end></date_range></report_metadata><policy_published><domain>shop.example</domain><adkim>r</adkim><aspf>r</aspf><p>reject</p><sp>reject</sp><pct>100</pct><fo>0</fo></policy_published><record><row><source_ip>2001:DB8:0:0::19</source_ip><count>3</count><policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>pass</spf></policy_evaluated></row><identifiers><envelope_to>receiver.example</envelope_to><envelope_from>bounce.shop.example</envelope_from><header_from>shop.example</header_from></identifiers><auth_results><dkim><domain>shop.example</domain><selector>selector1</selector><result>pass</result></dkim><spf><domain>bounce.shop.example</domain><scope>mfrom</scope><result>pass</result></spf></auth_results></record></feedback>`;

const microsoftTold: Partial<MailReport> = {
  organization: "Enterprise Outlook",
  reportId: "0a1b2c3d4e5f",
  total: 3,
  failed: 0,
  sources: [
    {
      sourceIp: "2001:db8::19",
      messages: 3,
      disposition: "none",
      dkimAligned: true,
      spfAligned: true,
      headerFrom: "shop.example",
      dkim: [{ domain: "shop.example", selector: "selector1", result: "pass" }],
      spf: [{ domain: "bounce.shop.example", scope: "mfrom", result: "pass" }],
      reasons: [],
    },
  ],
};

const yahoo = `<?xml version="1.0"?>\t
<feedback>\t
  <report_metadata>\t
    <org_name>Yahoo</org_name>\t
    <email>dmarchelp@yahooinc.com</email>\t
    <report_id>1795140000.220011</report_id>\t
    <date_range>\t
      <begin>1795046400</begin>\t
      <end>1795132799 </end>\t
    </date_range>\t
  </report_metadata>\t
  <policy_published>\t
    <domain>SHOP.example.</domain>\t
    <adkim>R</adkim>\t
    <aspf>r</aspf>\t
    <p>REJECT</p>\t
    <pct>100</pct>\t
  </policy_published>\t
  <record>\t
    <row>\t
      <source_ip>203.0.113.5</source_ip>\t
      <count> 8 </count>\t
      <policy_evaluated>\t
        <disposition>Reject</disposition>\t
        <dkim>fail</dkim>\t
        <spf>fail</spf>\t
      </policy_evaluated>\t
    </row>\t
    <identifiers>\t
      <header_from>Shop.Example</header_from>\t
    </identifiers>\t
    <auth_results>\t
      <spf>\t
        <domain>spoof.example</domain>\t
        <result>softfail</result>\t
      </spf>\t
    </auth_results>\t
  </record>\t
</feedback>`;

const mailRu = `<?xml version="1.0" encoding="windows-1251"?><feedback><report_metadata><date_range><begin>1795035600</begin><end>1795121999</end></date_range><email>dmarc_support@corp.mail.ru</email><extra_contact_info>http://help.mail.ru/mail-help</extra_contact_info><org_name>Mail.Ru \u0445</org_name><report_id>8800</report_id></report_metadata><policy_published><adkim>r</adkim><aspf>r</aspf><domain>shop.example</domain><p>none</p><pct>100</pct><sp>none</sp></policy_published><record><auth_results><dkim><domain>shop.example</domain><result>pass</result><selector>s1</selector></dkim><spf><domain>shop.example</domain><result>pass</result><scope>mfrom</scope></spf></auth_results><identifiers><header_from>shop.example</header_from></identifiers><row><count>2</count><policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>pass</spf></policy_evaluated><source_ip>192.0.2.1</source_ip></row></record></feedback>`;

const amazon = `\ufeff<?xml version="1.0" encoding="UTF-8" standalone="yes"?><feedback><report_metadata><org_name>AMAZON-SES</org_name><email>postmaster@amazonses.com</email><report_id>ee-01</report_id><date_range><begin>1795046400</begin><end>1795132800</end></date_range></report_metadata><policy_published><domain>shop.example</domain><p>none</p></policy_published><record><row><source_ip>192.0.2.44</source_ip><count>5</count><policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row><identifiers><envelope_from>eu-west-1.amazonses.com</envelope_from><header_from>shop.example</header_from></identifiers><auth_results><dkim><domain>amazonses.com</domain><result>pass</result></dkim><dkim><domain>shop.example</domain><result>pass</result></dkim><spf><domain>eu-west-1.amazonses.com</domain><result>pass</result></spf></auth_results></record></feedback>`;

const fastmail = `<?xml version="1.0" encoding="UTF-8"?>
<feedback xmlns="http://dmarc.org/dmarc-xml/0.1">
 <report_metadata><org_name><![CDATA[Fastmail & friends]]></org_name><email>reports@fastmaildmarc.com</email><report_id>77</report_id><date_range><begin>1795046400</begin><end>1795132799</end></date_range><error/></report_metadata>
 <policy_published><domain>shop.example</domain><adkim>s</adkim><aspf>s</aspf><p>none</p><pct>50</pct></policy_published>
 <!-- no <record> stands here -->
 <record><row><source_ip>::ffff:192.0.2.9</source_ip><count>1</count><policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>b&#252;cher.example</header_from></identifiers><auth_results><dkim><domain>shop.example</domain><selector>fm1</selector><result>pass</result><human_result/></dkim><spf><domain/><result>none</result></spf></auth_results></record>
</feedback>`;

/** The form of RFC 9990 appendix B, with a namespace prefix. */
const standard = `<?xml version="1.0"?>
<d:feedback xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0">
  <d:version>1.0</d:version>
  <d:report_metadata>
    <d:org_name>Receiver &lt;one&gt;</d:org_name><d:email>report@receiver.example</d:email>
    <d:report_id>2026-11-19@receiver.example</d:report_id>
    <d:date_range><d:begin>1795046400</d:begin><d:end>1795132799</d:end></d:date_range>
    <d:generator>Reporter 2</d:generator>
  </d:report_metadata>
  <d:policy_published>
    <d:domain>shop.example</d:domain><d:discovery_method>treewalk</d:discovery_method>
    <d:p>reject</d:p><d:sp>quarantine</d:sp><d:np>reject</d:np><d:fo>1</d:fo><d:testing>y</d:testing>
  </d:policy_published>
  <d:record>
    <d:row>
      <d:source_ip>192.0.2.123</d:source_ip><d:count>123</d:count>
      <d:policy_evaluated><d:disposition>pass</d:disposition><d:dkim>pass</d:dkim><d:spf>fail</d:spf></d:policy_evaluated>
    </d:row>
    <d:identifiers><d:header_from>shop.example</d:header_from><d:envelope_from>shop.example</d:envelope_from></d:identifiers>
    <d:auth_results>
      <d:dkim><d:domain>shop.example</d:domain><d:selector>abc123</d:selector><d:result>pass</d:result></d:dkim>
      <d:spf><d:domain>shop.example</d:domain><d:scope>mfrom</d:scope><d:result>fail</d:result></d:spf>
    </d:auth_results>
  </d:record>
  <d:record>
    <d:row>
      <d:source_ip>192.0.2.124</d:source_ip><d:count>7</d:count>
      <d:policy_evaluated><d:disposition>quarantine</d:disposition><d:dkim>fail</d:dkim><d:spf>fail</d:spf>
        <d:reason><d:type>policy_test_mode</d:type></d:reason></d:policy_evaluated>
    </d:row>
    <d:identifiers><d:header_from>x.shop.example</d:header_from></d:identifiers>
    <d:auth_results><d:spf><d:domain>shop.example</d:domain><d:scope>mfrom</d:scope><d:result>fail</d:result></d:spf></d:auth_results>
  </d:record>
  <ext:extension xmlns:ext="urn:other"><ext:record><ext:count>999</ext:count></ext:record></ext:extension>
</d:feedback>`;

/** From a draft before RFC 7489, which some receivers still send. */
const draft = `<feedback><report_metadata><org_name>old.example</org_name><report_id>1</report_id><date_range><begin>1795046400</begin><end>1795132799</end></date_range></report_metadata><policy_published><domain>shop.example</domain><p>none</p></policy_published><record><source_ip>192.0.2.1</source_ip><count>4</count><policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>pass</spf></policy_evaluated><identities><header_from>shop.example</header_from></identities></record></feedback>`;

export const dmarcSamples: readonly ReportSample[] = [
  {
    receiver: "Google",
    content: google,
    told: {
      organization: "google.com",
      reportId: "4711000000000000001",
      ...day,
      total: 12,
      failed: 12,
      policy: { ...nothing, p: "quarantine", sp: "reject", np: "reject", adkim: "r", aspf: "r", pct: "100" },
      sources: [
        {
          sourceIp: "198.51.100.7",
          messages: 12,
          disposition: "none",
          dkimAligned: false,
          spfAligned: false,
          headerFrom: "news.shop.example",
          dkim: [
            { domain: "shop.example", selector: "spring", result: "fail" },
            { domain: "lists.other.example", selector: "l1", result: "pass" },
          ],
          spf: [{ domain: "lists.other.example", scope: null, result: "pass" }],
          reasons: [{ type: "local_policy", comment: "arc=pass" }],
        },
      ],
    },
  },
  { receiver: "Microsoft", content: microsoft, told: microsoftTold },
  {
    receiver: "Microsoft, in UTF-16",
    content: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(microsoft, "utf16le")]),
    told: microsoftTold,
  },
  {
    receiver: "Microsoft, in UTF-8 that calls itself UTF-16",
    content: microsoft.replace('version="1.0"?', 'version="1.0" encoding="utf-16"?'),
    told: microsoftTold,
  },
  {
    receiver: "Yahoo",
    content: yahoo,
    told: {
      organization: "Yahoo",
      ...day,
      domain: "shop.example",
      total: 8,
      failed: 8,
      policy: { ...nothing, p: "reject", adkim: "r", aspf: "r", pct: "100" },
      sources: [
        {
          sourceIp: "203.0.113.5",
          messages: 8,
          disposition: "reject",
          dkimAligned: false,
          spfAligned: false,
          headerFrom: "shop.example",
          dkim: [],
          spf: [{ domain: "spoof.example", scope: null, result: "softfail" }],
          reasons: [],
        },
      ],
    },
  },
  {
    receiver: "Mail.ru",
    content: Buffer.from(mailRu.replace("\u0445", "\u00f5"), "latin1"),
    told: { organization: "Mail.Ru \u0445", beginsAt: Date.UTC(2026, 10, 18, 21), total: 2, failed: 0 },
  },
  {
    receiver: "Amazon SES",
    content: amazon,
    told: { organization: "AMAZON-SES", total: 5, failed: 0, policy: { ...nothing, p: "none" } },
  },
  {
    receiver: "Fastmail",
    content: fastmail,
    told: {
      organization: "Fastmail & friends",
      total: 1,
      failed: 0,
      sources: [
        {
          sourceIp: "192.0.2.9",
          messages: 1,
          disposition: "none",
          dkimAligned: true,
          spfAligned: false,
          headerFrom: "xn--bcher-kva.example",
          dkim: [{ domain: "shop.example", selector: "fm1", result: "pass" }],
          spf: [],
          reasons: [],
        },
      ],
    },
  },
  {
    receiver: "a receiver that follows RFC 9990",
    content: standard,
    told: {
      organization: "Receiver <one>",
      total: 130,
      failed: 7,
      policy: {
        p: "reject",
        sp: "quarantine",
        np: "reject",
        adkim: null,
        aspf: null,
        pct: null,
        testing: "y",
        discoveryMethod: "treewalk",
      },
      sources: [
        {
          sourceIp: "192.0.2.123",
          messages: 123,
          disposition: "none",
          dkimAligned: true,
          spfAligned: false,
          headerFrom: "shop.example",
          dkim: [{ domain: "shop.example", selector: "abc123", result: "pass" }],
          spf: [{ domain: "shop.example", scope: "mfrom", result: "fail" }],
          reasons: [],
        },
        {
          sourceIp: "192.0.2.124",
          messages: 7,
          disposition: "quarantine",
          dkimAligned: false,
          spfAligned: false,
          headerFrom: "x.shop.example",
          dkim: [],
          spf: [{ domain: "shop.example", scope: "mfrom", result: "fail" }],
          reasons: [{ type: "policy_test_mode", comment: null }],
        },
      ],
    },
  },
  {
    receiver: "a receiver of long ago",
    content: draft,
    told: {
      total: 4,
      failed: 0,
      sources: [
        {
          sourceIp: "192.0.2.1",
          messages: 4,
          disposition: "none",
          dkimAligned: true,
          spfAligned: true,
          headerFrom: "shop.example",
          dkim: [],
          spf: [],
          reasons: [],
        },
      ],
    },
  },
];

/** The form of RFC 8460 appendix B: two policies, and several kinds of failures. */
export const tlsSample = {
  "organization-name": "Company-X",
  "date-range": { "start-datetime": "2026-11-19T00:00:00Z", "end-datetime": "2026-11-19T23:59:59Z" },
  "contact-info": "tls@company-x.example",
  "report-id": "5065427c-23d3@company-x.example",
  policies: [
    {
      policy: {
        "policy-type": "sts",
        "policy-string": ["version: STSv1", "mode: testing", "mx: *.mail.shop.example", "max_age: 86400"],
        "policy-domain": "Shop.example",
        "mx-host": ["*.mail.shop.example"],
      },
      summary: { "total-successful-session-count": 5326, "total-failure-session-count": 303 },
      "failure-details": [
        {
          "result-type": "certificate-expired",
          "sending-mta-ip": "2001:db8:abcd:0012::1",
          "receiving-mx-hostname": "mx1.mail.shop.example",
          "failed-session-count": 100,
        },
        {
          "result-type": "starttls-not-supported",
          "sending-mta-ip": "2001:db8:abcd:0013::1",
          "receiving-mx-hostname": "mx2.mail.shop.example",
          "receiving-ip": "203.0.113.56",
          "failed-session-count": 200,
          "additional-information": "https://reports.company-x.example/?id=5065427c",
        },
        {
          "result-type": "validation-failure",
          "sending-mta-ip": "198.51.100.62",
          "receiving-ip": "203.0.113.58",
          "receiving-mx-hostname": "mx-backup.mail.shop.example",
          "failed-session-count": 3,
          "failure-reason-code": "X509_V_ERR_PROXY_PATH_LENGTH_EXCEEDED",
        },
      ],
    },
    {
      policy: { "policy-type": "tlsa", "policy-domain": "news.shop.example" },
      summary: { "total-successful-session-count": 10, "total-failure-session-count": 0 },
    },
  ],
};
