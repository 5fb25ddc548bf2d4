// What a person sees when the server is up: what to do first, where everything is, and a command that sends a message.

import type { Addresses } from "../../../platform/server.ts";
import type { Style } from "../../tests/formats/style.ts";

export type Started = Addresses & {
  readonly version: string;
  readonly startedInMs: number;
  /** No other machine can reach the SMTP listener. */
  readonly isSmtpLocal: boolean;
  /** A command line to paste. */
  readonly sampleCommand: string;
};

export function toWelcome(started: Started, style: Pick<Style, "paint" | "signs">): string {
  const { http, smtp, seedAddress, setUpLink, setUpCode, isSmtpLocal } = started;
  const { paint, signs } = style;
  const seconds = (started.startedInMs / 1_000).toFixed(1);
  const lead = (text: string) => `  ${paint("good", signs.arrow)}  ${paint("strong", text)}`;
  const link = (url: string) => paint("link", url);
  return [
    "",
    `  ${paint("strong", `Assay ${started.version}`)}  ${paint("good", `ready in ${seconds} s`)}`,
    "",
    ...(setUpLink === null
      ? [`${lead("Web  ")}  ${link(http)}`]
      : [
          `${lead("Finish setup")}  ${link(setUpLink)}`,
          paint("faint", "     The link works once and expires after 24 hours."),
          "",
          `     Web    ${link(http)}`,
          ...(setUpCode === null
            ? []
            : [`     Code   ${paint("strong", setUpCode)} (if you open the web address instead of the link)`]),
        ]),
    `     SMTP   ${smtp.join(", ")}${isSmtpLocal ? " (this machine only)" : ""}`,
    `     Inbox  ${seedAddress ?? "none yet. Create a seed address in Settings."}`,
    "",
    ...(seedAddress === null
      ? []
      : ["  Send a sample message from another terminal:", `     ${started.sampleCommand}`, ""]),
    paint("faint", "  Press Ctrl-C to stop."),
    "",
    "",
  ].join("\n");
}
