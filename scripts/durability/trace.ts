// strace's text → calls in the order in which they ended, and the one question asked of them.

export type TracedCall = {
  readonly name: string;
  /** What strace's -yy says of the descriptor: a path, or TCP:[local->remote]. */
  readonly descriptor: string;
  readonly text: string;
  readonly result: number;
};

/** A call that another thread interrupted stands in two lines; it counts where it ended. */
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
      calls.push({
        name: call[1] ?? "",
        descriptor: call[2] ?? "",
        text: call[3] ?? "",
        result: Number(call[4]),
      });
  }
  return calls;
}

export type FlushVerdict = { readonly acknowledged: number; readonly unflushed: readonly string[] };

/** For each message: after the last input on its socket and before its 250, did a flush of the database end well? */
export function findUnflushed(calls: readonly TracedCall[], smtpPort: number): FlushVerdict {
  const inData = new Set<string>();
  const flushedSinceInput = new Map<string, boolean>();
  const unflushed: string[] = [];
  let acknowledged = 0;
  for (const { name, descriptor, text, result } of calls) {
    if (/^(fdatasync|fsync)$/.test(name) && /assay\.db(-wal)?$/.test(descriptor) && result === 0) {
      for (const socket of flushedSinceInput.keys()) flushedSinceInput.set(socket, true);
    } else if (descriptor.includes(`:${smtpPort}->`) && /^(read|readv|recvfrom)$/.test(name) && result > 0) {
      flushedSinceInput.set(descriptor, false);
    } else if (descriptor.includes(`:${smtpPort}->`) && /^(write|writev|sendto|sendmsg)$/.test(name)) {
      if (/"354/.test(text)) inData.add(descriptor);
      else if (/"250/.test(text) && inData.delete(descriptor)) {
        acknowledged += 1;
        if (!flushedSinceInput.get(descriptor)) unflushed.push(`${descriptor} ${text.slice(0, 60)}`);
      }
    }
  }
  return { acknowledged, unflushed };
}
