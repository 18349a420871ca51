// Buttons that zoom and move the map, for use without dragging or a wheel.

import { button } from "../buttons";
import type { MapPicture } from "./picture";

export function showMapTools(tools: HTMLElement, picture: MapPicture): void {
  tools.append(
    button("+", () => picture.zoomBy(2), "Zoom in"),
    button("−", () => picture.zoomBy(0.5), "Zoom out"),
    button("←", () => picture.moveBy(-1, 0), "To the west"),
    button("→", () => picture.moveBy(1, 0), "To the east"),
    button("↑", () => picture.moveBy(0, -1), "To the north"),
    button("↓", () => picture.moveBy(0, 1), "To the south"),
    button("All places", () => picture.fit()),
    button("Whole world", () => picture.showAll()),
  );
}
