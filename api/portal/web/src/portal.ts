// What every page has: buttons that copy, and suggestions for what is being typed.

import { completeInputs } from "./completion";
import { showCopyButtons } from "./copying";

showCopyButtons();
completeInputs();
