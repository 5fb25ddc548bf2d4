// Fake signatures with valid syntax, so that all of the work is done before they fail.

import { createHash } from "node:crypto";

type Trap = {
  readonly domain?: string;
  readonly length?: number;
  readonly headers?: string;
  /** The hash matches this body, so that the checks after it run too. */
  readonly body?: string;
};

/** The zone has a key for each selector. */
export function signature(index: number, { domain = "sender.example", length, headers, body }: Trap = {}): string {
  const hash = hashOf(body ?? String(index));
  const limit = length === undefined ? "" : ` l=${length};`;
  return `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=s${index % 50};${limit}\r\n h=${headers ?? "from:to:subject"}; bh=${hash};\r\n b=${"A".repeat(340)}==\r\n`;
}

export function arcSet(instance: number, body = "", padding = ""): string {
  const tags = `i=${instance}; a=rsa-sha256; d=sender.example; s=s${instance % 50}`;
  const value = `b=${"A".repeat(340)}==`;
  return (
    `ARC-Seal: ${tags}; cv=${instance === 1 ? "none" : "pass"}; t=1; ${value}\r\n` +
    `ARC-Message-Signature: ${tags}; c=relaxed/relaxed; h=from; bh=${hashOf(body)}; ${value}\r\n` +
    `ARC-Authentication-Results: i=${instance}; mx.example; spf=pass${padding}\r\n`
  );
}

function hashOf(body: string): string {
  return createHash("sha256").update(body).digest("base64");
}
