import { createTransport } from "nodemailer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hideCredentials, isLoginOffered, toLoginOffer } from "../../../../src/features/intake/smtp/login.ts";
import { type Ear, startEar } from "./dialogue.ts";

const secret = Buffer.from("\0ann\0hunter2").toString("base64");

describe("an app that insists on SMTP AUTH", () => {
  let ear: Ear;
  beforeAll(async () => {
    ear = await startEar();
  });
  afterAll(() => ear.close());

  test.each(["PLAIN", "LOGIN"])(
    "an app that insists on SMTP AUTH logs in by %s with any password, and sends",
    async (authMethod) => {
      const before = ear.heard.length;
      const transport = createTransport({
        host: "127.0.0.1",
        port: ear.port,
        ignoreTLS: true,
        authMethod,
        auth: { user: "ann", pass: "hunter2" },
      });
      await transport.sendMail({ from: "a@sender.example", to: ear.seed, subject: "Hi", text: "Hello." });
      const [message] = ear.heard.slice(before);
      const transcript = JSON.stringify(message?.session.transcript);
      expect(transcript).toContain("235 2.7.0");
      for (const form of ["hunter2", secret, btoa("ann"), btoa("hunter2")]) expect(transcript).not.toContain(form);
    },
  );

  test("an app that insists on SMTP AUTH is offered both methods and can log in once, but mail needs no login", async () => {
    const dialogue = await ear.open();
    await dialogue.reply();
    expect(await dialogue.say("EHLO app.example")).toMatch(/^250[- ]AUTH PLAIN LOGIN/m);
    expect(await dialogue.say("MAIL FROM:<a@sender.example>")).toMatch(/^250 /);
    expect(await dialogue.say("RSET")).toMatch(/^250 /);
    expect(await dialogue.say("AUTH PLAIN")).toMatch(/^334/);
    expect(await dialogue.say("*")).toMatch(/^501 /);
    expect(await dialogue.say(`AUTH PLAIN ${secret}`)).toMatch(/^235 2\.7\.0 /);
    expect(await dialogue.say(`AUTH PLAIN ${secret}`)).toMatch(/^503 /);
  });

  test("an app that insists on SMTP AUTH has its credentials never read as a command", async () => {
    const dialogue = await ear.open();
    await dialogue.greet();
    await dialogue.say("AUTH LOGIN");
    expect(await dialogue.say("MAIL FROM:<a@sender.example>")).not.toMatch(/^250 /);
  });
});

describe("the SMTP login offer", () => {
  const from = (address: string, listeningOn: string) => ({ address, listeningOn, port: 1, via: null });
  const proxied = { ...from("127.0.0.1", "127.0.0.1"), via: { how: "proxy-v1", address: "127.0.0.1" } } as const;

  test.each([
    ["this machine, unencrypted", from("127.0.0.1", "127.0.0.1"), false, true],
    ["this machine by name", from("::1", "localhost"), false, true],
    ["a private network, encrypted", from("10.0.0.9", "10.0.0.5"), true, true],
    ["a private network, unencrypted", from("10.0.0.9", "10.0.0.5"), false, false],
    ["the internet, through NAT", from("8.8.8.8", "10.0.0.5"), true, false],
    ["this machine, on all addresses", from("127.0.0.1", "0.0.0.0"), true, false],
    ["this machine, on all IPv6 addresses", from("::1", "::"), true, false],
    ["a proxy's client", proxied, true, false],
  ] as const)("the SMTP login offer is right for %s", (_who, arrival, isEncrypted, expected) => {
    expect(isLoginOffered(toLoginOffer(arrival), isEncrypted)).toBe(expected);
  });
});

test.each([
  ["AUTH PLAIN AGEAYg==", false, "AUTH PLAIN [hidden]"],
  ["auth login YW5u", false, "auth login [hidden]"],
  ["AUTH LOGIN", false, "AUTH LOGIN"],
  ["MAIL FROM:<a@b.example> AUTH=<>", false, "MAIL FROM:<a@b.example> AUTH=<>"],
  ["aHVudGVyMg==", true, "[hidden]"],
])("the SMTP command %j is shown without its credentials", (line, isContinued, shown) => {
  expect(hideCredentials(line, isContinued)).toBe(shown);
});
