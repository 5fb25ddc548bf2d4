// Endings of files that providers refuse or hide, in lower case. Gmail: support.google.com/mail/answer/6590. Outlook:
// the blocked list of Outlook on the web (Set-OwaMailboxPolicy), with its additions of 2025.

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

/** Archives: what stands in them is delivered with them. */
export const archiveEndings = words(
  "zip 7z rar gz tgz bz2 tbz tbz2 xz txz zst tar cab ace arj lzh lha iso img",
);

/** Of one file alone: the ending before it is the file's own. */
export const compressedEndings = words("gz bz2 xz zst z");

/** Pages as files, which phishers send. */
export const pageEndings = words("html htm shtml xhtml xht svg svgz mht mhtml");

/** What a reader trusts at a glance, and what is therefore put before the true ending. */
export const trustedEndings = words(
  "pdf doc docx xls xlsx ppt pptx odt ods odp rtf txt csv jpg jpeg png gif bmp tif tiff webp mp3 mp4 wav avi mov ics eml msg",
);

/** Office files that may hold macros by their kind. */
export const macroEndings = words("docm dotm xlsm xltm xlam xlsb pptm potm ppsm ppam sldm");
