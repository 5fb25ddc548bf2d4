import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createScanners, maxScannedBytes, type ScannedMessage } from "../../../src/analyzer/facts/scanners.ts";
import { claimedSession } from "../../../src/analyzer/mail/session/session.ts";
import { createFetchOperator } from "../../../src/platform/system/fetch-doors.ts";
import { streamToOperator } from "../../../src/platform/system/stream-exchange.ts";

const doors = { fetchOperator: createFetchOperator(), streamToOperator };
const message: ScannedMessage = {
  raw: Buffer.from("Subject: hello\r\n\r\nbody\r\n"),
  session: claimedSession({
    clientAddress: "2001:db8::7",
    helo: "mail.example\r\nX-Evil: 1",
    mailFrom: "änn@sender.example",
    rcptTo: ["one@seed.example", "two@seed.example"],
  }),
  clientName: "out.sender.example",
  receiver: "mx.seed.example",
  receivedAt: Date.UTC(2026, 10, 21, 12),
};

const servers: (Server | TcpServer)[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function askRspamd(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { sent = message, timeoutMs = 5_000 } = {},
) {
  const port = await listen(createServer(answer));
  const config = { rspamdUrl: `http://127.0.0.1:${port}`, spamdAddress: null };
  const [row, ...more] = await createScanners(config, doors).ask(sent, timeoutMs);
  expect(more).toEqual([]);
  expect(row?.of).toBe("rspamd");
  return row?.fact;
}

const rspamdSays = (answer: unknown, headers = {}) =>
  askRspamd((_, response) => {
    response.writeHead(200, headers).end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });

async function askSpamd(answer: string | ((socket: Socket) => void), { sent = message, timeoutMs = 5_000 } = {}) {
  const heard: Buffer[] = [];
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    socket.on("data", (chunk: Buffer) => heard.push(chunk));
    if (typeof answer === "string") socket.on("end", () => socket.end(answer));
    else answer(socket);
  });
  const spamdAddress = { host: "127.0.0.1", port: await listen(server) };
  const scanners = createScanners({ rspamdUrl: null, spamdAddress }, doors);
  const [row] = await scanners.ask(sent, timeoutMs);
  expect(row?.of).toBe("spamassassin");
  return { fact: row?.fact, heard: Buffer.concat(heard).toString() };
}

function unknownFor(why: string) {
  return { known: false, why };
}

