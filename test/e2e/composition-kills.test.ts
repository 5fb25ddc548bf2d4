// The attacks of "Composition Kills" (Chen, Paxson, Jiang; USENIX Security 2020) on the whole pipeline: the
// attacker owns attack.example with its SPF and DKIM, speaks SMTP to our listener as 192.0.2.66, and DNS uses real
// packets. Messages that the listener rejects are still analyzed, as if they had arrived another way.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import { claimedSession } from "../../src/analyzer/mail/session/session.ts";
import { noCircumstances } from "../../src/analyzer/reports/known-facts.ts";
import type { Report } from "../../src/analyzer/reports/report.ts";
import { createDns, type DnsClient } from "../../src/platform/system/dns-client.ts";
import { analystFor, analyzeWith, receivedAt } from "../analyzer/domain-cases/verdict-world.ts";
import { betweenServerAndReader, replays } from "../analyzer/facts/composition-attacks.ts";
import { seal } from "../analyzer/mail/signing/seal.ts";
import { newRsaKey, rsaKey, type SignOptions, sign, toKeyRecord, toSignature } from "../analyzer/mail/signing/sign.ts";
import { startDnsServer, type TestDnsServer } from "../dns-server.ts";
import { type Ear, startEar } from "../features/intake/smtp/dialogue.ts";
import { envelopes, signatures } from "./composition-forgeries.ts";

const victimKey = newRsaKey(1_024);
const attackerTexts = ["v=spf1 ip4:192.0.2.66 -all", toKeyRecord(rsaKey)];
const zone: Zone = {
  "legit.example": { A: ["198.51.100.1"], TXT: ["v=spf1 ip4:198.51.100.1 -all"] },
  "_dmarc.legit.example": { TXT: ["v=DMARC1; p=reject"] },
  "s1._domainkey.legit.example": { TXT: [toKeyRecord(victimKey)] },
  "attack.example": { A: ["192.0.2.66"], TXT: attackerTexts },
  "*.attack.example": { A: ["192.0.2.66"], TXT: attackerTexts },
  "s1._domainkey.attack.example": { TXT: [toKeyRecord(rsaKey)] },
  "_dmarc.attack.example": { TXT: ["v=DMARC1; p=none"] },
};

let server: TestDnsServer;
let dns: DnsClient;
let ear: Ear;

beforeAll(async () => {
  server = await startDnsServer({ zone });
  const servers = [{ host: server.address, port: server.port }];
  dns = createDns({ servers, timeoutMs: 10_000, totalTimeoutMs: 20_000, now: Date.now });
  ear = await startEar({ ASSAY_SMTP_XCLIENT_FROM: "127.0.0.1", ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "100" });
});

afterAll(async () => {
  dns.close();
  await Promise.all([ear.close(), server.close()]);
});

type Sent = { readonly helo?: string; readonly mailFrom?: string; readonly message: string };

const letter = "To: <bob@seed.example>\r\nSubject: hi\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\n\r\nhi\r\n";
const forged = `From: <ceo@legit.example>\r\n${letter}`;
const names = ["from", "to", "subject"];
/** One character a byte. */
const toBytes = (text: string) => Buffer.from(text).toString("latin1");

const attacker: SignOptions = { domain: "attack.example", selector: "s1", names };

function signed(message: string, options: SignOptions = {}): string {
  return sign(message, { ...attacker, ...options });
}

/** Each to a label of its own, by which it is found again. */
let deliveries = 0;

/** What the listener made of it: null when it refused a step. */
async function deliver({ helo = "helo.attack.example", mailFrom = "a@attack.example", message }: Sent) {
  const to = ear.seed.replace("@", `+${++deliveries}@`);
  const dialogue = await ear.open();
  await dialogue.greet();
  const steps = [
    "XCLIENT ADDR=192.0.2.66",
    `EHLO ${helo}`,
    `MAIL FROM:<${mailFrom}>`,
    `RCPT TO:<${to}>`,
    "DATA",
    `${message.replace(/^\./gm, "..")}.`,
  ];
  for (const step of steps) {
    const reply = await dialogue.say(step).catch(() => "421");
    if (!/^[23]/.test(reply)) break;
  }
  dialogue.destroy();
  return ear.heard.find(({ session }) => session.rcptTo.includes(to)) ?? null;
}

async function attack(sent: Sent): Promise<{ readonly report: Report; readonly wasTaken: boolean }> {
  const heard = await deliver(sent);
  const { helo = "helo.attack.example", mailFrom = "a@attack.example", message } = sent;
  const claimed = claimedSession({ clientAddress: "192.0.2.66", helo, mailFrom, rcptTo: [ear.seed] });
  const raw = heard?.raw ?? Buffer.from(message, "latin1");
  const input = { raw, session: heard?.session ?? claimed, receivedAt, circumstances: noCircumstances, evidence: null };
  const report = await analyzeWith(input, analystFor(dns));
  return { report, wasTaken: heard !== null };
}

function dmarcOf({ authentication: { dmarcResult } }: Report): string {
  return dmarcResult.known ? dmarcResult.value.result : "unknown";
}

function spfOf({ authentication: { spf } }: Report): string {
  return spf.known ? `${spf.value.result} ${spf.value.domain}` : "unknown";
}

/** Domains that signatures passed for. */
function provenBy({ authentication: { dkim } }: Report): (string | null)[] {
  const signatures = dkim.known ? dkim.value.signatures : [];
  return signatures.flatMap(({ result, domain }) => (result === "pass" ? [domain] : []));
}

describe.concurrent("attack of §4: a spoofed From whose SPF check is deceived", () => {
  test.each(envelopes)(
    "a spoofed From with a deceived SPF check is stopped by DMARC: %s",
    async (_, helo, mailFrom) => {
      const { report } = await attack({ helo, mailFrom, message: forged });
      expect(dmarcOf(report)).toBe("fail");
    },
  );
});

