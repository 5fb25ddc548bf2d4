// A client that performs the steps of a random session, whatever the server does, and returns every line that it
// received.

import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import type { Dice } from "../dice.ts";
import type { Step } from "./sessions.ts";

export type FuzzClient = {
  readonly take: (step: Step, dice: Dice) => Promise<void>;
  /** Every complete line from the server, after the connection has ended. */
  readonly finish: () => Promise<readonly string[]>;
};

export type From = { readonly host: string; readonly port: number; readonly localAddress: string };

const momentMs = 200;
const handshakeMs = 2_000;
const lastWordsMs = 2_000;

export async function openClient(from: From): Promise<FuzzClient> {
  const socket = connect({ ...from, noDelay: true });
  let speaking = socket;
  let heard = "";
  let isOver = false;
  let wake = () => {};
  const follow = (stream: Socket) => {
    stream.on("data", (chunk: Buffer) => {
      heard += chunk.toString("latin1");
      wake();
    });
    stream.on("error", () => {});
    stream.on("secureConnect", () => wake());
    stream.on("close", () => {
      isOver = true;
      wake();
    });
  };
  const news = (atMostMs: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, isOver ? 0 : atMostMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const write = async (bytes: string, dice: Dice) => {
    for (const piece of cut(bytes, dice)) {
      speaking.write(Buffer.from(piece, "latin1"));
      if (dice(3) === 0) await sleep(1);
    }
  };
  const startTls = async () => {
    socket.removeAllListeners("data");
    speaking = connectTls({ socket, rejectUnauthorized: false });
    follow(speaking);
    await news(handshakeMs);
  };
  follow(socket);
  return {
    take: async (step, dice) => {
      if (isOver) return;
      if (step.step === "write") await write(step.bytes, dice);
      else if (step.step === "wait") await news(momentMs);
      else if (step.step === "tls") await startTls();
      else if (step.step === "halfClose") speaking.end();
      else if (speaking === socket) socket.resetAndDestroy();
      else speaking.destroy();
    },
    finish: async () => {
      for (const deadline = Date.now() + lastWordsMs; !isOver && Date.now() < deadline; )
        await news(deadline - Date.now());
      speaking.destroy();
      socket.destroy();
      return heard.split("\r\n").slice(0, -1);
    },
  };
}

function cut(bytes: string, dice: Dice): readonly string[] {
  if (dice(2) === 0) return [bytes];
  const at = dice(bytes.length + 1);
  return [bytes.slice(0, at), bytes.slice(at)];
}
