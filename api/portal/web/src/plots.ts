// Plots: pictures as PNG, and ranges that are selected by dragging.

// Pixels of a picture per pixel of its plot.
const SHARPNESS = 2;

/** Lets buttons save the pictures of plots as PNG. */
export function savePictures(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-picture]")) {
    button.addEventListener("click", () => void save(button.dataset["picture"] ?? ""));
  }
}

async function save(address: string): Promise<void> {
  const answer = await fetch(address);
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

/** Lets ranges of histograms be selected by dragging over their columns. */
export function selectRanges(): void {
  for (const picture of document.querySelectorAll<SVGElement>("svg[data-range]")) {
    const columns = [...picture.querySelectorAll<SVGElement>("[data-from]")];
    let first = -1;
    let last = -1;
    const at = (event: PointerEvent): number => columns.findIndex((column) => {
      const { left, right } = column.getBoundingClientRect();
      return left <= event.clientX && event.clientX < right;
    });
    const selected = (): SVGElement[] => columns.slice(Math.min(first, last), Math.max(first, last) + 1);
    const mark = (): void => columns.forEach((column) => column.parentElement?.classList.toggle("within", first >= 0 && selected().includes(column)));
    picture.addEventListener("pointerdown", (event) => {
      if (event.isPrimary && event.button === 0) {
        // A link would be dragged instead.
        event.preventDefault();
        [first, last] = [at(event), at(event)];
        picture.setPointerCapture(event.pointerId);
        mark();
      }
    });
    picture.addEventListener("pointermove", (event) => {
      if (first >= 0 && at(event) >= 0) {
        last = at(event);
        mark();
      }
    });
    picture.addEventListener("pointercancel", () => {
      first = -1;
      mark();
    });
    picture.addEventListener("pointerup", () => {
      const [from, to] = [selected().at(0)?.dataset["from"], selected().at(-1)?.dataset["to"]];
      const link = columns[first]?.parentElement?.getAttribute("href");
      const range = (picture.dataset["range"] ?? "").replace("%7Bfrom%7D", encodeURIComponent(from ?? "")).replace("%7Bto%7D", encodeURIComponent(to ?? ""));
      if (first >= 0) {
        location.assign(first === last ? (link ?? range) : range);
      }
    });
  }
}
