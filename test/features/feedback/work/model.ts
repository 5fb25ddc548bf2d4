// A model of a domain's mail, and the reports that receivers write about it: real files, as they would arrive by SMTP.

import { gzipSync } from "node:zlib";

import type { Zone } from "../../../../src/analyzer/dns/zone.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
export const modelDomain = "shop.example";

/** Mulberry32: the same seed gives the same sixty days. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Arrival = {
  readonly at: number;
  readonly kind: "dmarc" | "tls" | "complaint" | "bounce";
  readonly reporter: string;
  /** The reported day. */
  readonly day: number;
  readonly raw: Buffer;
  /** What was compressed. */
  readonly text: string;
  readonly session: { readonly clientAddress: string; readonly helo: string; readonly mailFrom: string };
};

type Reporter = {
  readonly domain: string;
  readonly organization: string;
  readonly address: string;
  readonly share: number;
  readonly hour: number;
};

export const reporters: readonly Reporter[] = [
  { domain: "google.com", organization: "google.com", address: "192.0.2.10", share: 0.55, hour: 5 },
  { domain: "yahoo.com", organization: "Yahoo", address: "192.0.2.20", share: 0.2, hour: 8 },
  { domain: "microsoft.com", organization: "Enterprise Outlook", address: "192.0.2.30", share: 0.15, hour: 14 },
  { domain: "fastmail.com", organization: "Fastmail", address: "192.0.2.40", share: 0.07, hour: 3 },
  { domain: "gmx.net", organization: "GMX", address: "192.0.2.50", share: 0.03, hour: 10 },
];

/** The zone that authenticates the reporters, and the monitored domain's own records. */
export function toModelZone(): Zone {
  const senders = reporters.map(({ domain, address }) => [domain, { TXT: [`v=spf1 ip4:${address} -all`] }]);
  return {
    ...Object.fromEntries(senders),
    [modelDomain]: { TXT: ["v=spf1 ip4:198.51.100.10 -all"], MX: [{ exchange: "mx1.shop.example", preference: 10 }] },
    "mx1.shop.example": { A: ["198.51.100.20"] },
    [`_dmarc.${modelDomain}`]: { TXT: ["v=DMARC1; p=none; rua=mailto:reports@seed.example"] },
  };
}

export type Planted = {
  readonly newSource?: { readonly from: number; readonly to: number; readonly passes: boolean };
  readonly brokenSelector?: { readonly from: number; readonly to: number };
  readonly tlsFailure?: { readonly from: number; readonly to: number };
  /** Complaints on that day. */
  readonly complaints?: { readonly day: number; readonly count: number };
  readonly bounces?: { readonly day: number; readonly count: number };
  readonly silence?: { readonly from: number; readonly to: number };
};

type Flow = {
  readonly ip: string;
  readonly messages: number;
  readonly dkim: readonly { readonly domain: string; readonly selector: string; readonly result: string }[];
  readonly spf: { readonly domain: string; readonly result: string };
  readonly dkimAligned: boolean;
  readonly spfAligned: boolean;
  readonly reason?: string;
};

export type Model = { readonly start: number; readonly days: number; readonly seed: number; readonly planted: Planted };

/** All mail of the model, in the order of its arrival. */
export function makeArrivals({ start, days, seed, planted }: Model): Arrival[] {
  const random = createRandom(seed);
  const arrivals: Arrival[] = [];
  for (let index = 0; index < days; index++) {
    const day = start + index * dayMs;
    const flows = makeFlows(index, day, random, planted);
    for (const reporter of reporters) arrivals.push(...makeDmarc(reporter, { index, day, flows, random, planted }));
    arrivals.push(...makeTls(index, day, random, planted), ...makeNotices(index, day, random, planted));
  }
  return arrivals.sort((one, other) => one.at - other.at);
}

function isWithin(index: number, range: { readonly from: number; readonly to: number } | undefined): boolean {
  return range !== undefined && index >= range.from && index <= range.to;
}

function noisy(mean: number, random: () => number): number {
  // Close to a normal distribution with a third of the mean as its width.
  const bell = (random() + random() + random() + random() - 2) / Math.sqrt(1 / 3);
  return Math.max(0, Math.round(mean * (1 + 0.2 * bell)));
}

