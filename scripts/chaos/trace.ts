// Parses strace's output into calls in the order in which they ended, and finds acknowledgements without a flush.

export type TracedCall = {
  readonly name: string;
  /** The descriptor as strace -yy shows it: a path, or TCP:[local->remote]. */
  readonly descriptor: string;
  readonly text: string;
  readonly result: number;
};

/** A call interrupted by another thread takes two lines. It counts where it ended. */
export function parseTrace(trace: string): TracedCall[] {
  const begun = new Map<string, string>();
  const calls: TracedCall[] = [];
  for (const line of trace.split("\n")) {
    const [, thread = "", rest = ""] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (rest.endsWith("<unfinished ...>")) {
      begun.set(thread, rest.slice(0, -"<unfinished ...>".length));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const whole = resumed ? (begun.get(thread) ?? "") + resumed[1] : rest;
    const call = /^(\w+)\(\d+<(.*?)>\s*[,)](.*)= (-?\d+)[^=]*$/.exec(whole);
    if (call)
      calls.push({ name: call[1] ?? "", descriptor: call[2] ?? "", text: call[3] ?? "", result: Number(call[4]) });
  }
  return calls;
}

export type FlushVerdict = { readonly acknowledged: number; readonly unflushed: readonly string[] };

/** For each message: did a flush of the database succeed between the last input on its socket and its 250? */
export function findUnflushed(calls: readonly TracedCall[], smtpPort: number): FlushVerdict {
  const sockets = new Map<string, SocketState>();
  const verdict = { acknowledged: 0, unflushed: [] as string[] };
  for (const call of calls) {
    if (isFlush(call)) for (const socket of sockets.values()) socket.flushedSinceInput = true;
    if (!call.descriptor.includes(`:${smtpPort}->`)) continue;
    const socket = sockets.get(call.descriptor) ?? { inData: false, flushedSinceInput: false };
    sockets.set(call.descriptor, socket);
    if (!acknowledges(call, socket)) continue;
    verdict.acknowledged += 1;
    if (!socket.flushedSinceInput) verdict.unflushed.push(`${call.descriptor} ${call.text.slice(0, 60)}`);
  }
  return verdict;
}

type SocketState = { inData: boolean; flushedSinceInput: boolean };

/** Follows the dialog on one socket. True at the 250 that ends DATA. */
function acknowledges(call: TracedCall, socket: SocketState): boolean {
  if (isInput(call)) socket.flushedSinceInput = false;
  if (says(call, 354)) socket.inData = true;
  if (!socket.inData || !says(call, 250)) return false;
  socket.inData = false;
  return true;
}

function isFlush({ name, descriptor, result }: TracedCall): boolean {
  return /^f(data)?sync$/.test(name) && /assay\.db(-wal)?$/.test(descriptor) && result === 0;
}

function isInput({ name, result }: TracedCall): boolean {
  return /^(read|readv|recvfrom)$/.test(name) && result > 0;
}

function says({ name, text }: TracedCall, code: number): boolean {
  return /^(write|writev|sendto|sendmsg)$/.test(name) && text.includes(`"${code}`);
}
