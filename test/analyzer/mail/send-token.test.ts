import { expect, test } from "vitest";
import {
  findSend,
  readMessageIdToken,
  readReturnPath,
  readSendToken,
  toReturnPath,
  toSendToken,
} from "../../../src/analyzer/mail/send-token.ts";
import { createId } from "../../../src/platform/ids.ts";

const key = Buffer.alloc(32, 1);
const sendId = createId("send", 1_800_000_000_000, Buffer.alloc(16, 5));

test("our return path identifies its send, in uppercase too", () => {
  const path = toReturnPath(sendId, "seed.example", key);
  expect(path.slice(0, path.indexOf("@")).length).toBeLessThanOrEqual(64);
  expect(readReturnPath(path, key)).toBe(sendId);
  expect(readReturnPath(path.toUpperCase(), key)).toBe(sendId);
});

test("our Message-ID identifies its send", () => {
  expect(readMessageIdToken(`${toSendToken(sendId, key)}@seed.example`, key)).toBe(sendId);
});

test("a token that was changed or signed with another key identifies nothing", () => {
  const token = toSendToken(sendId, key);
  expect(readSendToken(token, Buffer.alloc(32, 2))).toBeNull();
  for (let at = 0; at < token.length; at++) {
    const changed = `${token.slice(0, at)}${token[at] === "7" ? "8" : "7"}${token.slice(at + 1)}`;
    expect(readSendToken(changed, key), changed).toBeNull();
  }
  for (const other of ["", "bounce+@seed.example", "bounce+x-y@seed.example", `other+${token}@seed.example`])
    expect(readReturnPath(other, key)).toBeNull();
});

test("a bounce belongs to the send of its return path, or else to the send that it quotes", () => {
  const quoted = { originalMessageId: null, originalAssayId: toSendToken(sendId, key) };
  const nothing = { originalMessageId: null, originalAssayId: null };
  const path = toReturnPath(sendId, "seed.example", key);
  expect(findSend(["other@seed.example", path], nothing, key)).toEqual({ sendId, authenticated: true });
  expect(findSend(["other@seed.example"], quoted, key)).toEqual({ sendId, authenticated: false });
  const byMessageId = { ...nothing, originalMessageId: `${toSendToken(sendId, key)}@seed.example` };
  expect(findSend([], byMessageId, key)).toEqual({ sendId, authenticated: false });
  expect(findSend(["bounce+x@seed.example"], nothing, key)).toEqual({ sendId: null, authenticated: false });
});
