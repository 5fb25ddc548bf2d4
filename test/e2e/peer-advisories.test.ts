// Vulnerabilities of a similar product, Mailpit up to 1.34, tried on Assay. Each test has the ID of its advisory. The IPv6
// forms of private addresses (GHSA-w4mc-hhc6-xp28) are in test/platform/system/fetch-doors.test.ts.

import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Ear, startEar } from "../features/intake/smtp/dialogue.ts";
import { type HttpWorld, openHttpWorld } from "../http/http-world.ts";

let ear: Ear;
let world: HttpWorld;
let caller: { readonly token: string; readonly workspace: string };
const asked: string[] = [];

beforeAll(async () => {
  ear = await startEar({ ASSAY_SMTP_MAX_MESSAGE_BYTES: "2000000" });
  world = await openHttpWorld({
    fetchStranger: async (url) => {
      asked.push(url);
      return { ok: false, failure: "unreachable", problem: "Nothing is fetched here." };
    },
  });
  const { id: workspace } = await world.createWorkspace("Ours");
  caller = { workspace, token: (await world.issueToken(workspace)).token };
});
afterAll(async () => {
  await ear.close();
  await world.close();
});
beforeEach(() => {
  ear.heard.length = 0;
});

async function openMessage() {
  const dialogue = await ear.open();
  await dialogue.greet();
  await dialogue.say("MAIL FROM:<a@sender.example>");
  await dialogue.say(`RCPT TO:<${ear.seed}>`);
  return dialogue;
}

describe("advisories about SMTP", () => {
  const inner = () =>
    `MAIL FROM:<inner@sender.example>\r\nRCPT TO:<${ear.seed}>\r\nDATA\r\nSubject: inner\r\n\r\n.\r\n`;

  // A reader that takes long lines in fragments must not look for the final dot at the beginning of each one.
  test.each([998, 1_000, 4_095, 4_096, 8_192, 16_384, 32_768, 65_535, 65_536, 131_072])(
    "1.31.0: a dot after %i bytes of one line does not end a message",
    async (length) => {
      const dialogue = await openMessage();
      expect(await dialogue.say("DATA")).toMatch(/^354 /);
      const before = "x".repeat(length);
      await dialogue.writePieces([before, ".\r\n", `${inner()}QUIT\r\n`]);
      const replies = await dialogue.untilClosed();
      expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["250", "221"]);
      expect(ear.heard.map(({ session }) => session.mailFrom)).toEqual(["a@sender.example"]);
      expect(
        Buffer.from(ear.heard[0]?.raw ?? [])
          .toString("latin1")
          .startsWith(`${before}.\r\n`),
      ).toBe(true);
    },
  );

  test.each(["\r", "\n", "\0", "\r\nX-Injected: yes", "\rX-Injected: yes", "\x0b", "\u0085"])(
    "CVE-2026-23829: an address can't contain %j",
    async (bytes) => {
      const dialogue = await ear.open();
      await dialogue.greet();
      dialogue.write(`MAIL FROM:<a${bytes}b@sender.example>\r\n`);
      expect(await dialogue.reply()).toMatch(/^5/);
    },
  );

  test("#623: a second MAIL needs a new transaction", async () => {
    const dialogue = await openMessage();
    expect(await dialogue.say("MAIL FROM:<other@sender.example>")).toMatch(/^503 /);
  });

  test("GHSA-r553-m4fv-5v97, GHSA-fpxj-m5q8-fphw: one endless line has the same size limit as a message", async () => {
    const dialogue = await openMessage();
    expect(await dialogue.say("DATA")).toMatch(/^354 /);
    for (let megabyte = 0; megabyte < 4; megabyte++) await dialogue.writePieces(["x".repeat(1_000_000)]);
    dialogue.write("\r\n.\r\nQUIT\r\n");
    const replies = await dialogue.untilClosed();
    expect(replies[0]).toMatch(/^552 /);
    expect(ear.heard).toEqual([]);
  });

  test("GHSA-w878-pj84-3j5v: an endless command is rejected before its end", async () => {
    const dialogue = await ear.open();
    await dialogue.greet();
    dialogue.write(`NOOP ${"x".repeat(100_000)}`);
    expect(await dialogue.reply()).toMatch(/^5/);
  });

  const crafted = [
    "Content-Type: multipart/mixed; boundary=\r\n\r\n--\r\n\r\n----\r\n",
    'Content-Type: multipart/mixed; boundary=""; boundary*0=a\r\n\r\n--a--\r\n',
    "Content-Type: ;;;===\r\nContent-Transfer-Encoding: ;\r\n\r\n=\r\n",
    "Content-Type: text/plain; charset==?utf-8?Q?=00?=\r\n\r\n\xff\xfe\x00\r\n",
    "Content-Type: message/rfc822\r\n\r\nContent-Type: message/rfc822\r\n\r\n",
    "Content-Type: application/ms-tnef; name=winmail.dat\r\n\r\n\x78\x9f\x3e\x22\xff\xff\xff\xff\r\n",
    "Content-Disposition: attachment; filename*=utf-8''%; filename*1=%ff\r\n\r\n",
    "From: =?utf-8?B?====?=\r\nTo: ,,,;:<>\r\nDate: 99 Foo -1 99:99:99 +9999\r\n\r\n",
    ": no name\r\n\r\n",
    "\r\n",
    "",
  ];
  test("GHSA-v887-64wg-qqc9: a crafted message gets a report, and the next message is received", async () => {
    for (const text of crafted) {
      const raw = Buffer.from(text, "latin1");
      const id = await world.receive(caller.workspace, null, raw);
      await world.analyzeAll();
      const { json } = await world.ask("GET", `/api/tests/${id}`, caller);
      expect([text, json.status]).toEqual([text, "analyzed"]);
      const dialogue = await openMessage();
      await dialogue.say("DATA");
      dialogue.write(`${text}\r\n.\r\n`);
      expect(await dialogue.reply()).toMatch(/^250 /);
    }
  });
});

