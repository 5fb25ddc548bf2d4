import { expect, test } from "vitest";
import { createDataReader, type Heard } from "../../../../src/features/intake/smtp/data-reader.ts";
import { createMessageMemory } from "../../../../src/features/intake/smtp/message-memory.ts";

type Outcome = { heard: string | Exclude<Heard["outcome"], "message">; behind: string } | "still reading";

function read(pieces: readonly string[], maxBytes = 1_000_000, memory = createMessageMemory(10_000_000)): Outcome {
  const reader = createDataReader({ maxBytes, memory });
  for (const [index, piece] of pieces.entries()) {
    const used = reader.feed(Buffer.from(piece, "latin1"));
    if (used === null) continue;
    const heard = reader.heard();
    const behind = piece.slice(used) + pieces.slice(index + 1).join("");
    if (heard.outcome !== "message") return { heard: heard.outcome, behind };
    const text = Buffer.from(heard.raw).toString("latin1");
    reader.release();
    return { heard: text, behind };
  }
  return "still reading";
}

/** The same rule, written differently. */
function expected(wire: string): Outcome {
  const begun = `\r\n${wire}`;
  const end = begun.indexOf("\r\n.\r\n");
  if (end < 0) return "still reading";
  const heard = begun.slice(2, end + 2);
  return { heard: `\r\n${heard}`.replaceAll("\r\n.", "\r\n").slice(2), behind: begun.slice(end + 5) };
}

const samples = [
  ".\r\n",
  "\r\n.\r\n",
  "Subject: x\r\n\r\nbody\r\n.\r\nQUIT\r\n",
  "..\r\n.\r\n",
  ".a\r\n..b\r\n...c\r\n.\r\n",
  "a\n..b\r\n.\r\n",
  "a\n.\nb\n.\r\nc\r\n.\nd\r.\re\r\n.\rf\r.\r\ng\r\n\0.\r\nh\r\r\n.\r\nbehind",
  "a\r\n.\r\r\n.\r\n",
  "\r\r\n.\r\n",
  "\xff\xfe\0\r\n.\r\n",
  "no end\r\n.\n",
];

test.each(samples)("the data %j gives the same message for any segments", (wire) => {
  const whole = read([wire]);
  expect(whole).toEqual(expected(wire));
  for (let cut = 1; cut < wire.length; cut++) {
    expect(read([wire.slice(0, cut), wire.slice(cut)])).toEqual(whole);
  }
  expect(read([...wire])).toEqual(whole);
});

test("ten thousand random streams are parsed according to the rule", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed % below;
  };
  for (let round = 0; round < 10_000; round++) {
    let wire = "";
    while (random(12) > 0) wire += ["\r", "\n", ".", "\r\n", "\r\n.", "x"][random(6)];
    wire += "\r\n.\r\nbehind";
    const cut = random(wire.length);
    expect(read([wire.slice(0, cut), wire.slice(cut)]), JSON.stringify(wire)).toEqual(expected(wire));
  }
});

test("a message at the size limit is accepted, and one byte more is read to its end and rejected", () => {
  expect(read(["123\r\n.\r\n"], 5)).toEqual({ heard: "123\r\n", behind: "" });
  expect(read(["1234\r\n", "more\r\n.\r\nRSET"], 5)).toEqual({ heard: "tooBig", behind: "RSET" });
});

test("memory for messages grows with the received bytes, has a limit, and is returned once", () => {
  const memory = createMessageMemory(10_000);
  const first = createDataReader({ maxBytes: 100_000, memory });
  first.feed(Buffer.alloc(8_000, "x"));
  expect(read(["x".repeat(4_000), "\r\n.\r\n"], 100_000, memory)).toEqual({ heard: "noMemory", behind: "" });
  first.release();
  first.release();
  const whole = "x".repeat(8_000);
  expect(read([whole, "\r\n.\r\n"], 100_000, memory)).toEqual({ heard: `${whole}\r\n`, behind: "" });
  const second = createDataReader({ maxBytes: 100_000, memory });
  second.feed(Buffer.alloc(8_000, "y"));
  expect(read(["x", "\r\n.\r\n"], 100_000, memory)).toEqual({ heard: "noMemory", behind: "" });
});

test("a message's buffer is reused only after it was returned and is no longer read", () => {
  const memory = createMessageMemory(1_000_000);
  const hear = (text: string) => {
    const reader = createDataReader({ maxBytes: 100_000, memory });
    reader.feed(Buffer.from(`${text}\r\n.\r\n`));
    const heard = reader.heard();
    const words = () => (heard.outcome === "message" ? Buffer.from(heard.raw).toString().trimEnd() : "");
    return { reader, words };
  };
  const kept = hear("first");
  hear("second").reader.release();
  expect(kept.words()).toBe("first");
  kept.reader.abandon();
  kept.reader.release();
  hear("third");
  hear("fourth");
  expect(kept.words()).toBe("first");
});
