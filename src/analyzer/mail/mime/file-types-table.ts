// The kinds of files in mail, detected by their first bytes. Rows with the same beginning are ordered from special to
// general. Rows without `magic` are recognized by name or by looking inside a container.

export type FileFamily =
  | "image"
  | "document"
  | "archive"
  | "program"
  | "disk-image"
  | "media"
  | "font"
  | "page"
  | "text"
  | "message"
  | "signature";

export type FileKind = {
  readonly name: string;
  readonly family: FileFamily;
  readonly mediaType: string;
  readonly alsoTypes?: readonly string[];
  readonly extensions: readonly string[];
  /** All must match. `text` is literal, `hex` is hexadecimal bytes. */
  readonly magic?: readonly { readonly at: number; readonly text?: string; readonly hex?: string }[];
};

const office = "application/vnd.openxmlformats-officedocument";
const open = "application/vnd.oasis.opendocument";

export const fileKinds: readonly FileKind[] = [
  {
    name: "PDF",
    family: "document",
    mediaType: "application/pdf",
    extensions: ["pdf"],
    magic: [{ at: 0, text: "%PDF-" }],
  },
  {
    name: "PostScript",
    family: "document",
    mediaType: "application/postscript",
    extensions: ["ps", "eps", "ai"],
    magic: [{ at: 0, text: "%!PS" }],
  },
  {
    name: "RTF",
    family: "document",
    mediaType: "application/rtf",
    alsoTypes: ["text/rtf"],
    extensions: ["rtf"],
    magic: [{ at: 0, text: "{\\rtf" }],
  },
  {
    name: "OneNote",
    family: "document",
    mediaType: "application/onenote",
    extensions: ["one"],
    magic: [{ at: 0, hex: "e4525c7b8cd8a74daeb15378d02996d3" }],
  },
  {
    name: "DjVu",
    family: "document",
    mediaType: "image/vnd.djvu",
    extensions: ["djvu"],
    magic: [{ at: 0, text: "AT&TFORM" }],
  },
  {
    name: "SQLite",
    family: "document",
    mediaType: "application/vnd.sqlite3",
    extensions: ["sqlite", "db"],
    magic: [{ at: 0, text: "SQLite format 3" }],
  },

  {
    name: "PNG",
    family: "image",
    mediaType: "image/png",
    extensions: ["png", "apng"],
    magic: [{ at: 0, hex: "89504e470d0a1a0a" }],
  },
  {
    name: "JPEG",
    family: "image",
    mediaType: "image/jpeg",
    alsoTypes: ["image/jpg", "image/pjpeg"],
    extensions: ["jpg", "jpeg", "jpe", "jfif"],
    magic: [{ at: 0, hex: "ffd8ff" }],
  },
  { name: "GIF", family: "image", mediaType: "image/gif", extensions: ["gif"], magic: [{ at: 0, text: "GIF8" }] },
  {
    name: "WebP",
    family: "image",
    mediaType: "image/webp",
    extensions: ["webp"],
    magic: [
      { at: 0, text: "RIFF" },
      { at: 8, text: "WEBP" },
    ],
  },
  { name: "AVIF", family: "image", mediaType: "image/avif", extensions: ["avif"], magic: [{ at: 4, text: "ftypavi" }] },
  {
    name: "HEIC",
    family: "image",
    mediaType: "image/heic",
    alsoTypes: ["image/heif"],
    extensions: ["heic", "heif"],
    magic: [{ at: 4, text: "ftyphe" }],
  },
  {
    name: "HEIC",
    family: "image",
    mediaType: "image/heic",
    extensions: ["heic"],
    magic: [{ at: 4, text: "ftypmif1" }],
  },
  {
    name: "JPEG XL",
    family: "image",
    mediaType: "image/jxl",
    extensions: ["jxl"],
    magic: [{ at: 0, hex: "0000000c4a584c20" }],
  },
  {
    name: "TIFF",
    family: "image",
    mediaType: "image/tiff",
    extensions: ["tif", "tiff"],
    magic: [{ at: 0, hex: "49492a00" }],
  },
  {
    name: "TIFF",
    family: "image",
    mediaType: "image/tiff",
    extensions: ["tif", "tiff"],
    magic: [{ at: 0, hex: "4d4d002a" }],
  },
  {
    name: "BMP",
    family: "image",
    mediaType: "image/bmp",
    extensions: ["bmp"],
    magic: [
      { at: 0, text: "BM" },
      { at: 6, hex: "00000000" },
    ],
  },
  {
    name: "icon",
    family: "image",
    mediaType: "image/vnd.microsoft.icon",
    alsoTypes: ["image/x-icon"],
    extensions: ["ico"],
    magic: [
      { at: 0, hex: "00000100" },
      { at: 5, hex: "00" },
    ],
  },
  {
    name: "Photoshop",
    family: "image",
    mediaType: "image/vnd.adobe.photoshop",
    extensions: ["psd"],
    magic: [{ at: 0, text: "8BPS" }],
  },

  {
    name: "7z",
    family: "archive",
    mediaType: "application/x-7z-compressed",
    extensions: ["7z"],
    magic: [{ at: 0, hex: "377abcaf271c" }],
  },
  {
    name: "RAR",
    family: "archive",
    mediaType: "application/vnd.rar",
    alsoTypes: ["application/x-rar-compressed", "application/x-rar"],
    extensions: ["rar"],
    magic: [{ at: 0, hex: "526172211a07" }],
  },
  {
    name: "gzip",
    family: "archive",
    mediaType: "application/gzip",
    alsoTypes: ["application/x-gzip"],
    extensions: ["gz", "tgz"],
    magic: [{ at: 0, hex: "1f8b08" }],
  },
  {
    name: "bzip2",
    family: "archive",
    mediaType: "application/x-bzip2",
    alsoTypes: ["application/x-bzip"],
    extensions: ["bz2", "tbz", "tbz2"],
    magic: [
      { at: 0, text: "BZh" },
      { at: 4, hex: "314159265359" },
    ],
  },
  {
    name: "xz",
    family: "archive",
    mediaType: "application/x-xz",
    extensions: ["xz", "txz"],
    magic: [{ at: 0, hex: "fd377a585a00" }],
  },
  {
    name: "Zstandard",
    family: "archive",
    mediaType: "application/zstd",
    extensions: ["zst"],
    magic: [{ at: 0, hex: "28b52ffd" }],
  },
  {
    name: "tar",
    family: "archive",
    mediaType: "application/x-tar",
    extensions: ["tar"],
    magic: [{ at: 257, text: "ustar" }],
  },
  {
    name: "cabinet",
    family: "archive",
    mediaType: "application/vnd.ms-cab-compressed",
    extensions: ["cab"],
    magic: [{ at: 0, text: "MSCF" }],
  },
  {
    name: "ACE",
    family: "archive",
    mediaType: "application/x-ace-compressed",
    extensions: ["ace"],
    magic: [{ at: 7, text: "**ACE**" }],
  },
  {
    name: "ARJ",
    family: "archive",
    mediaType: "application/x-arj",
    extensions: ["arj"],
    magic: [{ at: 0, hex: "60ea" }],
  },
  {
    name: "LHA",
    family: "archive",
    mediaType: "application/x-lzh-compressed",
    extensions: ["lzh", "lha"],
    magic: [
      { at: 2, text: "-lh" },
      { at: 6, text: "-" },
    ],
  },
  {
    name: "Debian package",
    family: "program",
    mediaType: "application/vnd.debian.binary-package",
    extensions: ["deb"],
    magic: [{ at: 0, text: "!<arch>\ndebian" }],
  },

  {
    name: "Windows program",
    family: "program",
    mediaType: "application/vnd.microsoft.portable-executable",
    alsoTypes: ["application/x-msdownload", "application/x-dosexec", "application/x-msdos-program"],
    extensions: ["exe", "dll", "scr", "cpl", "sys", "com", "pif"],
    magic: [{ at: 0, text: "MZ" }],
  },
  {
    name: "ELF program",
    family: "program",
    mediaType: "application/x-elf",
    alsoTypes: ["application/x-executable", "application/x-sharedlib"],
    extensions: ["elf", "so"],
    magic: [{ at: 0, hex: "7f454c46" }],
  },
  {
    name: "Mach-O program",
    family: "program",
    mediaType: "application/x-mach-binary",
    extensions: ["dylib"],
    magic: [{ at: 0, hex: "cafebabe00000002" }],
  },
  {
    name: "Java class",
    family: "program",
    mediaType: "application/java-vm",
    extensions: ["class"],
    magic: [{ at: 0, hex: "cafebabe" }],
  },
  {
    name: "Mach-O program",
    family: "program",
    mediaType: "application/x-mach-binary",
    extensions: ["dylib"],
    magic: [{ at: 0, hex: "cffaedfe" }],
  },
  {
    name: "Mach-O program",
    family: "program",
    mediaType: "application/x-mach-binary",
    extensions: ["dylib"],
    magic: [{ at: 0, hex: "cefaedfe" }],
  },
  {
    name: "WebAssembly",
    family: "program",
    mediaType: "application/wasm",
    extensions: ["wasm"],
    magic: [{ at: 0, hex: "0061736d" }],
  },
  {
    name: "Windows shortcut",
    family: "program",
    mediaType: "application/x-ms-shortcut",
    extensions: ["lnk"],
    magic: [{ at: 0, hex: "4c0000000114020000000000c000000000000046" }],
  },
  {
    name: "Windows help",
    family: "program",
    mediaType: "application/vnd.ms-htmlhelp",
    extensions: ["chm"],
    magic: [{ at: 0, text: "ITSF" }],
  },
  { name: "Windows installer", family: "program", mediaType: "application/x-msi", extensions: ["msi", "msp", "mst"] },
  { name: "Java archive", family: "program", mediaType: "application/java-archive", extensions: ["jar"] },
  {
    name: "Android package",
    family: "program",
    mediaType: "application/vnd.android.package-archive",
    extensions: ["apk"],
  },
  {
    name: "Windows app package",
    family: "program",
    mediaType: "application/appx",
    extensions: ["appx", "msix", "appxbundle", "msixbundle"],
  },

  {
    name: "ISO image",
    family: "disk-image",
    mediaType: "application/x-iso9660-image",
    extensions: ["iso", "img"],
    magic: [{ at: 32_769, text: "CD001" }],
  },
  {
    name: "virtual disk",
    family: "disk-image",
    mediaType: "application/x-vhd",
    extensions: ["vhd"],
    magic: [{ at: 0, text: "conectix" }],
  },
  {
    name: "virtual disk",
    family: "disk-image",
    mediaType: "application/x-vhdx",
    extensions: ["vhdx"],
    magic: [{ at: 0, text: "vhdxfile" }],
  },
  { name: "macOS disk image", family: "disk-image", mediaType: "application/x-apple-diskimage", extensions: ["dmg"] },

  {
    name: "Word (OOXML)",
    family: "document",
    mediaType: `${office}.wordprocessingml.document`,
    alsoTypes: ["application/vnd.ms-word.document.macroenabled.12"],
    extensions: ["docx", "docm", "dotx", "dotm"],
  },
  {
    name: "Excel (OOXML)",
    family: "document",
    mediaType: `${office}.spreadsheetml.sheet`,
    alsoTypes: ["application/vnd.ms-excel.sheet.macroenabled.12"],
    extensions: ["xlsx", "xlsm", "xltx", "xltm", "xlsb", "xlam"],
  },
  {
    name: "PowerPoint (OOXML)",
    family: "document",
    mediaType: `${office}.presentationml.presentation`,
    alsoTypes: ["application/vnd.ms-powerpoint.presentation.macroenabled.12"],
    extensions: ["pptx", "pptm", "ppsx", "ppsm", "potx", "potm", "ppam"],
  },
  { name: "OpenDocument text", family: "document", mediaType: `${open}.text`, extensions: ["odt", "ott"] },
  {
    name: "OpenDocument spreadsheet",
    family: "document",
    mediaType: `${open}.spreadsheet`,
    extensions: ["ods", "ots"],
  },
  {
    name: "OpenDocument presentation",
    family: "document",
    mediaType: `${open}.presentation`,
    extensions: ["odp", "otp"],
  },
  { name: "OpenDocument", family: "document", mediaType: open, extensions: ["odg", "odf", "odb"] },
  { name: "EPUB", family: "document", mediaType: "application/epub+zip", extensions: ["epub"] },
  { name: "Apple pass", family: "document", mediaType: "application/vnd.apple.pkpass", extensions: ["pkpass"] },
  {
    name: "Apple iWork",
    family: "document",
    mediaType: "application/vnd.apple.pages",
    alsoTypes: ["application/vnd.apple.numbers", "application/vnd.apple.keynote"],
    extensions: ["pages", "numbers", "key"],
  },
  { name: "Word", family: "document", mediaType: "application/msword", extensions: ["doc", "dot"] },
  { name: "Excel", family: "document", mediaType: "application/vnd.ms-excel", extensions: ["xls", "xlt"] },
  {
    name: "PowerPoint",
    family: "document",
    mediaType: "application/vnd.ms-powerpoint",
    extensions: ["ppt", "pps", "pot"],
  },
  { name: "Outlook message", family: "message", mediaType: "application/vnd.ms-outlook", extensions: ["msg"] },
  { name: "encrypted Office", family: "document", mediaType: "application/x-ole-storage", extensions: [] },
  {
    name: "OLE file",
    family: "document",
    mediaType: "application/x-ole-storage",
    extensions: [],
    magic: [{ at: 0, hex: "d0cf11e0a1b11ae1" }],
  },
  {
    name: "ZIP",
    family: "archive",
    mediaType: "application/zip",
    alsoTypes: ["application/x-zip-compressed"],
    extensions: ["zip"],
    magic: [{ at: 0, hex: "504b0304" }],
  },
  {
    name: "ZIP",
    family: "archive",
    mediaType: "application/zip",
    extensions: ["zip"],
    magic: [{ at: 0, hex: "504b0506" }],
  },

  { name: "MP3", family: "media", mediaType: "audio/mpeg", extensions: ["mp3"], magic: [{ at: 0, text: "ID3" }] },
  { name: "MP3", family: "media", mediaType: "audio/mpeg", extensions: ["mp3"], magic: [{ at: 0, hex: "fffb" }] },
  {
    name: "WAV",
    family: "media",
    mediaType: "audio/wav",
    alsoTypes: ["audio/x-wav"],
    extensions: ["wav"],
    magic: [
      { at: 0, text: "RIFF" },
      { at: 8, text: "WAVE" },
    ],
  },
  {
    name: "AVI",
    family: "media",
    mediaType: "video/x-msvideo",
    extensions: ["avi"],
    magic: [
      { at: 0, text: "RIFF" },
      { at: 8, text: "AVI " },
    ],
  },
  {
    name: "Ogg",
    family: "media",
    mediaType: "audio/ogg",
    alsoTypes: ["application/ogg", "video/ogg"],
    extensions: ["ogg", "oga", "ogv", "opus"],
    magic: [{ at: 0, text: "OggS" }],
  },
  { name: "FLAC", family: "media", mediaType: "audio/flac", extensions: ["flac"], magic: [{ at: 0, text: "fLaC" }] },
  { name: "AMR", family: "media", mediaType: "audio/amr", extensions: ["amr"], magic: [{ at: 0, text: "#!AMR" }] },
  {
    name: "MP4",
    family: "media",
    mediaType: "video/mp4",
    alsoTypes: ["audio/mp4", "video/quicktime", "audio/x-m4a"],
    extensions: ["mp4", "m4a", "m4v", "mov", "3gp"],
    magic: [{ at: 4, text: "ftyp" }],
  },
  {
    name: "Matroska",
    family: "media",
    mediaType: "video/x-matroska",
    alsoTypes: ["video/webm"],
    extensions: ["mkv", "webm"],
    magic: [{ at: 0, hex: "1a45dfa3" }],
  },

  { name: "WOFF", family: "font", mediaType: "font/woff", extensions: ["woff"], magic: [{ at: 0, text: "wOFF" }] },
  { name: "WOFF2", family: "font", mediaType: "font/woff2", extensions: ["woff2"], magic: [{ at: 0, text: "wOF2" }] },
  { name: "OpenType", family: "font", mediaType: "font/otf", extensions: ["otf"], magic: [{ at: 0, text: "OTTO" }] },

  {
    name: "TNEF",
    family: "message",
    mediaType: "application/ms-tnef",
    alsoTypes: ["application/vnd.ms-tnef"],
    extensions: [],
    magic: [{ at: 0, hex: "789f3e22" }],
  },
  {
    name: "PGP message",
    family: "signature",
    mediaType: "application/pgp-encrypted",
    extensions: ["pgp", "asc", "gpg"],
    magic: [{ at: 0, text: "-----BEGIN PGP" }],
  },
  {
    name: "certificate",
    family: "signature",
    mediaType: "application/x-x509-ca-cert",
    extensions: ["crt", "cer", "pem"],
    magic: [{ at: 0, text: "-----BEGIN CERT" }],
  },
  {
    name: "S/MIME",
    family: "signature",
    mediaType: "application/pkcs7-signature",
    alsoTypes: ["application/x-pkcs7-signature", "application/pkcs7-mime", "application/x-pkcs7-mime"],
    extensions: ["p7s", "p7m"],
  },

  {
    name: "HTML",
    family: "page",
    mediaType: "text/html",
    alsoTypes: ["application/xhtml+xml"],
    extensions: ["html", "htm", "shtml", "xhtml", "xht", "mht", "mhtml"],
  },
  { name: "SVG", family: "page", mediaType: "image/svg+xml", extensions: ["svg", "svgz"] },
  { name: "HTML application", family: "program", mediaType: "application/hta", extensions: ["hta"] },
  { name: "Windows script", family: "program", mediaType: "application/x-wsf", extensions: ["wsf", "sct", "wsc"] },
  { name: "Windows link", family: "program", mediaType: "application/x-mswinurl", extensions: ["url"] },
  {
    name: "shell script",
    family: "program",
    mediaType: "text/x-shellscript",
    alsoTypes: ["application/x-sh"],
    extensions: ["sh", "bash"],
  },
  { name: "calendar", family: "text", mediaType: "text/calendar", alsoTypes: ["application/ics"], extensions: ["ics"] },
  {
    name: "business card",
    family: "text",
    mediaType: "text/vcard",
    alsoTypes: ["text/x-vcard", "text/directory"],
    extensions: ["vcf"],
  },
  { name: "mail message", family: "message", mediaType: "message/rfc822", extensions: ["eml"] },
  {
    name: "XML",
    family: "text",
    mediaType: "application/xml",
    alsoTypes: ["text/xml"],
    extensions: ["xml", "xsd", "xsl"],
  },
  { name: "JSON", family: "text", mediaType: "application/json", extensions: ["json"] },
  { name: "CSV", family: "text", mediaType: "text/csv", extensions: ["csv", "tsv"] },
  {
    name: "text",
    family: "text",
    mediaType: "text/plain",
    alsoTypes: ["text/markdown", "text/css"],
    extensions: ["txt", "log", "md", "css", "diff", "patch"],
  },
];