const own = { domain: modelDomain, selector: "s1" };

function makeFlows(index: number, day: number, random: () => number, planted: Planted): Flow[] {
  const weekday = new Date(day).getUTCDay();
  const isWeekend = weekday === 0 || weekday === 6;
  const isBroken = isWithin(index, planted.brokenSelector);
  const flows: Flow[] = [
    {
      ip: "198.51.100.10",
      messages: noisy(isWeekend ? 120 : 300, random),
      dkim: [{ ...own, result: "pass" }],
      spf: { domain: modelDomain, result: "pass" },
      dkimAligned: true,
      spfAligned: true,
    },
    {
      ip: "198.51.101.7",
      messages: noisy(isWeekend ? 150 : weekday === 2 ? 2_500 : 400, random),
      dkim: [{ domain: modelDomain, selector: "em1", result: isBroken ? "fail" : "pass" }],
      spf: { domain: "sendgrid.net", result: "pass" },
      dkimAligned: !isBroken,
      spfAligned: false,
    },
    {
      ip: "203.0.113.77",
      messages: noisy(60, random),
      dkim: [{ domain: modelDomain, selector: "crm", result: "pass" }],
      spf: { domain: "bounce.crm-mailer.example", result: "pass" },
      dkimAligned: true,
      spfAligned: false,
    },
  ];
  flows.push(...makeForwarded(isWeekend ? 2 : 4, random), ...makeSpoofed(random));
  if (isWithin(index, planted.newSource)) flows.push(makeNewSource(planted.newSource?.passes === true, random));
  return flows;
}

function makeForwarded(mean: number, random: () => number): Flow[] {
  return Array.from({ length: 8 }, (_, number) => {
    const survives = random() < 0.75;
    return {
      ip: `192.0.2.${100 + number}`,
      messages: noisy(mean, random),
      dkim: [{ ...own, result: survives ? "pass" : "fail" }],
      spf: { domain: `forwarder${number}.example`, result: "pass" },
      dkimAligned: survives,
      spfAligned: false,
      ...(random() < 0.3 ? { reason: "forwarded" } : {}),
    };
  });
}

function makeSpoofed(random: () => number): Flow[] {
  const upTo = (most: number) => Math.floor(random() * most);
  return Array.from({ length: upTo(14) }, () => ({
    ip: `${20 + upTo(200)}.${upTo(250)}.${upTo(250)}.9`,
    messages: 1 + upTo(2),
    dkim: [],
    spf: { domain: modelDomain, result: "fail" },
    dkimAligned: false,
    spfAligned: false,
  }));
}

function makeNewSource(passes: boolean, random: () => number): Flow {
  return {
    ip: "203.0.113.200",
    messages: noisy(70, random),
    dkim: passes ? [{ domain: modelDomain, selector: "mg", result: "pass" }] : [],
    spf: { domain: "mailgun.org", result: "pass" },
    dkimAligned: passes,
    spfAligned: false,
  };
}

type DayTerms = {
  readonly index: number;
  readonly day: number;
  readonly flows: readonly Flow[];
  readonly random: () => number;
  readonly planted: Planted;
};

function makeDmarc(reporter: Reporter, { index, day, flows, random, planted }: DayTerms): Arrival[] {
  const isSkipped = random() < 0.02;
  const seen = flows.flatMap((flow) => {
    const exact = flow.messages * reporter.share;
    const messages = Math.floor(exact) + (random() < exact % 1 ? 1 : 0);
    return messages > 0 ? [{ ...flow, messages }] : [];
  });
  if (isSkipped || seen.length === 0 || isWithin(index, planted.silence)) return [];
  const text = toXml(reporter, day, seen);
  const at = day + dayMs + reporter.hour * hourMs + Math.floor(random() * hourMs);
  const name = `${reporter.domain}!${modelDomain}!${day / 1_000}!${(day + dayMs) / 1_000 - 1}.xml.gz`;
  const subject = `Report domain: ${modelDomain} Submitter: ${reporter.domain} Report-ID: ${index}`;
  const session = toSession(reporter);
  const raw = toMail({ reporter, subject, name, type: "application/gzip", content: gzipSync(text), at });
  const arrival: Arrival = { at, kind: "dmarc", reporter: reporter.domain, day, raw, text, session };
  // Some reporters send a report again when they aren't sure that it was taken.
  return random() < 0.05 ? [arrival, { ...arrival, at: at + 2 * hourMs, raw: withOtherId(raw) }] : [arrival];
}

