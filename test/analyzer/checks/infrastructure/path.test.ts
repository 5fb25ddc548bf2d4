import { deliveryDelay } from "../../../../src/analyzer/checks/infrastructure/delivery-delay.ts";
import { hopClocks } from "../../../../src/analyzer/checks/infrastructure/hop-clocks.ts";
import { receivedPath } from "../../../../src/analyzer/checks/infrastructure/received-path.ts";
import { tracePath } from "../../../../src/analyzer/mail/headers/delivery-path.ts";
import { readHeaderSection } from "../../../../src/analyzer/mail/headers/fields.ts";
import { testCheck } from "../test-check.ts";
import { hop, now, received, session } from "./facts.ts";

const minutes = (count: number) => count * 60_000;

/** The path of a message that passed these servers, each with the minutes before our own clock; oldest first. */
function passing(stamps: readonly (readonly [server: string, minutesAgo: number])[]) {
  const lines = stamps.map(([server, ago], index) => {
    const from = stamps[index - 1]?.[0] ?? "laptop.a.example";
    const date = new Date(now - minutes(ago)).toUTCString().replace("GMT", "+0000");
    return `Received: from ${from} (${from} [203.0.113.${index + 1}]) by ${server} with ESMTPS id x; ${date}\r\n`;
  });
  const section = readHeaderSection(Buffer.from(`${lines.reverse().join("")}\r\nHello\r\n`));
  return tracePath({ section, session: session(), receiver: "mx.seed.example", receivedAt: now });
}

const own = hop({ header: null, by: "mx.seed.example", trusted: true });
const plain = { with: "ESMTP", tls: { used: false, version: null, cipher: null } };

testCheck(receivedPath, [
  {
    when: "passes a message with a few hops",
    facts: {
      received: passing([
        ["a.a.example", 1],
        ["out.a.example", 0],
      ]),
    },
    says: "The message passed through 2 servers before it arrived.",
  },
  {
    when: "passes a message directly from its sender",
    facts: { received: received([own], 0) },
    says: "The message passed through no other server before it arrived.",
  },
  {
    when: "counts the hops between Gmail's own servers as the journey does",
    facts: { received: received([hop({ header: "x-received" }), hop(), own], 1) },
    says: "The message passed through 2 servers before it arrived.",
  },
  { when: "passes fifteen hops", facts: { received: received([own], 15) } },
  {
    when: "reports many hops",
    facts: { received: received([own], 18) },
    finds: ["long"],
    says: "The message passed through 18 servers before it arrived.",
  },
  { when: "reports 49 hops", facts: { received: received([own], 49) }, finds: ["long"] },
  {
    when: "reports fifty hops as a loop",
    facts: { received: received([own], 50) },
    finds: ["loop"],
    says: "The message passed through 50 servers, which receivers treat as a loop.",
  },
  {
    when: "reports an unencrypted hop between two organizations",
    facts: { received: received([hop(plain), own]) },
    finds: ["unencrypted-hop"],
    says: "According to the headers, out.a.example sent the message to mx.b.example without encryption.",
  },
  {
    when: "accepts an unencrypted hop within an organization",
    facts: { received: received([hop({ ...plain, by: "relay.a.example" }), own]) },
  },
  {
    when: "accepts an unencrypted hop on the same machine",
    facts: {
      received: received([hop({ ...plain, from: "localhost", name: null, ip: "127.0.0.1", reach: "local" }), own]),
    },
  },
  {
    when: "accepts an unencrypted hop in a private network",
    facts: { received: received([hop({ ...plain, ip: "10.1.2.3", reach: "private" }), own]) },
  },
  {
    when: "accepts a hop with unknown encryption",
    facts: { received: received([hop({ tls: null, with: "HTTP" }), own]) },
  },
  { when: "leaves our own hop to tls-used", facts: { received: received([hop({ ...plain, trusted: true })]) } },
  {
    when: "is skipped if another server passed the message on without its Received header",
    facts: { received: received([], 0), session: session({ door: { kind: "lmtp" } }) },
    outcome: "skipped",
  },
]);

testCheck(deliveryDelay, [
  {
    when: "passes a message without a delay",
    facts: {
      received: passing([
        ["a.a.example", 1],
        ["out.a.example", 0],
      ]),
    },
  },
  {
    when: "passes a message with a delay of three minutes",
    facts: {
      received: passing([
        ["a.a.example", 3],
        ["out.a.example", 0],
      ]),
    },
  },
  {
    when: "reports a server with a delay of twelve minutes",
    facts: {
      received: passing([
        ["a.a.example", 12],
        ["out.a.example", 0],
      ]),
    },
    finds: ["noticeable"],
    says: "a.a.example held the message for 12 minutes.",
  },
  {
    when: "reports the server that delivered the message late",
    facts: {
      received: passing([
        ["a.a.example", 121],
        ["out.a.example", 120],
      ]),
    },
    finds: ["long"],
    says: "out.a.example held the message for 2 hours.",
  },
  {
    when: "takes a delay of weeks for a message that was sent again",
    facts: {
      received: passing([
        ["a.a.example", 30 * 24 * 60],
        ["out.a.example", 0],
      ]),
    },
    finds: ["long"],
    says: "a.a.example held the message for 30 days, longer than a queue keeps mail. It was probably sent again.",
  },
  {
    when: "does not treat a fast clock as a delay",
    facts: {
      received: passing([
        ["a.a.example", 2],
        ["fast.a.example", -30],
        ["out.a.example", 1],
      ]),
    },
  },
  {
    when: "reports the right server even if another clock is wrong",
    facts: {
      received: passing([
        ["a.a.example", 21],
        ["slow.a.example", 900],
        ["out.a.example", 1],
      ]),
    },
    finds: ["noticeable"],
    says: "a.a.example held the message for 20 minutes.",
  },
  {
    when: "reports a delay of a server without a name",
    facts: {
      received: received([
        hop({ by: null, delayMs: null }),
        hop({ from: null, delayMs: minutes(90), by: "mx.b.example" }),
      ]),
    },
    finds: ["long"],
    says: "An unnamed server held the message for 90 minutes.",
  },
  {
    when: "is skipped if another server passed the message on without its Received header",
    facts: { received: received([], 0), session: session({ door: { kind: "lmtp" } }) },
    outcome: "skipped",
  },
]);

testCheck(hopClocks, [
  {
    when: "passes clocks that agree",
    facts: {
      received: passing([
        ["a.a.example", 1],
        ["out.a.example", 0],
      ]),
    },
  },
  {
    when: "passes a clock that is 20 seconds behind",
    facts: {
      received: passing([
        ["a.a.example", 0],
        ["out.a.example", 1 / 3],
      ]),
    },
  },
  {
    when: "reports a fast clock",
    facts: {
      received: passing([
        ["a.a.example", 2],
        ["fast.a.example", -30],
        ["out.a.example", 1],
      ]),
    },
    finds: ["skewed"],
    says: "The clock on fast.a.example is about 31 minutes ahead.",
  },
  {
    when: "reports a slow clock",
    facts: {
      received: passing([
        ["a.a.example", 2],
        ["slow.a.example", 11],
        ["out.a.example", 1],
      ]),
    },
    finds: ["skewed"],
    says: "The clock on slow.a.example is about 9 minutes behind.",
  },
  { when: "trusts our own clock", facts: { received: received([{ ...own, skewMs: minutes(10) }]) } },
  {
    when: "is skipped if another server passed the message on without its Received header",
    facts: { received: received([], 0), session: session({ door: { kind: "lmtp" } }) },
    outcome: "skipped",
  },
]);
