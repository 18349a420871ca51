// The script of every page: copy buttons, and suggestions while typing.

import { completeInputs } from "./completion";
import { showCopyButtons } from "./copying";

showCopyButtons();
completeInputs();
