// Which client a trusted proxy reports, by PROXY or XCLIENT.

import { describe, expect, onTestFinished, test } from "vitest";
import type { SmtpSession } from "../../../../src/analyzer/mail/session/session.ts";
import { type Dialogue, type Ear, startEar } from "./dialogue.ts";
import { proxyV1, proxyV2 } from "./proxy-headers.ts";

const proxy = "127.0.0.6";
const trusted = "127.0.0.5";

async function start(environment: Record<string, string> = {}): Promise<Ear> {
  const ear = await startEar({ ASSAY_SMTP_PROXY_FROM: proxy, ASSAY_SMTP_XCLIENT_FROM: trusted, ...environment });
  onTestFinished(ear.close);
  return ear;
}

/** Its first reply has not been read yet. */
async function openProxied(ear: Ear, client: string): Promise<Dialogue> {
  const dialogue = await ear.open(proxy);
  dialogue.write(proxyV1(client, 4_321));
  return dialogue;
}

async function openTrusted(ear: Ear): Promise<Dialogue> {
  const dialogue = await ear.open(trusted);
  await dialogue.greet();
  return dialogue;
}

/** From MAIL on. Returns the recorded session. */
async function deliver(ear: Ear, dialogue: Dialogue): Promise<SmtpSession | undefined> {
  await dialogue.say("MAIL FROM:<ann@sender.example>");
  await dialogue.say(`RCPT TO:<${ear.seed}>`);
  await dialogue.say("DATA");
  expect(await dialogue.say("Subject: x\r\n\r\nHello\r\n.")).toMatch(/^250 /);
  return ear.heard.at(-1)?.session;
}

describe("the PROXY header", () => {
  test.each([
    ["version 1", proxyV1("192.0.2.1", 4_321), "proxy-v1"],
    ["version 2", proxyV2(0x21, 0x11, Buffer.from("c0000201c633640710e10019", "hex")), "proxy-v2"],
  ])("the PROXY header in %s names the client of the session", async (_what, header, how) => {
    const ear = await start();
    const dialogue = await ear.open(proxy);
    dialogue.write(header);
    await dialogue.greet();
    expect(await deliver(ear, dialogue)).toMatchObject({
      clientAddress: "192.0.2.1",
      clientPort: 4_321,
      via: { how, address: proxy },
    });
  });

  test("the PROXY header is not accepted a second time", async () => {
    const dialogue = await openProxied(await start(), "192.0.2.1");
    await dialogue.greet();
    expect(await dialogue.say("PROXY TCP4 192.0.2.2 198.51.100.1 1 2")).toMatch(/^5\d\d 5\.\d\.\d /);
    expect(await dialogue.say("XCLIENT ADDR=192.0.2.2")).toMatch(/^5\d\d 5\.\d\.\d /);
  });

  test("the PROXY header gives each client its own limit of connections", async () => {
    const ear = await start({ ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "1" });
    expect(await (await openProxied(ear, "192.0.2.1")).reply()).toMatch(/^220 /);
    expect(await (await openProxied(ear, "192.0.2.2")).reply()).toMatch(/^220 /);
    expect(await (await openProxied(ear, "192.0.2.1")).reply()).toMatch(/^421 4\.7\.0 /);
    expect(await (await openProxied(ear, "2001:db8::1")).reply()).toMatch(/^220 /);
    expect(await (await openProxied(ear, "2001:db8::2")).reply()).toMatch(/^421 4\.7\.0 /);
  });

  test("the PROXY header of a proxy on its own behalf is not limited by IP", async () => {
    const ear = await start({ ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "1" });
    for (let n = 0; n < 5; n++) {
      const dialogue = await ear.open(proxy);
      dialogue.write("PROXY UNKNOWN\r\n");
      expect(await dialogue.reply()).toMatch(/^220 /);
    }
  });
});

