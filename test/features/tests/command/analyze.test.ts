import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../../../src/commands.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-analyze-"));
const message = "From: Ann <ann@sender.example>\r\nSubject: Hello\r\nMessage-ID: <1@sender.example>\r\n\r\nHi.\r\n";
let signed: string;

beforeAll(async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  // The types know another form of these options, which signs nothing.
  const options = { signatureData: [{ signingDomain: "sender.example", selector: "s1", privateKey: key }] };
  const { signatures } = await dkimSign(message, options as never);
  signed = signatures + message;
  const publicPart = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const strings = (`v=DKIM1; p=${publicPart}`.match(/.{1,200}/g) ?? []).map((part) => `"${part}"`).join(" ");
  const zone = [
    "$ORIGIN sender.example.",
    '@ TXT "v=spf1 ip4:192.0.2.10 -all"',
    `s1._domainkey TXT ${strings}`,
    '_dmarc TXT "v=DMARC1; p=reject"',
  ];
  writeFileSync(join(folder, "zone.txt"), `${zone.join("\n")}\n`);
  const named = [
    "$ORIGIN sender.example.",
    '@ TXT "v=spf1 ip4:192.0.2.10 -all"',
    "@ A 192.0.2.10",
    "@ MX 1 mail",
    "mail A 192.0.2.10",
    "10.2.0.192.in-addr.arpa. PTR mail.sender.example.",
  ];
  writeFileSync(join(folder, "named.txt"), `${named.join("\n")}\n`);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function analyze(text: string, ...args: string[]) {
  const terminal = testTerminal({}, text);
  const zone = args.includes("--dns") ? [] : ["--dns", join(folder, "zone.txt")];
  const exitCode = await run(["analyze", "-", ...zone, ...args], terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

test("a signed message from an authorized IP passes everything", async () => {
  const { exitCode, output } = await analyze(signed, "--ip", "192.0.2.10", "--mail-from", "ann@sender.example");
  expect(output).toMatch(/SPF +pass/);
  expect(output).toMatch(/DKIM +pass +s1\._domainkey\.sender\.example, aligned/);
  expect(output).toMatch(/DMARC +pass +v=DMARC1; p=reject/);
  expect(exitCode).toBe(0);
});

test("a message from another IP without a signature fails DMARC", async () => {
  const { output, exitCode } = await analyze(
    message,
    "--ip",
    "198.51.100.1",
    "--mail-from",
    "ann@sender.example",
    "--json",
  );
  expect(JSON.parse(output).authentication).toMatchObject({
    spf: { result: "fail" },
    dkim: [],
    dmarc: { result: "fail" },
  });
  expect(exitCode).toBe(0);
});

test("without the client's IP, SPF is unknown, which only --strict rejects", async () => {
  const { output, complaints, exitCode } = await analyze(message);
  expect(output).toMatch(/SPF +unknown +use --ip/);
  expect(output).toMatch(/DMARC +unknown/);
  expect(complaints).toContain("SPF, DKIM, and DMARC not checked, because the sending server is unknown.");
  expect(exitCode).toBe(0);
  const strict = await analyze(message, "--strict");
  expect(strict.complaints).toMatch(
    /was not fully checked \(--strict\)\. Not completed: \d+ checks, such as (?:[\w-]+, ){4}[\w-]+; --json lists all\.$/m,
  );
  expect(strict.exitCode).toBe(3);
});

test("a hostile subject cannot control the terminal", async () => {
  const { output } = await analyze("From: a@b.example\r\nSubject: =?utf-8?B?G1szMW3igK4=?=\r\n\r\n");
  for (const character of ["\u001b", "\u202e"]) expect(output).not.toContain(character);
  expect(output).toContain("\\u202e");
});

const path = [
  "Received: from app.sender.example ([10.0.0.5]) by mail.sender.example with ESMTP; Sat, 21 Nov 2026 10:00:00 +0000",
  "Received: from mail.sender.example (mail.sender.example [192.0.2.10]) by mx.dest.example with ESMTPS; Sat, 21 Nov 2026 10:00:48 +0000",
].reverse();

test("a report shows the sending host and the delivery path, one line per hop", async () => {
  const text = `${path.join("\r\n")}\r\n${signed}`;
  const { output } = await analyze(text, "--ip", "192.0.2.10", "--helo", "mail.sender.example");
  expect(output).toMatch(/HELO +unconfirmed +mail\.sender\.example does not resolve to the address/);
  const [first, second] = output.split("\n").filter((line) => /\[[\d.]+\] →/.test(line));
  expect(first).toMatch(/^Path +app\.sender\.example \[10\.0\.0\.5\] → mail\.sender\.example, ESMTP, not encrypted/);
  expect(second).toMatch(/^ +mail\.sender\.example \[192\.0\.2\.10\] → mx\.dest\.example, .*after 48 s$/);
});

test("blocklist and scanner results are shown only if they are configured", async () => {
  writeFileSync(
    join(folder, "lists.txt"),
    [
      "2.0.0.127.bl.example A 127.0.0.2",
      "8.8.8.8.bl.example A 127.0.0.2",
      '8.8.8.8.bl.example TXT "sent to traps"',
      "test.bl.example A 127.0.0.2",
      "8.8.8.8.in-addr.arpa PTR dns.sender.example",
      "dns.sender.example A 8.8.8.8",
    ].join("\n"),
  );
  const terminal = testTerminal({ ASSAY_DNSBLS: "bl.example", ASSAY_SPAMD_ADDRESS: "127.0.0.1:1" }, message, 100);
  const zone = ["--dns", join(folder, "lists.txt")];
  await run(["analyze", "-", ...zone, "--ip", "8.8.8.8", "--mail-from", "a@sender.example"], terminal);
  expect(terminal.output()).toMatch(/Reverse DNS +confirmed +dns\.sender\.example/);
  expect(terminal.output()).toMatch(/List +listed +bl\.example: .*sent to traps/);
  expect(terminal.output()).toMatch(/Lists +clean +not listed on \d lists?/);
  expect(terminal.output()).toMatch(/spamassassin +unknown +the server did not respond/);
  expect((await analyze(message, "--ip", "8.8.8.8")).output).not.toMatch(/List|spamassassin/);
});

test("the session can be given by options, with several recipients", async () => {
  const { exitCode, output } = await analyze(
    message,
    "--ip",
    "192.0.2.10",
    "--mail-from",
    "<ann@sender.example>",
    "--rcpt",
    "<bob@dest.example>",
    "--rcpt",
    "eve@dest.example",
  );
  expect(output).toMatch(/SPF +pass/);
  expect(exitCode).toBe(0);
});

test("the recipients are sent to the configured scanner", async () => {
  const heard: IncomingHttpHeaders[] = [];
  const scanner = createServer((request, response) => {
    heard.push(request.headers);
    request.resume();
    response.end(JSON.stringify({ score: 1.5, required_score: 15, action: "no action", symbols: {} }));
  });
  await new Promise<void>((resolve) => scanner.listen(0, "127.0.0.1", resolve));
  const { port } = scanner.address() as AddressInfo;
  const terminal = testTerminal({ ASSAY_RSPAMD_URL: `http://127.0.0.1:${port}` }, message);
  const session = ["--mail-from", "ann@sender.example", "--rcpt", "bob@dest.example", "--rcpt", "<eve@dest.example>"];
  await run(["analyze", "-", "--dns", join(folder, "zone.txt"), "--ip", "192.0.2.10", ...session], terminal);
  scanner.close();
  expect(JSON.stringify(heard)).toMatch(/bob@dest\.example.*eve@dest\.example/);
  expect(terminal.output()).toMatch(/rspamd +1\.5\/15 +no action/);
});

test("the null reverse-path is checked by the HELO name", async () => {
  const { output } = await analyze(message, "--ip", "192.0.2.10", "--mail-from", "<>", "--helo", "sender.example");
  expect(output).toMatch(/SPF +pass/);
});

test("a missing file, an invalid zone, and an invalid address give one line each", async () => {
  const lines = await Promise.all(
    [["/nowhere.eml"], ["-", "--dns", "/nowhere.txt"], ["-", "--ip", "1.2.3"]].map(async (args) => {
      const terminal = testTerminal({}, message);
      expect(await run(["analyze", ...args], terminal)).toBe(2);
      return terminal.complaints();
    }),
  );
  for (const line of lines) expect(line.trimEnd().split("\n")).toHaveLength(1);
});

const bounce = [
  "From: MAILER-DAEMON@mx.example",
  "Subject: Undelivered Mail Returned to Sender",
  'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
  "",
  "--b",
  "Content-Type: message/delivery-status",
  "",
  "Reporting-MTA: dns; mx.example",
  "",
  "Final-Recipient: rfc822; bob@dest.example",
  "Action: failed",
  "Status: 5.1.1",
  "Diagnostic-Code: smtp; 550 5.1.1 \u001b[31mUser unknown",
  "",
  "--b",
  "Content-Type: text/rfc822-headers",
  "",
  "Message-ID: <1@sender.example>",
  "",
  "--b--",
  "",
].join("\r\n");

test("a bounce prints its contents instead of authentication results", async () => {
  const { output, exitCode } = await analyze(bounce);
  expect(output).toMatch(/Recipient +bob@dest\.example +failed, user_unknown, hard, 5\.1\.1/);
  expect(output).toMatch(/Message-ID +1@sender\.example/);
  expect(output).not.toContain("\u001b");
  expect(output).not.toContain("DMARC");
  expect(exitCode).toBe(0);
});

test("a bounce in JSON has the API's fields and its kind", async () => {
  const { output } = await analyze(bounce, "--json");
  expect(JSON.parse(output)).toMatchObject({
    kind: "bounce",
    reportingMta: "mx.example",
    recipients: [{ address: "bob@dest.example", action: "failed", status: "5.1.1", class: "user_unknown", hard: true }],
    feedbackType: null,
    sourceIp: null,
    originalMessageId: "1@sender.example",
  });
});

test("a DMARC report prints its numbers", async () => {
  const xml =
    "<feedback><report_metadata><org_name>Provider</org_name><report_id>r1</report_id><date_range><begin>1762041600</begin><end>1762127999</end></date_range></report_metadata>" +
    "<policy_published><domain>sender.example</domain></policy_published>" +
    "<record><row><count>3</count><policy_evaluated><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row></record>" +
    "<record><row><count>2</count><policy_evaluated><dkim>fail</dkim><spf>fail</spf></policy_evaluated></row></record></feedback>";
  const text = `From: r@provider.example\r\nSubject: Report Domain: sender.example\r\nContent-Type: text/xml; name="a.xml"\r\n\r\n${xml}`;
  const { output } = await analyze(text, "--json");
  expect(JSON.parse(output)).toMatchObject({
    kind: "report",
    type: "dmarc",
    organization: "Provider",
    domain: "sender.example",
    beginsAt: "2025-11-02T00:00:00.000Z",
    total: 5,
    failed: 2,
  });
  expect((await analyze(text)).output).toMatch(/Result +5 messages, 2 failed/);
  const part = (id: string) => `--b\r\nContent-Type: text/xml; name="a.xml"\r\n\r\n${xml.replace("r1", id)}\r\n`;
  const several = `From: r@provider.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part("r1")}${part("r2")}--b--\r\n`;
  expect(JSON.parse((await analyze(several, "--json")).output)).toMatchObject({
    reportId: "r1",
    more: [{ reportId: "r2" }],
  });
  expect((await analyze(several)).output).toMatch(/Report ID +r2/);
});

test("each of several files has a line, and an unreadable one does not stop the others", async () => {
  const paths = [bounce, message].map((text, index) => {
    const path = join(folder, `${index}.eml`);
    writeFileSync(path, text);
    return path;
  });
  const [first = "", second = ""] = paths;
  const { output, complaints, exitCode } = await analyze(message, first, "/nowhere.eml", second, "--json");
  const lines = output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ file, kind }) => [file, kind])).toEqual([
    ["-", "personal"],
    [first, "bounce"],
    [second, "personal"],
  ]);
  expect(complaints).toContain('Cannot read "/nowhere.eml": no such file.');
  expect(exitCode).toBe(2);
});

