// Newsletters whose list server is a real HTTPS server on loopback, with a certificate that the test trusts, and a DKIM key in
// the zone.

import { createPublicKey, generateKeyPairSync } from "node:crypto";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { onTestFinished } from "vitest";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import { type Signer, signMessage } from "../../src/analyzer/mail/signing/sign-message.ts";
import { toKeyRecord, toPublicText } from "../../src/analyzer/mail/signing/signing-algorithms.ts";
import { createSelfSigned } from "../../src/platform/system/self-signed.ts";
import type { HttpWorldOptions } from "./http-world.ts";
import { worldWithCaller } from "./interface-world.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const signer: Signer = { domain: "news.example", selector: "s1", algorithm: "ed25519", privateKey };
const record = toKeyRecord({ ...signer, public_key: toPublicText(createPublicKey(privateKey)) });

export const listZone: Zone = {
  [record.name]: { TXT: [record.value] },
  "news.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] },
  "_dmarc.news.example": { TXT: ["v=DMARC1; p=reject"] },
  "unsub.example": { A: ["127.0.0.1"] },
  "other.example": { A: ["127.0.0.1"] },
};

export type Heard = { readonly method: string; readonly path: string; readonly body: string; readonly headers: object };

/** Ends with the test. `answer` gets each request after its body. */
export async function startListServer(answer: RequestListener) {
  const pair = createSelfSigned(["unsub.example"], Date.now());
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, pair.cert]);
  const heard: Heard[] = [];
  let connections = 0;
  const server = createServer(pair, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      heard.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  });
  server.on("connection", () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    setDefaultCACertificates(before);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { port, heard, connections: () => connections };
}

export type Letter = {
  readonly unsubscribe?: string;
  readonly post?: string | null;
  readonly listId?: string | null;
  readonly from?: string;
  readonly number?: number;
  readonly body?: string;
};

const usualBody =
  '<p>Hello.</p><p><a href="https://unsub.example/get?one=1">Unsubscribe</a> <img src="https://unsub.example/p.gif"></p>';

export function toLetter({ unsubscribe, post, listId, from, number = 1, body = usualBody }: Letter): Buffer {
  const fields = [
    `From: ${from ?? "News <news@news.example>"}`,
    "To: anyone@seed.example",
    `Subject: Our news ${number}`,
    "Date: Sat, 21 Nov 2026 06:00:00 +0000",
    `Message-ID: <${number}@news.example>`,
    "MIME-Version: 1.0",
    "Content-Type: text/html; charset=utf-8",
    ...(listId === null ? [] : [`List-Id: Our news <${listId ?? "weekly.news.example"}>`]),
    ...(unsubscribe === undefined ? [] : [`List-Unsubscribe: ${unsubscribe}`]),
    ...(post === null ? [] : [`List-Unsubscribe-Post: ${post ?? "List-Unsubscribe=One-Click"}`]),
  ];
  return Buffer.from(`${fields.join("\r\n")}\r\n\r\n${body}\r\n`);
}

export function signLetter(letter: Buffer): Buffer {
  return Buffer.from(signMessage(letter, [signer], Date.parse("2026-11-21T06:00:00Z")));
}

export async function openUnsubscribeWorld(options: HttpWorldOptions = {}) {
  const privateTargets = { all: false, networks: ["127.0.0.0/8"] };
  const world = await worldWithCaller({ privateTargets, ...options });
  world.internet.zone = listZone;
  /** A newsletter that arrived and was analyzed. */
  const arrive = async (letter: Letter, isSigned = true) => {
    const raw = toLetter(letter);
    const id = await world.receive(isSigned ? signLetter(raw) : raw);
    await world.analyzeAll();
    return id;
  };
  const read = async (id: string) => (await world.ask("GET", `/api/tests/${id}/unsubscribe`)).json;
  const click = (id: string, body: object = {}) => world.ask("POST", `/api/tests/${id}/unsubscribe`, body);
  return { ...world, arrive, read, click };
}