describe("advisories about outbound requests", () => {
  test("CVE-2026-21859, CVE-2026-23845, CVE-2026-27808, GHSA-j3fj-qppj-fmmc: a message causes no request", async () => {
    let connections = 0;
    const target = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(target, "listening");
    const address = target.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const html = `<html><head><link rel="stylesheet" href="${url}/a.css"><style>@import url(${url}/b.css);
@font-face { font-family: f; src: url(${url}/f.woff) } body { background: url(${url}/c.png) }</style>
<base href="${url}/"></head><body background="${url}/d.png"><img src="${url}/e.png" srcset="${url}/e2.png 2x">
<a href="${url}/link">Link</a><iframe src="${url}/frame"></iframe><object data="${url}/o"></object>
<video src="${url}/v" poster="${url}/p"></video><svg><image href="${url}/s.svg"/></svg>
<img src="http://[64:ff9b::7f00:1]/x" width=1 height=1><meta http-equiv=refresh content="0;url=${url}/m"></body></html>`;
    const raw = Buffer.from(
      `From: a@sender.example\r\nSubject: Hello\r\nList-Unsubscribe: <${url}/u>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\nContent-Type: text/html\r\n\r\n${html}\r\n`,
    );
    const id = await world.receive(caller.workspace, null, raw);
    await world.analyzeAll();
    const paths = ["", "/raw", "/eml", "/report", "/second-reader"];
    for (const path of paths) {
      const { status } = await world.ask("GET", `/api/tests/${id}${path}`, caller);
      expect([path, status]).toEqual([path, 200]);
    }
    target.close();
    expect([connections, asked]).toEqual([0, []]);
  });
});

describe("advisories about HTTP", () => {
  test("GHSA-28pq-6qxg-wg5r: a list of IDs that is too long is rejected without parsing", async () => {
    const body = { ids: Array.from({ length: 200_000 }, (_, index) => `tst_${index}`) };
    const { status } = await world.ask("POST", "/api/tests/delete", { ...caller, body });
    expect([400, 413]).toContain(status);
  });

  // Mailpit's event stream is a WebSocket, which browsers open for any page. Ours is a response that they withhold.
  test("CVE-2026-22689, GHSA-8r62-w5wh-fc5m: another site can't read events or change anything", async () => {
    const { cookie } = await world.addPerson(caller.workspace, "owner");
    const { workspace } = caller;
    const own = new URL(world.base).host;
    for (const origin of [
      "https://evil.example",
      "null",
      `http://${own.replace("1", "%31")}`,
      `http://${own}.evil.example`,
      `http://${own}@evil.example`,
    ]) {
      const headers = { origin };
      const events = await world.ask("GET", "/api/events", { cookie, workspace, headers });
      expect(events.headers.get("access-control-allow-origin")).toBeNull();
      expect(events.headers.get("cross-origin-resource-policy")).toBe("same-origin");
      const body = { name: "a", kind: "json", url: "https://hooks.example/", events: ["test.low_score"] };
      const change = await world.ask("POST", "/api/alerts", { cookie, workspace, headers, body });
      expect([origin, change.status]).toEqual([origin, 403]);
    }
  });
});