function withOtherId(raw: Buffer): Buffer {
  return Buffer.from(raw.toString("latin1").replace("Message-ID: <", "Message-ID: <again-"), "latin1");
}

function toSession({ address, domain }: Reporter): Arrival["session"] {
  return { clientAddress: address, helo: `mail.${domain}`, mailFrom: `noreply@${domain}` };
}

function toXml({ organization, domain }: Reporter, day: number, flows: readonly Flow[]): string {
  const records = flows.map(
    ({ ip, messages, dkim, spf, dkimAligned, spfAligned, reason }) => `  <record>
    <row>
      <source_ip>${ip}</source_ip>
      <count>${messages}</count>
      <policy_evaluated>
        <disposition>none</disposition>
        <dkim>${dkimAligned ? "pass" : "fail"}</dkim>
        <spf>${spfAligned ? "pass" : "fail"}</spf>${reason ? `\n        <reason><type>${reason}</type><comment>arc</comment></reason>` : ""}
      </policy_evaluated>
    </row>
    <identifiers><header_from>${modelDomain}</header_from></identifiers>
    <auth_results>${dkim
      .map(
        (one) =>
          `\n      <dkim><domain>${one.domain}</domain><selector>${one.selector}</selector><result>${one.result}</result></dkim>`,
      )
      .join("")}
      <spf><domain>${spf.domain}</domain><scope>mfrom</scope><result>${spf.result}</result></spf>
    </auth_results>
  </record>`,
  );
  return `<?xml version="1.0" encoding="UTF-8" ?>
<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">
  <version>1.0</version>
  <report_metadata>
    <org_name>${organization}</org_name>
    <email>noreply@${domain}</email>
    <report_id>${day / 1_000}.${domain}</report_id>
    <date_range><begin>${day / 1_000}</begin><end>${(day + dayMs) / 1_000 - 1}</end></date_range>
  </report_metadata>
  <policy_published><domain>${modelDomain}</domain><p>none</p></policy_published>
${records.join("\n")}
</feedback>
`;
}

type Mail = {
  readonly reporter: Reporter;
  readonly subject: string;
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
  readonly at: number;
};

function toMail({ reporter, subject, name, type, content, at }: Mail): Buffer {
  const base64 = content.toString("base64").replace(/.{76}/g, "$&\r\n");
  return Buffer.from(
    [
      `From: Reports <noreply@${reporter.domain}>`,
      "To: reports@seed.example",
      `Subject: ${subject}`,
      `Message-ID: <${at}.${reporter.domain}@${reporter.domain}>`,
      `Date: ${new Date(at).toUTCString().replace("GMT", "+0000")}`,
      "MIME-Version: 1.0",
      `Content-Type: ${type}; name="${name}"`,
      `Content-Disposition: attachment; filename="${name}"`,
      "Content-Transfer-Encoding: base64",
      "",
      base64,
      "",
    ].join("\r\n"),
  );
}