describe("rspamd", () => {
  it("rspamd gets the envelope, and its symbols are sorted by weight", async () => {
    const heard: IncomingMessage["headers"][] = [];
    let body = "";
    const fact = await askRspamd(async (request, response) => {
      heard.push({ ...request.headers, path: request.url ?? "" });
      for await (const chunk of request) body += chunk;
      response.setHeader("Server", "rspamd/3.4");
      response.end(
        JSON.stringify({
          is_skipped: false,
          score: 6.4999999,
          required_score: 15,
          action: "add header",
          symbols: {
            MIME_GOOD: { name: "MIME_GOOD", score: -0.1, description: "Known content-type" },
            BAD: { name: "BAD", score: 6.6, description: "Bad\u0007 \n news" },
            PLAIN: { name: "PLAIN", score: 0 },
          },
        }),
      );
    });
    expect(fact).toEqual({
      known: true,
      value: {
        engine: "rspamd",
        version: "3.4",
        score: 6.5,
        threshold: 15,
        action: "add header",
        symbols: [
          { name: "BAD", points: 6.6, text: "Bad news" },
          { name: "MIME_GOOD", points: -0.1, text: "Known content-type" },
          { name: "PLAIN", points: 0, text: null },
        ],
      },
    });
    expect(heard).toMatchObject([
      {
        path: "/checkv2",
        ip: "2001:db8::7",
        helo: "mail.example??X-Evil: 1",
        hostname: "out.sender.example",
        from: Buffer.from("änn@sender.example").toString("latin1"),
        rcpt: "one@seed.example,two@seed.example",
        "queue-id": "assay",
      },
    ]);
    expect(body).toBe("Subject: hello\r\n\r\nbody\r\n");
  });

  it.each<[string, unknown]>([
    ["text that is not JSON", "<html>"],
    ["truncated JSON", '{"score": 1, "required_score'],
    ["a list", []],
    ["null", "null"],
    ["no score", { required_score: 15 }],
    ["an invalid score", { score: "7", required_score: 15 }],
    ["a huge score", '{"score": 1e999, "required_score": 15}'],
    ["deep nesting", "[".repeat(100_000)],
  ])("rspamd has no result if it answers %s", async (_what, answer) => {
    expect(await rspamdSays(answer)).toEqual(unknownFor("unfit"));
  });

  it("rspamd cannot fill a report with a huge response", async () => {
    const symbols = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [
        `${"N".repeat(150)}${index}`,
        { score: index / 1e4, description: "d\0".repeat(10) },
      ]),
    );
    const fact = await rspamdSays({ score: 1, required_score: 15, symbols: { ...symbols, odd: 7, none: null } });
    expect(fact?.known && fact.value.symbols).toHaveLength(200);
    expect(JSON.stringify(fact).length).toBeLessThan(60_000);
    expect(JSON.stringify(fact)).not.toContain("\\u0000");
  });

  it("rspamd is canceled if it answers endlessly or not at all", async () => {
    const endless = await askRspamd((_, response) => {
      const pour = () => {
        while (response.write(" ".repeat(65_536)));
      };
      response.on("drain", pour);
      pour();
    });
    expect(endless).toEqual(unknownFor("unfit"));
    expect(await askRspamd(() => {}, { timeoutMs: 100 })).toEqual(unknownFor("silent"));
  });

  it("rspamd has no opinion if it refuses or skips the message", async () => {
    const refused = await askRspamd((_, response) => response.writeHead(403).end("{}"));
    expect(refused).toEqual(unknownFor("unfit"));
    expect(await rspamdSays({ is_skipped: true, score: 0, required_score: 15 })).toEqual(unknownFor("unfit"));
  });
});

const report = [
  "Spam detection software, running on the system",
  " 9.9 NOT_YET                a line before the table",
  "Content analysis details:   (6.5 points, 5.0 required)",
  "",
  " pts rule name              description",
  "---- ---------------------- --------------------------------------------------",
  "1000 GTUBE                  BODY: Generic Test for Unsolicited Bulk Email",
  "-0.1 DKIM_VALID             Message has at least one valid DKIM or DK",
  "                            signature",
  " 1.2 A_NAME_THAT_IS_LONGER_THAN_ITS_COLUMN Still told",
  "",
  " 7.7 AFTER_IT               a line behind the table",
].join("\n");

const head = "SPAMD/1.1 0 EX_OK\r\nContent-length: 1\r\nSpam: True ; 1001.1 / 5.0\r\n\r\n";

