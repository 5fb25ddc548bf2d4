// What a file's name says and hides. Only the name is examined here.

import { fileKinds } from "./file-types-table.ts";
import type { MessagePart } from "./message.ts";

/** Lower case. Empty if there is none. Windows drops dots and blanks at the end of a name. */
export function endingOf(name: string): string {
  return /\.([^./\\\s]{1,20})[.\s]*$/.exec(visibleName(name))?.[1]?.toLowerCase() ?? "";
}

/** Without invisible characters, which would separate an extension from its dot. */
function visibleName(name: string): string {
  return name.slice(-300).replace(/[\p{Cf}\p{Cc}]/gu, "");
}

/** The extensions that count: both for `setup.exe.gz`. */
function endingsOf(name: string): string[] {
  const ending = endingOf(name);
  if (!compressedEndings.has(ending)) return ending === "" ? [] : [ending];
  const inner = endingOf(visibleName(name).replace(/\.[^.]*$/, ""));
  return inner === "" ? [ending] : [ending, inner];
}

export function refusedEnding(name: string, refused: ReadonlySet<string>): string | null {
  return endingsOf(name).find((ending) => refused.has(ending)) ?? null;
}

export function isArchiveName(name: string): boolean {
  return archiveEndings.has(endingOf(name));
}

/** `invoice.pdf.exe`: the real extension after one that readers trust. */
export function hiddenEnding(name: string): string | null {
  const visible = visibleName(name);
  const [, inner, last] = /\.([a-z0-9]{2,5})[\s_]{0,200}\.([a-z0-9]{1,10})[.\s]*$/i.exec(visible) ?? [];
  if (inner === undefined || last === undefined || !trustedEndings.has(inner.toLowerCase())) return null;
  const ending = last.toLowerCase();
  const isRisky = gmailRefuses.has(ending) || outlookBlocks.has(ending) || pageEndings.has(ending);
  return isRisky && ending !== inner.toLowerCase() ? ending : null;
}

/** Characters that reverse the reading direction: they display `gpj.exe` as `exe.jpg`. */
export function hasDirectionOverride(name: string): boolean {
  return /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/.test(name);
}

/** RFC 2231 allows none in a name. Long runs of blanks push the extension out of sight. */
export function hasHiddenCharacters(name: string): boolean {
  return /\p{Cc}|[\u200b-\u200d\u2060\ufeff\u00ad]|\s{20}/u.test(name);
}

// The name under which a part is saved: the message's own, without anything that a file system, a header or a reader
// could misread.

/** File systems allow 255. A browser adds a number if the name exists already. */
const maxBytes = 200;
const longestEnding = 12;

export function toDownloadName({ filename, path, type }: Pick<MessagePart, "filename" | "path" | "type">): string {
  return toSafeFileName(filename ?? "") || `part-${path.replaceAll(".", "-")}${endingFor(type)}`;
}

/** Empty if nothing is left. */
function toSafeFileName(written: string): string {
  const name = written
    // Controls, line ends, direction marks, invisible characters and halves of characters.
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[/\\:*?"<>|]/g, "_")
    .replace(/\s+/g, " ")
    // A leading dot hides a file or points to the parent folder. Windows drops a trailing one.
    .replace(/^[. ]+/, "")
    .replace(/(?<![. ])[. ]+$/, "");
  return Buffer.byteLength(name) > maxBytes ? shorten(name) : name;
}

/** The extension stays, because it shows the kind of file. */
function shorten(name: string): string {
  const ending = /\.[^. ]+$/.exec(name.slice(-longestEnding))?.[0] ?? "";
  const room = maxBytes - Buffer.byteLength(ending);
  // A character cut in half becomes a replacement character.
  const stem = Buffer.from(name)
    .subarray(0, room)
    .toString()
    .replace(/(?<!\ufffd)\ufffd+$/, "");
  return stem + ending;
}

function endingFor(type: string): string {
  const [ending] = fileKinds.find(({ mediaType }) => mediaType === type)?.extensions ?? [];
  return ending === undefined ? "" : `.${ending}`;
}

// File extensions that providers reject or hide, in lower case. Gmail: support.google.com/mail/answer/6590. Outlook:
// the blocked list of Outlook on the web (Set-OwaMailboxPolicy), with its additions of 2025. Microsoft rejects: the
// common attachments filter of Exchange Online Protection, which is on by default.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const gmailRefuses = words(`
  ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe hta img ins iso isp jar
  jnlp js jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 scr sct shb sys vb vbe vbs vhd vxd wsc wsf wsh xll
`);

export const outlookBlocks = words(`
  ade adp app application appref-ms asp aspx asx bas bat cdxml cer chm cmd cnt com cpl crt csh der diagcab exe fxp gadget
  grp hlp hpj hta htc inf ins isp its jar jnlp js jse ksh library-ms lnk mad maf mag mam maq mar mas mat mau mav maw mcf
  mda mdb mde mdt mdw mdz mht mhtml msc msh msh1 msh1xml msh2 msh2xml mshxml msi msp mst msu ops osd pcd pif pl plg prf
  prg ps1 ps1xml ps2 ps2xml psc1 psc2 pssc pst py pyc pyo pyw pyz pyzw reg scf scr sct search-ms shb shs theme tmp udl url
  vb vbe vbp vbs vhd vhdx vsmacros vsw webpnp website wsb ws wsc wsf wsh xbap xll xnk
`);

/** Outlook on the web blocks many others, too, but delivers the message. */
export const microsoftRejects = words(`
  ace ani apk app appx arj bat cab cmd com deb dex dll docm elf exe hta img iso jar jnlp kext lha lib library lnk lzh macho
  msc msi msix msp mst pif ppa ppam reg rev scf scr sct sys uif vb vbe vbs vxd wsc wsf wsh xll xz z
`);

/** Archives deliver the files inside them. */
const archiveEndings = words("zip 7z rar gz tgz bz2 tbz tbz2 xz txz zst tar cab ace arj lzh lha iso img");

/** Compression of a single file: the extension before it is the file's own. */
const compressedEndings = words("gz bz2 xz zst z");

/** HTML and SVG files, which phishers send. */
export const pageEndings = words("html htm shtml xhtml xht svg svgz mht mhtml");

/** Extensions that readers trust, which attackers put before the real one. */
const trustedEndings = words(
  "pdf doc docx xls xlsx ppt pptx odt ods odp rtf txt csv jpg jpeg png gif bmp tif tiff webp mp3 mp4 wav avi mov ics eml msg",
);

/** Office files that may contain macros, by type. */
export const macroEndings = words("docm dotm xlsm xltm xlam xlsb pptm potm ppsm ppam sldm");
