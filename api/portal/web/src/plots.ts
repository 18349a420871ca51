// Plots: pictures as PNG, and ranges that are selected by dragging.

import { announce } from "./announcement.js";

// Pixels of a picture per pixel of its plot.
const SHARPNESS = 2;

/** Lets buttons save the pictures of plots as PNG. */
export function savePictures(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-picture]")) {
    button.addEventListener("click", () => {
      save(button.dataset["picture"] ?? "").catch(() => show(button, "PNG failed. Try the SVG."));
    });
  }
}

function show(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  announce(text);
}

async function save(address: string): Promise<void> {
  const answer = await fetch(address);
  if (!answer.ok) {
    throw new Error(answer.statusText);
  }
  const name = /filename="(.*)\.svg"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width * SHARPNESS, picture.height * SHARPNESS];
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const link = document.createElement("a");
  link.href = canvas.toDataURL("image/png");
  link.download = `${name ?? "plot"}.png`;
  link.click();
}

/** Lets ranges of histograms be selected by dragging over their columns, or by a click on one. */
export function selectRanges(): void {
  document.querySelectorAll<SVGElement>("svg[data-range]").forEach(selectRangesOf);
}

function selectRangesOf(picture: SVGElement): void {
  const columns = [...picture.querySelectorAll<SVGElement>("[data-from]")];
  // The columns where the drag began and where it is now, or −1.
  let [first, last] = [-1, -1];
  const selected = (): SVGElement[] => (first < 0 ? [] : columns.slice(Math.min(first, last), Math.max(first, last) + 1));
  const setEnds = (from: number, to: number): void => {
    [first, last] = [from, to];
    columns.forEach((column) => column.parentElement?.classList.toggle("within", selected().includes(column)));
  };
  // Beyond the columns, this is the nearest one.
  const at = ({ clientX }: PointerEvent): number => {
    const place = columns.findIndex((column) => clientX < column.getBoundingClientRect().right);
    return place < 0 ? columns.length - 1 : place;
  };
  // A link would be dragged instead.
  picture.addEventListener("dragstart", (event) => event.preventDefault());
  picture.addEventListener("pointerdown", (event) => {
    const isOnColumn = event.target instanceof Element && event.target.closest("a, g") !== null;
    // With a key, a link is opened elsewhere.
    if (isOnColumn && event.isPrimary && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      picture.setPointerCapture(event.pointerId);
      setEnds(at(event), at(event));
    }
  });
  picture.addEventListener("pointermove", (event) => {
    if (first >= 0) {
      setEnds(first, at(event));
    }
  });
  picture.addEventListener("pointercancel", () => setEnds(-1, -1));
  picture.addEventListener("pointerup", () => {
    const [from, to] = [selected().at(0)?.dataset["from"], selected().at(-1)?.dataset["to"]];
    if (from !== undefined && to !== undefined) {
      const link = columns[first]?.parentElement?.getAttribute("href");
      // The ends are last. Before them, a searched text may be "{from}".
      const range = picture.dataset["range"]
        ?.replace(/%7Bfrom%7D(?!.*%7Bfrom%7D)/, encodeURIComponent(from))
        .replace(/%7Bto%7D(?!.*%7Bto%7D)/, encodeURIComponent(to));
      const address = first === last ? link : range;
      setEnds(-1, -1);
      if (address) {
        location.assign(address);
      }
    }
  });
}
