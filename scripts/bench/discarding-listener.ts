// smtp-server as in its readme: reads each message to its end and discards it, or has mailparser read it first. It is the
// upper limit for any listener based on it.
// Usage: node scripts/bench/discarding-listener.ts [--parse]

import type { AddressInfo } from "node:net";
import { simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

const isParsing = process.argv.includes("--parse");

const server = new SMTPServer({
  disabledCommands: ["AUTH"],
  disableReverseLookup: true,
  logger: false,
  onData: (stream, _session, callback) => {
    if (isParsing) return void simpleParser(stream).then(() => callback(), callback);
    stream.resume();
    stream.on("end", () => callback());
  },
});
server.on("error", () => {});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.server.address() as AddressInfo;
  console.log(JSON.stringify({ port, recipient: "anyone@seed.example" }));
});