function makeTls(index: number, day: number, random: () => number, planted: Planted): Arrival[] {
  return reporters.slice(0, 3).flatMap((reporter) => {
    const sessions = noisy(400 * reporter.share, random);
    const isFailing = isWithin(index, planted.tlsFailure);
    const failed = isFailing ? Math.round(sessions * 0.3) : random() < 0.1 ? 1 : 0;
    const details = failed
      ? [
          {
            "result-type": isFailing ? "certificate-expired" : "validation-failure",
            "sending-mta-ip": reporter.address,
            "receiving-mx-hostname": "mx1.shop.example",
            "failed-session-count": failed,
          },
        ]
      : [];
    const text = JSON.stringify({
      "organization-name": reporter.organization,
      "date-range": {
        "start-datetime": new Date(day).toISOString(),
        "end-datetime": new Date(day + dayMs - 1_000).toISOString(),
      },
      "contact-info": `noreply@${reporter.domain}`,
      "report-id": `${day}-tls@${reporter.domain}`,
      policies: [
        {
          policy: { "policy-type": "sts", "policy-domain": modelDomain, "mx-host": ["mx1.shop.example"] },
          summary: { "total-successful-session-count": sessions - failed, "total-failure-session-count": failed },
          "failure-details": details,
        },
      ],
    });
    const at = day + dayMs + (reporter.hour + 1) * hourMs + Math.floor(random() * hourMs);
    const name = `${reporter.domain}!${modelDomain}!${day}!${day + dayMs}!001.json.gz`;
    const subject = `Report Domain: ${modelDomain} Submitter: ${reporter.domain} Report-ID: <${day}>`;
    const type = "application/tlsrpt+gzip";
    const raw = toMail({ reporter, subject, name, type, content: gzipSync(text), at });
    return [{ at, kind: "tls" as const, reporter: reporter.domain, day, raw, text, session: toSession(reporter) }];
  });
}

function makeNotices(index: number, day: number, random: () => number, planted: Planted): Arrival[] {
  const [google, yahoo] = reporters;
  if (!google || !yahoo) return [];
  const isWave = planted.complaints?.day === index;
  const complaints = isWave ? (planted.complaints?.count ?? 0) : random() < 0.15 ? 1 : 0;
  const bounces = planted.bounces?.day === index ? planted.bounces.count : Math.floor(random() * 4);
  const when = () => day + Math.floor(random() * dayMs);
  const written: Arrival[] = [];
  for (let number = 0; number < complaints; number++)
    written.push(toNotice("complaint", yahoo, { day, at: when(), name: `c${index}.${number}` }));
  for (let number = 0; number < bounces; number++)
    written.push(toNotice("bounce", google, { day, at: when(), name: `b${index}.${number}` }));
  return written;
}

type Noticed = { readonly day: number; readonly at: number; readonly name: string };

function toNotice(kind: "complaint" | "bounce", reporter: Reporter, { day, at, name }: Noticed): Arrival {
  const original = [
    `From: News <news@${modelDomain}>`,
    "To: ann@receiver.example",
    "Subject: Our offers",
    `Message-ID: <${name}@${modelDomain}>`,
  ];
  const isComplaint = kind === "complaint";
  const machine = isComplaint
    ? ["Feedback-Type: abuse", "User-Agent: Model/1", "Version: 1", "Source-IP: 198.51.101.7"]
    : [
        `Reporting-MTA: dns; mail.${reporter.domain}`,
        "",
        "Final-Recipient: rfc822; ann@receiver.example",
        "Action: failed",
        "Status: 5.1.1",
        "Diagnostic-Code: smtp; 550 5.1.1 No such user",
      ];
  const text = [
    `From: ${isComplaint ? "Feedback" : "Mail Delivery System"} <noreply@${reporter.domain}>`,
    "To: reports@seed.example",
    `Subject: ${isComplaint ? "complaint about message" : "Undelivered Mail Returned to Sender"}`,
    `Message-ID: <${name}@${reporter.domain}>`,
    `Date: ${new Date(at).toUTCString().replace("GMT", "+0000")}`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=${isComplaint ? "feedback-report" : "delivery-status"}; boundary=b`,
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    isComplaint ? "A complaint." : "Your message was not delivered.",
    "",
    "--b",
    `Content-Type: message/${isComplaint ? "feedback-report" : "delivery-status"}`,
    "",
    ...machine,
    "",
    "--b",
    `Content-Type: ${isComplaint ? "message/rfc822" : "text/rfc822-headers"}`,
    "",
    ...original,
    "",
    ...(isComplaint ? ["Hello.", ""] : []),
    "--b--",
    "",
  ].join("\r\n");
  const session = toSession(reporter);
  return { at, kind, reporter: reporter.domain, day, raw: Buffer.from(text), text, session };
}
