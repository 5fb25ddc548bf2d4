// Saves a signed report from a server, byte for byte: options of `assay report`.

import type { Arguments } from "../../../platform/cli/command.ts";
import type { Server } from "../../../platform/cli/server.ts";
import { Refusal } from "../../../platform/errors.ts";
import { type ReportSaver, saveFile } from "../../tests/command/output-options.ts";
import { readReportFile, readSignedReport } from "../contract.ts";
import type { Copy } from "../rules/statement.ts";

type SignedOptions = {
  readonly path: string;
  readonly isHtml: boolean;
  readonly redact: Copy;
  readonly message: "0" | "1";
};

export const saver: ReportSaver = {
  options: {
    signed: {
      value: "file",
      doc: "Also save the signed report to this file, for assay verify. Its extension is .html or .json.",
    },
    without: {
      value: "what",
      doc: "For --signed: leaves out recipients, or body (recipients and what quotes the body).",
    },
    "with-message": { doc: "For --signed: includes the original message." },
  },
  read: (args) => {
    const signed = readSignedOptions(args);
    return signed && { path: signed.path, save: (server, id) => saveSigned(server, id, signed) };
  },
};

/** Null if no signed report is wanted. */
function readSignedOptions(args: Arguments): SignedOptions | null {
  const [path, without] = [args.option("signed"), args.option("without")];
  const withMessage = args.flag("with-message");
  if (path === undefined) {
    if (without === undefined && !withMessage) return null;
    throw new Refusal("invalid_request", "--without and --with-message need --signed <file>.");
  }
  if (!/\.(?:html|json)$/i.test(path))
    throw new Refusal("invalid_request", "--signed needs a file name that ends with .html or .json.");
  if (without !== undefined && without !== "recipients" && without !== "body")
    throw new Refusal("invalid_request", "--without must be recipients or body.");
  if (without !== undefined && withMessage)
    throw new Refusal("invalid_request", "--with-message cannot be combined with --without.");
  const isHtml = /\.html$/i.test(path);
  return { path, isHtml, redact: without ?? "none", message: withMessage ? "1" : "0" };
}

async function saveSigned(server: Server, id: string, { path, isHtml, redact, message }: SignedOptions): Promise<void> {
  const given = { params: { id }, query: { redact, message } };
  const text = isHtml ? await server.download(readReportFile, given) : await server.download(readSignedReport, given);
  await saveFile(path, text);
}
