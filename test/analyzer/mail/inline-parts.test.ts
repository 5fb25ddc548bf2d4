import { expect, test } from "vitest";
import { readInlineParts } from "../../../src/analyzer/mail/content.ts";
import { parseMessage } from "../../../src/analyzer/mail/mime/parse.ts";
import { base64, letter, multipart, ordinaryHead, part } from "./letter.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d", "hex");

function partsOf(...headers: readonly (readonly string[])[]) {
  const page = part(["Content-Type: text/html"], "<p>x");
  const files = headers.map((each) => part([...each, "Content-Transfer-Encoding: base64"], base64(png)));
  const raw = letter(...ordinaryHead, multipart("related", "r", page, ...files));
  return readInlineParts(raw, parseMessage(raw));
}

test("an image is found by its Content-ID, even if its address is escaped", () => {
  const { find, lookUp } = partsOf(["Content-Type: image/png", "Content-ID: <a%b@x y>"]);
  expect(find("a%b@x y")).toMatchObject({ type: "image/png", bytes: png });
  expect(find("a%25b@x%20y")).not.toBeNull();
  expect(lookUp("a%25b@x%20y")).toEqual({ type: "image/png", sizeBytes: png.length });
  expect([find("a"), find("%"), find("%zz"), lookUp("")]).toEqual([null, null, null, null]);
});

test("an image sent as application/octet-stream is found, and the first of two with one name counts", () => {
  const { find, lookUp } = partsOf(
    ["Content-Type: application/octet-stream", "Content-ID: <a>"],
    ["Content-Type: image/gif", "Content-ID: <a>"],
  );
  expect(find("a")?.type).toBe("image/png");
  expect(lookUp("a")?.type).toBe("application/octet-stream");
});
