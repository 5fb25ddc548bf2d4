// Answers told apart as RFC 9112 §6 has it, from all that a connection said.

import type { AnswerSeen } from "./contract.ts";

export type RawAnswer = AnswerSeen & { readonly reason: string };

/** Throws where what was said is not a row of whole answers. `methods`: of the requests, for HEAD has no body. */
export function parseAnswers(heard: string, methods: readonly string[] = []): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = heard; rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const [, status, reason = ""] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(first) ?? [];
    if (end === -1 || status === undefined) throw new Error(`This is no answer: ${JSON.stringify(rest.slice(0, 200))}`);
    const headers = new Headers(
      lines.map((line): [string, string] => [
        line.slice(0, line.indexOf(":")),
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
    );
    const after = rest.slice(end + 4);
    if (status === "100") {
      rest = after;
      continue;
    }
    const isHead = methods[answers.length] === "HEAD";
    const { text, left } =
      isHead || status === "204" || status === "304" ? { text: "", left: after } : takeBody(headers, after);
    answers.push({ status: Number(status), reason, headers, text });
    rest = left;
  }
  return answers;
}

function takeBody(headers: Headers, after: string): { text: string; left: string } {
  const length = headers.get("content-length");
  if (length !== null) {
    const text = after.slice(0, Number(length));
    if (text.length !== Number(length)) throw new Error(`A body of ${length} bytes has ${text.length}.`);
    return { text, left: after.slice(text.length) };
  }
  if (headers.get("transfer-encoding") !== "chunked") return { text: after, left: "" };
  let text = "";
  for (let rest = after; ; ) {
    const [line, size = ""] = /^([0-9a-f]+)\r\n/i.exec(rest) ?? [];
    if (line === undefined) throw new Error("A body's chunks do not end.");
    const sizeBytes = Number.parseInt(size, 16);
    text += rest.slice(line.length, line.length + sizeBytes);
    rest = rest.slice(line.length + sizeBytes + 2);
    if (sizeBytes === 0) return { text, left: rest };
  }
}
