// smtp-server as in its readme, with mailparser: reads each message to its end, parses it, and forgets it.

import type { AddressInfo } from "node:net";
import { simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

const server = new SMTPServer({
  disabledCommands: ["AUTH"],
  disableReverseLookup: true,
  logger: false,
  onData: (stream, _session, callback) => void simpleParser(stream).then(() => callback(), callback),
});
server.on("error", () => {});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.server.address() as AddressInfo;
  console.log(JSON.stringify({ port, recipient: "anyone@seed.example" }));
});