describe.concurrent("attack of §4: a spoofed From whose DKIM check is deceived", () => {
  test.each(signatures)("a spoofed From with a deceived DKIM check is stopped by DMARC: %s", async (_, options) => {
    const { report } = await attack({ message: signed(forged, options) });
    expect(provenBy(report)).not.toContain("legit.example");
    expect(dmarcOf(report)).toBe("fail");
  });
});

test("no name with a NUL is ever queried, cut or whole", () => {
  const asked = server.queries.map(({ name }) => name);
  expect(asked.filter((name) => /[^!-~]|\\000|any\._domainkey\.legit/.test(name))).toEqual([]);
});

describe.concurrent("attack of §5: authenticated for the attacker's domain, but showing the victim's", () => {
  test.each(Object.entries(betweenServerAndReader))(
    "a message authenticated for the attacker but showing the victim does not pass DMARC: %s",
    async (_, headers) => {
      const first = toBytes(headers);
      // Below them, so that what begins with a space continues no field.
      const signature = toSignature(`${first}\r\n${letter}`, attacker);
      const { report } = await attack({ message: `${first}\r\n${signature}\r\n${letter}` });
      expect(spfOf(report)).toBe("pass attack.example");
      expect(dmarcOf(report)).not.toBe("pass");
    },
  );
});

describe.concurrent("attack of §6: the victim's signature with another From", () => {
  const original = sign(forged, { key: victimKey, domain: "legit.example", selector: "s1", names });

  test.each(Object.entries(replays))(
    "the victim's signature with another From does not pass DMARC: %s",
    async (_, headers) => {
      const message = original.replace("From: <ceo@legit.example>", headers);
      expect(dmarcOf((await attack({ message })).report)).not.toBe("pass");
    },
  );

  test("the original message still passes through any sender", async () => {
    const { report } = await attack({ message: original });
    expect([dmarcOf(report), provenBy(report)]).toEqual(["pass", ["legit.example"]]);
  });
});

describe.concurrent("a third party's claim about the victim's domain does not authenticate it", () => {
  const claim = "mx.legit.example; dmarc=pass header.from=legit.example; spf=pass; dkim=pass header.d=legit.example";
  const forwarder = { ...attacker, results: claim };

  test("a forwarder's signature does not authenticate the victim's domain", async () => {
    const { report } = await attack({ message: signed(forged) });
    expect([dmarcOf(report), provenBy(report)]).toEqual(["fail", ["attack.example"]]);
  });

  test("a valid ARC chain that claims a pass does not authenticate the victim's domain", async () => {
    const { report } = await attack({ message: seal(forged, forwarder) });
    expect(report.authentication.arc).toMatchObject({ value: { result: "pass", firstResults: claim } });
    expect(dmarcOf(report)).toBe("fail");
  });

  test("an ARC chain continued by an unauthorized forwarder does not authenticate the victim's domain", async () => {
    const { report } = await attack({ message: seal(seal(forged, forwarder), forwarder) });
    expect(dmarcOf(report)).toBe("fail");
  });

  test("an ARC chain in the victim's name does not authenticate the victim's domain", async () => {
    const { report } = await attack({ message: seal(forged, { ...forwarder, domain: "legit.example" }) });
    expect(report.authentication.arc).toMatchObject({ value: { result: "fail" } });
    expect(dmarcOf(report)).toBe("fail");
  });

  test.each([
    `Authentication-Results: ${claim}`,
    "Received-SPF: pass (legit.example) client-ip=198.51.100.1",
    "X-Original-From: <a@attack.example>",
    "Sender: <a@attack.example>",
    "Resent-From: <a@attack.example>",
    "Return-Path: <ceo@legit.example>",
    "X-Forwarded-For: ceo@legit.example bob@seed.example",
    "List-ID: <list.attack.example>",
  ])("a header does not authenticate the victim's domain: %s", async (field) => {
    const { report } = await attack({ message: signed(`${field}\r\n${forged}`) });
    expect(dmarcOf(report)).toBe("fail");
  });
});

describe.concurrent("honest messages and harmless imitations", () => {
  test("the attacker passes for the attacker's own domain with SPF and DKIM", async () => {
    const { report, wasTaken } = await attack({ message: signed(`From: Mallory <a@attack.example>\r\n${letter}`) });
    expect(wasTaken).toBe(true);
    expect(report.authentication.dmarcResult).toMatchObject({
      value: { result: "pass", fromDomain: "attack.example", alignedBy: ["spf", "dkim"] },
    });
  });

  test.each([
    'From: "ceo@legit.example" <a@attack.example>',
    "From: <ceo%legit.example@attack.example>",
    "From: Legit CEO <ceo@legit.example.attack.example>",
    "From: <legit.example!ceo@attack.example>",
  ])("the message %s passes only for the attacker's domain", async (from) => {
    const { report } = await attack({ message: signed(`${from}\r\n${letter}`) });
    expect(report.authentication.dmarcResult).toMatchObject({
      value: { result: "pass", fromDomain: expect.stringMatching(/attack\.example$/) },
    });
  });

  test("the victim passes with the victim's own key", async () => {
    const message = sign(`From: "Boss, The" <ceo@legit.example>\r\n${letter}`, {
      key: victimKey,
      domain: "legit.example",
      selector: "s1",
      names,
    });
    expect(dmarcOf((await attack({ message })).report)).toBe("pass");
  });
});

test("most attacks were sent to the listener, which rejects only invalid mail", () => {
  const attacks = Object.keys(betweenServerAndReader).length;
  expect(ear.heard.length).toBeGreaterThan(attacks);
});
