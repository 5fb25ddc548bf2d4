// What we use of smtp-server beyond its documented API, each with the reason. If an upgrade renames one of them, this
// fails first and names it.

import { SMTPConnection } from "smtp-server/lib/smtp-connection.js";
import { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { describe, expect, test } from "vitest";
import { readSources } from "../../../../scripts/imports.ts";

const ofConnection: Readonly<Record<string, string>> = {
  _createParser: "our command stream reads DATA without copies and without waiting for a stream of its own",
  _onCommand: "commands of a client are held back, timed and answered from the envelope parser",
  _sendGreeting: "the time of the greeting belongs to the transcript",
  _resetSession: "a transaction ends with RSET and with a new greeting",
  _onClose: "what a closed connection began is given up",
  _whenWritable: "a client that reads no replies is not read from",
  _proxyCommandAllowed: "XCLIENT only from addresses that the operator trusts, and once",
  _isSupported: "AUTH is offered to some clients only",
  _nextHandler: "a line with credentials is hidden in the transcript",
  _handlerPending: "while we work, the client is not idle",
  _upgrading: "nothing is written while STARTTLS takes the socket over",
  _closing: "no command is read after QUIT",
  _closed: "a transaction of a closed connection ends",
  _ready: "a command before the greeting waits for it",
  _parser: "DATA is read from the parser that is there after STARTTLS",
  _server: "its options hold the longest command line",
  _socket: "replies go out in one write for each round of the event loop",
  _unrecognizedCommands: "a completed message clears the count",
  _xClient: "what a trusted proxy said about the client",
  _originalRemoteAddress: "the proxy's own address, once XCLIENT has replaced it",
};

const ofStream: Readonly<Record<string, string>> = {
  _write: "a single command in a chunk needs no splitting",
  _feedDataStream: "the bytes of a message go to our own reader",
  _dataMode: "whether bytes are commands or a message",
  _maxCommandLength: "a longer line takes the library's own way, which refuses it",
  _remainder: "the beginning of a command that came before",
};

const shapes = [
  ["SMTPConnection", SMTPConnection, ofConnection],
  ["SMTPStream", SMTPStream, ofStream],
] as const;

describe.each(shapes)("the library class %s", (_, shape, members) => {
  test.each(Object.keys(members))("the library class has the member %s", (member) => {
    const isMethod = member in shape.prototype;
    expect(isMethod || String(shape).includes(`this.${member}`)).toBe(true);
  });
});

test("no other underscore member of the library is used", () => {
  const used = readSources("src/features/intake/smtp").flatMap(({ text }) =>
    [...text.matchAll(/(?:\.|[{,|(] ?"?|override )(_[a-z]\w*)\b/gi)].map(([, member = ""]) => member),
  );
  expect([...new Set(used)].filter((member) => !(member in ofConnection) && !(member in ofStream))).toEqual([]);
});