test("an unknown envelope sender is not an empty return path", async () => {
  const untold = await analyze(signed, "--json");
  expect(untold.output).not.toContain("envelope-sender.null");
  expect(JSON.parse(untold.output).skipped).toContainEqual(
    expect.objectContaining({ check: "envelope-sender", why: "no-session" }),
  );
  expect((await analyze(signed, "--mail-from", "<>", "--json")).output).toContain("envelope-sender.null");
});

test("findings of an empty message make sense", async () => {
  const { output } = await analyze("From: Ann <ann@sender.example>\r\nSubject: Hello\r\n\r\n\r\n");
  expect(output).toMatch(/The message is empty\.\s+Recipients see nothing, and filters distrust/);
  expect(output).not.toContain("hides text");
});

test("a file is judged by the time it was received, and the report says so", async () => {
  const header = "Received: from a.example by mx.b.example with ESMTP id 1; Mon, 3 Jun 2024 10:00:00 +0000\r\n";
  const expiring =
    "DKIM-Signature: v=1; a=rsa-sha256; d=sender.example; s=s1; h=from; t=1717400000; x=1717500000; bh=aaaa; b=aaaa\r\n";
  const { output } = await analyze(header + expiring + message);
  expect(output).toContain("Evaluated as of 2024-06-03 (the date of its newest Received header).");
  expect(output).not.toContain("dkim-times.expired");
  const later = await analyze(header + expiring + message, "--received-at", "2024-06-08T12:00:00+02:00", "--json");
  const told = JSON.parse(later.output);
  expect(told.analysis).toMatchObject({ judged_at: "2024-06-08T10:00:00.000Z", judged_from: "said" });
  expect(told.authentication.dkim[0].why).toBe("expired");
  const now = JSON.parse((await analyze(header + expiring + message, "--json")).output);
  expect(now.authentication.dkim[0].why).not.toBe("expired");
  expect((await analyze(message, "--received-at", "yesterday")).complaints).toContain("--received-at must be a time");
});

