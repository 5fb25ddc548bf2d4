// What the library does with every command and every reply, for those that come with each message: its general way, with
// a look at what each may be, costs more than all that is done for them.

import type { SMTPConnection } from "smtp-server/lib/smtp-connection.js";

/** Answers what the handler is to call when it is done: until then the client waits for us, and no idle time-out runs. */
export function handOn(
  library: Pick<SMTPConnection, "_handlerPending" | "_whenWritable">,
  resume: () => void = () => {},
): () => void {
  library._handlerPending = true;
  return () => {
    library._handlerPending = false;
    library._whenWritable(resume);
  };
}

/** ASCII of ours alone, because nothing in it is made harmless; and below 400: the library keeps account of the others. */
export function writeLines(library: Pick<SMTPConnection, "_upgrading" | "_socket">, lines: string): void {
  const { _upgrading, _socket } = library;
  // While TLS is begun they would stand in plain text among its records.
  if (!_upgrading && _socket.readyState === "open") _socket.write(lines, "latin1");
}
