import { inArea } from "../check.ts";
import { ampPart } from "./amp-part.ts";
import { clientSupport } from "./client-support.ts";
import { darkMode } from "./dark-mode.ts";
import { htmlClipping } from "./html-clipping.ts";
import { htmlStructure } from "./html-structure.ts";
import { imageFormats } from "./image-formats.ts";
import { imageWeight } from "./image-weight.ts";
import { layoutWidth } from "./layout-width.ts";
import { styleSheets } from "./style-sheets.ts";

export const renderingChecks = inArea("rendering", [
  htmlClipping,
  styleSheets,
  clientSupport,
  imageFormats,
  imageWeight,
  htmlStructure,
  layoutWidth,
  darkMode,
  ampPart,
]);