test.each([
  ["2100-01-01T00:00:00Z", "--received-at is in the future; give the time when the message was received."],
  ["1980-01-01T00:00:00Z", "--received-at is before 1990; give the time when the message was received."],
])("an impossible time of receipt is rejected: %s", async (time, says) => {
  const { exitCode, complaints, output } = await analyze(message, "--received-at", time);
  expect([exitCode, output]).toEqual([2, ""]);
  expect(complaints).toContain(says);
});

test("results of a trusted receiver are used where ours are missing, and named", async () => {
  const results =
    "Authentication-Results: mx.b.example; spf=fail smtp.mailfrom=ann@sender.example; dmarc=pass header.from=sender.example\r\n";
  const received =
    "Received: from out.sender.example (out.sender.example [192.0.2.10]) by mx.b.example with ESMTP id 1; Mon, 3 Jun 2024 10:00:00 +0000\r\n".replace(
      "192.0.2.10",
      "93.184.215.9",
    );
  const saved = results + received + message;
  const { output } = await analyze(saved, "--trust", "mx.b.example");
  expect(output).toMatch(/Recorded +by mx\.b\.example +SPF fail, DMARC pass; it recorded DMARC pass, Assay found fail/);
  expect((await analyze(saved)).output).not.toContain("Recorded");
  const told = JSON.parse((await analyze(saved, "--trust", "mx.b.example", "--json")).output);
  expect(told.authentication.spf).toMatchObject({ result: "fail", recorded_by: "mx.b.example" });
  expect(told.authentication.recorded).toMatchObject({
    client_address: "93.184.215.9",
    differences: [{ mechanism: "dmarc", ours: "fail", theirs: "pass" }],
  });
});

