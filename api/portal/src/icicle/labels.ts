// What stands in a cell.

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Label {
  text: string;
  x: number;
  y: number;
  isCount: boolean;
}

const FONT = "12px system-ui, sans-serif";

// In pixels: a line, the space beside a text, and that between a name and its number.
const LINE = 15;
const BESIDE = 6;
const BETWEEN = 8;

const SHORTEST = 3;

const pen = document.createElement("canvas").getContext("2d");

/** Returns the name, cut if need be, and the number where there is room, beside or below it. The baseline is the middle of a line. */
export function labels(name: string, count: string, box: Box): Label[] {
  const room = box.width - 2 * BESIDE;
  if (box.height < LINE) {
    return [];
  }
  const text = cut(name, room);
  if (text === "") {
    return [];
  }
  const at = { text, x: box.x + BESIDE, y: box.y + box.height / 2, isCount: false };
  if (text === name && widthOf(name) + BETWEEN + widthOf(count) <= room) {
    return [at, { text: count, x: at.x + widthOf(name) + BETWEEN, y: at.y, isCount: true }];
  }
  if (box.height >= 2 * LINE + 2 && widthOf(count) <= room) {
    const below = { text: count, x: at.x, y: at.y + LINE / 2, isCount: true };
    return [{ ...at, y: at.y - LINE / 2 }, below];
  }
  return [at];
}

function cut(text: string, room: number): string {
  let shorter = text;
  while (widthOf(shorter === text ? text : `${shorter}…`) > room) {
    shorter = shorter.slice(0, -1).trimEnd();
    if (shorter.length < SHORTEST) {
      return "";
    }
  }
  return shorter === text ? text : `${shorter}…`;
}

function widthOf(text: string): number {
  if (!pen) {
    return Infinity;
  }
  pen.font = FONT;
  return pen.measureText(text).width;
}
