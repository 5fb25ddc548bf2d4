// smtp-server as in its readme: reads each message to its end and discards it. It is the upper limit for any listener
// based on it.

import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

const server = new SMTPServer({
  disabledCommands: ["AUTH"],
  disableReverseLookup: true,
  logger: false,
  onData: (stream, _session, callback) => {
    stream.resume();
    stream.on("end", () => callback());
  },
});
server.on("error", () => {});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.server.address() as AddressInfo;
  console.log(JSON.stringify({ port, recipient: "anyone@seed.example" }));
});
