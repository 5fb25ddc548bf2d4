import { inArea } from "../check.ts";
import { headings } from "./headings.ts";
import { htmlDir } from "./html-dir.ts";
import { htmlLang } from "./html-lang.ts";
import { htmlTitle } from "./html-title.ts";
import { imageAlt } from "./image-alt.ts";
import { linkNames } from "./link-names.ts";
import { tableRoles } from "./table-roles.ts";
import { textContrast } from "./text-contrast.ts";
import { textSize } from "./text-size.ts";

export const accessibilityChecks = inArea("accessibility", [
  htmlLang,
  htmlDir,
  htmlTitle,
  imageAlt,
  tableRoles,
  textContrast,
  textSize,
  linkNames,
  headings,
]);
