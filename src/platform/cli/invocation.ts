import { isSea } from "node:sea";

/** What people type to run a command, because a clone has no program called assay. */
export const program = isSea() ? "assay" : "npm run -s assay --";
export const startCommand = isSea() ? "assay serve" : "npm start";
/** What comes before further arguments of `startCommand`. */
export const startArguments = isSea() ? startCommand : `${startCommand} --`;

/** Puts what people really type in place of "assay". */
export function toTyped(commandLine: string): string {
  return commandLine.replace(/(^| )assay /, `$1${program} `);
}

/** Quoted as one word for a shell. */
export function toShellWord(text: string): string {
  return /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
