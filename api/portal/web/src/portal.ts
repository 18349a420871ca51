// The script of every page: copy buttons, suggestions while typing, arrow keys, signs of scrolling, and selected proteins.

import { walkByArrows } from "./arrows";
import { keepSelection } from "./basket";
import { completeInputs } from "./completion";
import { showCopyButtons } from "./copying";
import { savePictures, selectRanges } from "./plots";
import { showScrolling } from "./scrolling";

showCopyButtons();
completeInputs();
showScrolling();
keepSelection();
savePictures();
selectRanges();
// Older browsers lack what this needs.
walkByArrows();
