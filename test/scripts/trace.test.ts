import { expect, test } from "vitest";
import { findUnflushed, parseTrace } from "../../scripts/chaos/trace.ts";

const socket = "23<TCP:[127.0.0.1:2525->127.0.0.1:5000]>";
const input = `7 read(${socket}, "hello\\r\\n.\\r\\n", 65536) = 10`;
const goAhead = `7 write(${socket}, "354 End data\\r\\n", 14) = 14`;
const flush = "7 fdatasync(20</var/lib/assay/assay.db-wal>) = 0";
const taken = `7 write(${socket}, "250 2.0.0 kept\\r\\n", 16) = 16`;
const verdict = (...lines: string[]) => findUnflushed(parseTrace(lines.join("\n")), 2525);

test("a flush between the last input and the acknowledgement is detected", () => {
  expect(verdict(goAhead, input, flush, taken)).toEqual({ acknowledged: 1, unflushed: [] });
});

test("an acknowledgement without a flush after the last input is reported", () => {
  expect(verdict(goAhead, input, taken).unflushed).toHaveLength(1);
  expect(verdict(goAhead, flush, input, taken).unflushed).toHaveLength(1);
});

test("a flush of another file, or a failed one, does not count", () => {
  expect(verdict(goAhead, input, flush.replace("assay.db-wal", "other"), taken).unflushed).toHaveLength(1);
  expect(verdict(goAhead, input, flush.replace("= 0", "= -1 EIO (Input/output error)"), taken).unflushed).toHaveLength(
    1,
  );
});

test("a flush interrupted by another thread counts where it ended", () => {
  const begun = "7 fdatasync(20</var/lib/assay/assay.db-wal> <unfinished ...>";
  const resumed = "7 <... fdatasync resumed>) = 0";
  expect(verdict(goAhead, input, begun, "8 read(3<pipe>) = 1", resumed, taken).unflushed).toEqual([]);
  expect(verdict(goAhead, input, begun, taken, resumed).unflushed).toHaveLength(1);
});
