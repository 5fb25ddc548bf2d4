// Random SMTP sessions, mostly valid with some misbehavior. Each is a list of steps for a client.

import type { Dice } from "../dice.ts";

export type Step =
  /** Text stands for bytes, one for each character. */
  | { readonly step: "write"; readonly bytes: string }
  /** Waits for input, or for a moment. */
  | { readonly step: "wait" }
  /** Switches to TLS. */
  | { readonly step: "tls" }
  | { readonly step: "halfClose" }
  | { readonly step: "reset" };

type Throw = (dice: Dice, seedAddress: string) => string;

const oddities = [
  "\0",
  "\r",
  "\n",
  "\t",
  "\x7f",
  "\x1b[2J",
  "\xff",
  "\xc3\xa4",
  "\xe2\x80\x8b",
  "<",
  ">",
  '"',
  "\\",
  "@",
  " ",
  ",",
  ":",
  "%",
  "{{x}}",
  "../../x",
];

const addresses: readonly Throw[] = [
  (_dice, seed) => seed,
  (_dice, seed) => seed.replace("@", "+label@"),
  (_dice, seed) => `"${seed.replace("@", '"@')}`,
  (_dice, seed) => `@relay.example:${seed}`,
  (_dice, seed) => seed.toUpperCase(),
  () => "victim@elsewhere.example",
  () => "victim@[192.0.2.1]",
  () => '"victim@elsewhere.example"@seed.localhost',
  () => "victim%elsewhere.example@seed.localhost",
  () => "@seed.localhost:victim@elsewhere.example",
  () => "postmaster",
  () => "",
  (dice) => `${"x".repeat(dice(600))}@${"y.".repeat(dice(300))}example`,
  (dice, seed) => spoil(seed, dice),
];

const parameters: readonly Throw[] = [
  () => "",
  (dice) => ` SIZE=${dice(2) === 0 ? dice(1_000_000) : "9".repeat(dice(40))}`,
  () => " BODY=8BITMIME SMTPUTF8",
  () => " RET=HDRS ENVID=abc NOTIFY=NEVER ORCPT=rfc822;a@b.example",
  (dice) => ` ${"X=1 ".repeat(dice(50))}`,
  (dice) => ` ${pick(oddities, dice)}=${pick(oddities, dice)}`,
];

const lines: readonly Throw[] = [
  (dice) => `EHLO ${pick(["client.example", "[192.0.2.1]", "", "x".repeat(dice(2_000)), "\xff", "a b"], dice)}`,
  () => "HELO client.example",
  (dice, seed) => `MAIL FROM:<${pick(addresses, dice)(dice, seed)}>${pick(parameters, dice)(dice, seed)}`,
  (dice, seed) => `RCPT TO:<${pick(addresses, dice)(dice, seed)}>${pick(parameters, dice)(dice, seed)}`,
  () => "DATA",
  () => "RSET",
  () => "NOOP",
  () => "VRFY postmaster",
  () => "HELP",
  () => "QUIT",
  (dice) => `BDAT ${dice(1_000)} LAST`,
  () => "AUTH PLAIN AGEAYg==",
  () => "XCLIENT ADDR=192.0.2.7 NAME=client.example PORT=1 HELO=x PROTO=ESMTP",
  (dice) => `XCLIENT ADDR=${pick(["[UNAVAILABLE]", "IPV6:2001:db8::1", "999.1.1.1", "+zz", ""], dice)}`,
  () => "XFORWARD ADDR=192.0.2.7",
  () => "PROXY TCP4 192.0.2.1 198.51.100.1 1 2",
  () => "GET / HTTP/1.1",
  (dice) => `${pick(oddities, dice)}${pick(oddities, dice)}`,
  (dice) => "X".repeat(dice(10_000)),
];

const texts = [
  "\r\n",
  "\n",
  "\r",
  ".",
  "..",
  "\r\n.",
  "\n.\n",
  "\n.\r\n",
  "\r\n.\n",
  "\0",
  "\xff",
  "Subject: x\r\n",
  "\r\n\r\n",
  "Content-Type: multipart/mixed; boundary=b\r\n",
  "--b\r\n",
  "MAIL FROM:<smuggled@sender.example>\r\nRCPT TO:<victim@elsewhere.example>\r\nDATA\r\n",
  "Hello",
];

export function throwSession(dice: Dice, seedAddress: string): readonly Step[] {
  const steps: Step[] = dice(8) === 0 ? [] : [{ step: "wait" }];
  const waits = dice(3) > 0;
  const say = (bytes: string) => {
    steps.push({ step: "write", bytes: dice(10) === 0 ? spoil(bytes, dice) : bytes });
    if (waits) steps.push({ step: "wait" });
  };
  if (dice(3) > 0) say("EHLO client.example\r\n");
  if (dice(4) === 0) throwTls(dice, seedAddress, say, steps);
  for (let left = dice(4); left > 0; left--) throwMessage(dice, seedAddress, say);
  for (let left = dice(5); left > 0; left--) say(`${pick(lines, dice)(dice, seedAddress)}\r\n`);
  if (dice(3) > 0) say("QUIT\r\n");
  steps.push(dice(3) > 0 ? { step: "halfClose" } : { step: "reset" });
  return steps;
}

function throwTls(dice: Dice, seedAddress: string, say: (bytes: string) => void, steps: Step[]): void {
  const injected = dice(3) === 0 ? `${pick(lines, dice)(dice, seedAddress)}\r\n` : "";
  say(`STARTTLS\r\n${injected}`);
  steps.push({ step: "wait" });
  if (dice(5) > 0) steps.push({ step: "tls" });
  if (dice(5) > 0) say("EHLO client.example\r\n");
}

function throwMessage(dice: Dice, seedAddress: string, say: (bytes: string) => void): void {
  const odd = dice(4) === 0 ? pick(parameters, dice)(dice, seedAddress) : "";
  say(`MAIL FROM:<ann@sender.example>${odd}\r\n`);
  for (let left = 1 + dice(3); left > 0; left--)
    say(`RCPT TO:<${dice(2) === 0 ? seedAddress : pick(addresses, dice)(dice, seedAddress)}>\r\n`);
  say("DATA\r\n");
  say(throwBody(dice));
  if (dice(10) > 0) say("\r\n.\r\n");
}

function throwBody(dice: Dice): string {
  const length = dice(20);
  const body = Array.from({ length }, () => pick(texts, dice)).join("");
  return dice(20) === 0 ? body + "x".repeat(dice(400_000)) : body;
}

/** Removes, adds or doubles a few bytes. */
function spoil(bytes: string, dice: Dice): string {
  let spoilt = bytes;
  for (let left = 1 + dice(3); left > 0; left--) {
    const at = dice(spoilt.length + 1);
    const end = at + dice(6);
    const instead = [pick(oddities, dice), "", spoilt.slice(at, end).repeat(2), String.fromCharCode(dice(256))];
    spoilt = spoilt.slice(0, at) + pick(instead, dice) + spoilt.slice(end);
  }
  return spoilt;
}

function pick<T>(choices: readonly T[], dice: Dice): T {
  return choices[dice(choices.length)] as T;
}