/** The beginning of a text, in lower case without white space. The first match counts. */
export const textBeginnings: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: "HTML application", pattern: /^[\s\S]{0,900}<hta:application/ },
  {
    kind: "SVG",
    pattern: /^(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,400}-->\s*)?(?:<!doctype svg[^>]{0,300}>\s*)?<svg[\s>]/,
  },
  {
    kind: "HTML",
    pattern:
      /^(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,400}-->\s*)?<(?:!doctype html|html|head|body|script|title|meta|iframe|form|table|a\s)/,
  },
  { kind: "Windows script", pattern: /^(?:<\?xml[^>]{0,200}>\s*)?<(?:job|package|scriptlet|component)[\s>]/ },
  { kind: "calendar", pattern: /^begin:vcalendar/ },
  { kind: "business card", pattern: /^begin:vcard/ },
  { kind: "Windows link", pattern: /^\[internetshortcut\]/ },
  { kind: "shell script", pattern: /^#!\s?\/(?:usr\/)?bin\// },
  {
    kind: "mail message",
    pattern:
      /^(?:received|return-path|delivered-to|from|date|subject|message-id|mime-version|x-[\w-]{1,40}): [^\n]*\n(?:[\w-]{1,40}:|\s)/,
  },
  { kind: "XML", pattern: /^<\?xml/ },
];