const offer = [
  "From: News <news@sender.example>",
  "Subject: The autumn catalogue",
  "Message-ID: <2@sender.example>",
  "Date: Sat, 21 Nov 2026 05:59:58 +0000",
  "List-Unsubscribe: <https://sender.example/u/1>",
  "Content-Type: text/html; charset=utf-8",
  "",
  '<p>New books.</p><p><a href="https://sender.example/u/1">Unsubscribe</a></p>',
  "",
].join("\r\n");

const offerArgs = [
  "--kind",
  "bulk",
  "--ip",
  "192.0.2.10",
  "--helo",
  "mail.sender.example",
  "--mail-from",
  "news@sender.example",
  "--dns",
  join(folder, "named.txt"),
];

test("without --volume, the terminal shows both predictions and how to choose", async () => {
  const { output } = await analyze(offer, ...offerArgs);
  expect(output).toMatch(/Likely rejected if you send 5,000\+ a day\./);
  expect(output).toContain("--volume small");
});

test("--volume small leaves out bulk sender rules, and large counts them in full", async () => {
  const small = await analyze(offer, ...offerArgs, "--volume", "small");
  expect(small.output).not.toMatch(/rejected {2,}|likely rejects|if you send 5,000/);
  expect(small.output).toContain("For senders of fewer than 5,000 messages a day");
  const large = await analyze(offer, ...offerArgs, "--volume", "large");
  expect(large.output).toMatch(/Gmail +rejected/);
  expect(large.output).toContain("For senders of 5,000 or more messages a day");
  const read = async (volume: string) =>
    JSON.parse((await analyze(offer, ...offerArgs, "--json", "--volume", volume)).output);
  expect(await read("small")).toMatchObject({ sending_volume: "small" });
  expect((await read("small")).composite).toBeGreaterThan((await read("large")).composite);
});

test("--volume accepts no other value", async () => {
  const { exitCode, complaints } = await analyze(offer, "--volume", "5000");
  expect([exitCode, complaints]).toEqual([2, expect.stringContaining("--volume must be one of: small, large.")]);
});

test("a missing signature is an issue of a sent message, but not of an unsent one", async () => {
  const result = async (text: string, ...args: string[]) =>
    JSON.parse((await analyze(text, "--json", ...args)).output).authentication.unknown.map(
      ({ what }: { what: string }) => what,
    );
  expect(await result(message)).toContain("dkim");
  for (const trace of [
    "Received: from a.example by b.example; Thu, 19 Nov 2026 10:00:00 +0000",
    "Return-Path: <a@a.example>",
  ])
    expect(await result(`${trace}\r\n${message}`), trace).not.toContain("dkim");
  for (const session of [
    ["--ip", "192.0.2.10"],
    ["--helo", "mail.sender.example"],
    ["--mail-from", "ann@sender.example"],
  ])
    expect(await result(message, ...session), session.join()).not.toContain("dkim");
  expect(await result(signed)).not.toContain("dkim");
});
