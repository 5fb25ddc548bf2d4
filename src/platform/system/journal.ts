// The last log lines of the systemd unit. Fixed arguments, no shell, and only programs of the system.

import { execFile } from "node:child_process";

type JournalReading =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const unit = "assay.service";
const args = [`--unit=${unit}`, "--lines=500", "--no-pager", "--output=cat", "--quiet"];
const timeoutMs = 10_000;
const maxBytes = 4_194_304;

/** `program`: replaced by tests. */
export function readJournal(program = "journalctl"): Promise<JournalReading> {
  const options = { env: { PATH: "/usr/bin:/bin" }, timeout: timeoutMs, maxBuffer: maxBytes };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout) => {
      if (error) return resolve({ ok: false, problem: toProblem(error) });
      const lines = stdout.split("\n").filter((line) => line !== "");
      resolve(
        lines.length > 0
          ? { ok: true, lines }
          : { ok: false, problem: `The journal has no lines of ${unit} that this user may read.` },
      );
    });
  });
}

function toProblem({ code, killed }: { readonly code?: unknown; readonly killed?: boolean }): string {
  if (code === "ENOENT") return "This machine has no systemd journal (journalctl).";
  return killed ? "journalctl did not answer in time." : "journalctl failed.";
}
