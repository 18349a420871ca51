// The script of every page: copy buttons, suggestions while typing, arrow keys, and signs of scrolling.

import { walkByArrows } from "./arrows";
import { completeInputs } from "./completion";
import { showCopyButtons } from "./copying";
import { showScrolling } from "./scrolling";

showCopyButtons();
completeInputs();
walkByArrows();
showScrolling();