describe("SpamAssassin", () => {
  it("SpamAssassin gets the sender's session, and returns the table of its report", async () => {
    const { fact, heard } = await askSpamd(head + report);
    expect(fact).toEqual({
      known: true,
      value: {
        engine: "spamassassin",
        version: null,
        score: 1001.1,
        threshold: 5,
        action: "spam",
        symbols: [
          { name: "GTUBE", points: 1000, text: "BODY: Generic Test for Unsolicited Bulk Email" },
          { name: "A_NAME_THAT_IS_LONGER_THAN_ITS_COLUMN", points: 1.2, text: "Still told" },
          { name: "DKIM_VALID", points: -0.1, text: "Message has at least one valid DKIM or DK signature" },
        ],
      },
    });
    const [, length = "", body = ""] = /^REPORT SPAMC\/1\.5\r\nContent-length: (\d+)\r\n\r\n(.*)$/s.exec(heard) ?? [];
    expect(Buffer.byteLength(body)).toBe(Number(length));
    expect(body).toBe(
      [
        "Return-Path: <änn@sender.example>",
        "Received: from mail.example??X-Evil:?1 (out.sender.example [IPv6:2001:db8::7])",
        "\tby mx.seed.example with SMTP; Sat, 21 Nov 2026 12:00:00 +0000",
        "Subject: hello",
        "",
        "body",
        "",
      ].join("\r\n"),
    );
  });

  it("SpamAssassin gets the message unchanged if the sender is unknown", async () => {
    const session = claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] });
    const { heard } = await askSpamd(head, { sent: { ...message, session } });
    expect(heard).toMatch(/\r\n\r\nSubject: hello\r\n/);
  });

  it.each([
    ["", "silent"],
    ["HTTP/1.1 200 OK\r\n\r\n", "unfit"],
    ["SPAMD/1.1 0 EX_OK\r\nSpam: False ; 1.0 / 5.0", "unfit"],
    ["SPAMD/1.1 0 EX_OK\r\nSpam: perhaps\r\n\r\n", "unfit"],
    ["SPAMD/1.1 0 EX_OK\r\nSpam: True ; 1.2.3 / 5\r\n\r\n", "unfit"],
    ["SPAMD/1.1 76 Bad header line: (EOF during headers)\r\n\r\n", "unfit"],
    ["SPAMD/1.0 75 EX_TEMPFAIL\r\n\r\n", "unfit"],
  ])("SpamAssassin has no result if it answers %j", async (answer, why) => {
    expect((await askSpamd(answer)).fact).toEqual(unknownFor(why));
  });

  it("SpamAssassin has a score even if its report has no table", async () => {
    const { fact } = await askSpamd(`${head}${" 1.0 X y\n".repeat(1_000)}`);
    expect(fact).toMatchObject({ known: true, value: { score: 1001.1, symbols: [] } });
  });

  it("SpamAssassin cannot fill a report with a huge response or add control characters", async () => {
    const table = report.split("\n").slice(0, 6).join("\n");
    const row = " 1.0 NAME                   \x1b[31mred\0 text\r";
    const long = `${" ".repeat(28)}${"more ".repeat(10_000)}`;
    const { fact } = await askSpamd(`${head}${table}\n${`${row}\n${long}\n`.repeat(3)}${`${row}\n`.repeat(2_000)}`);
    expect(fact?.known && fact.value.symbols).toHaveLength(200);
    expect(JSON.stringify(fact)).not.toMatch(/\\u00(00|1b)/);
    expect(JSON.stringify(fact).length).toBeLessThan(20_000);
  });

  it("SpamAssassin is canceled if it answers endlessly or not at all", async () => {
    const pour = (socket: Socket) => {
      socket.on("drain", () => pour(socket));
      while (socket.write("x".repeat(65_536)));
    };
    expect((await askSpamd(pour)).fact).toEqual(unknownFor("unfit"));
    expect((await askSpamd(() => {}, { timeoutMs: 100 })).fact).toEqual(unknownFor("silent"));
  });
});

describe("external spam filters", () => {
  it("external spam filters are not asked if none is configured", async () => {
    const none = createScanners({ rspamdUrl: null, spamdAddress: null }, doors);
    expect(await none.ask(message, 1_000)).toEqual([]);
  });

  it("external spam filters are not asked about a message that is too large", async () => {
    const nobody = { host: "127.0.0.1", port: 1 };
    const scanners = createScanners({ rspamdUrl: "http://127.0.0.1:1", spamdAddress: nobody }, doors);
    const large = { ...message, raw: new Uint8Array(maxScannedBytes + 1) };
    expect(await scanners.ask(large, 1_000)).toEqual([
      { of: "rspamd", fact: unknownFor("too-large") },
      { of: "spamassassin", fact: unknownFor("too-large") },
    ]);
    expect(await scanners.ask(message, 1_000)).toEqual([
      { of: "rspamd", fact: unknownFor("silent") },
      { of: "spamassassin", fact: unknownFor("silent") },
    ]);
  });
});