describe("the XCLIENT command", () => {
  test("the XCLIENT command is offered only to trusted proxies", async () => {
    const ear = await start();
    const [ours, others] = [await ear.open(trusted), await ear.open()];
    await Promise.all([ours.reply(), others.reply()]);
    expect(await ours.say("EHLO client.example")).toMatch(/^250[ -]XCLIENT .*ADDR/m);
    expect(await others.say("EHLO client.example")).not.toContain("XCLIENT");
  });

  test("the XCLIENT command names the client, and the session starts again", async () => {
    const ear = await start();
    const dialogue = await openTrusted(ear);
    expect(await dialogue.say("XCLIENT ADDR=192.0.2.8 PORT=4321 NAME=real+2Eexample HELO=real.example")).toMatch(
      /^220 mx\.seed\.example /,
    );
    await dialogue.say("EHLO really.example");
    expect(await deliver(ear, dialogue)).toMatchObject({
      clientAddress: "192.0.2.8",
      clientPort: 4_321,
      clientName: "real.example",
      helo: "really.example",
      via: { how: "xclient", address: trusted },
    });
  });

  test.each([
    ["IPV6:2001:DB8::1", "2001:db8::1"],
    ["IPV6:::ffff:192.0.2.1", "192.0.2.1"],
    ["[UNAVAILABLE]", null],
  ])("the XCLIENT command with ADDR=%s means %s", async (address, clientAddress) => {
    const ear = await start();
    const dialogue = await openTrusted(ear);
    expect(await dialogue.say(`XCLIENT ADDR=${address}`)).toMatch(/^220 /);
    await dialogue.say("EHLO client.example");
    expect(await deliver(ear, dialogue)).toMatchObject({ clientAddress });
  });

  test.each([
    "ADDR=999.0.2.1",
    "ADDR=real.example",
    "ADDR",
    "",
    "XYZZY=1",
    "NAME=a+zz",
    "ADDR=192.0.2.1 ADDR=192.0.2.2 X=1",
  ])("the XCLIENT command with %j changes nothing", async (attributes) => {
    const ear = await start();
    const dialogue = await openTrusted(ear);
    expect(await dialogue.say(`XCLIENT ${attributes}`)).toMatch(/^501 5\.5\.4 /);
    expect(await deliver(ear, dialogue)).toMatchObject({ clientAddress: trusted, via: null });
  });

  test("the XCLIENT command within a message is rejected", async () => {
    const dialogue = await openTrusted(await start());
    await dialogue.say("MAIL FROM:<ann@sender.example>");
    expect(await dialogue.say("XCLIENT ADDR=192.0.2.8")).toMatch(/^503 5\.5\.1 /);
  });

  test("the XCLIENT command with LOGIN logs no client in and doesn't end other sessions", async () => {
    const ear = await start();
    const other = await openTrusted(ear);
    const dialogue = await openTrusted(ear);
    expect(await dialogue.say("XCLIENT LOGIN=ann")).toMatch(/^[245]\d\d /);
    expect(await deliver(ear, other)).toMatchObject({ clientAddress: trusted });
  });

  test("the XCLIENT command counts connections of the named client, not of the proxy", async () => {
    const ear = await start({ ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "1" });
    const name = async (client: string) => (await openTrusted(ear)).say(`XCLIENT ADDR=${client}`);
    expect(await name("192.0.2.8")).toMatch(/^220 /);
    expect(await name("192.0.2.9")).toMatch(/^220 /);
    expect(await name("192.0.2.8")).toMatch(/^421 4\.7\.0 /);
  });

  test("the XCLIENT command works after STARTTLS", async () => {
    const ear = await start();
    const dialogue = await openTrusted(ear);
    await dialogue.say("STARTTLS");
    await dialogue.startTls();
    await dialogue.say("EHLO proxy.example");
    expect(await dialogue.say("XCLIENT ADDR=192.0.2.8")).toMatch(/^220 /);
    await dialogue.say("EHLO client.example");
    expect(await deliver(ear, dialogue)).toMatchObject({ clientAddress: "192.0.2.8", protocol: "ESMTPS" });
  });
});
