// The selected proteins. The browser keeps them until they are cleared, so that a selection can have
// proteins of several pages and searches.

// Another portal may be below the same host.
const KEY = `mgdex.selected-proteins${document.body.dataset.root ?? ""}`;

const MOST = 1000;

/** Makes the check boxes of a page of results select proteins over pages. */
export function keepSelection(): void {
  const bar = document.querySelector<HTMLElement>(".selection");
  const form = bar?.closest("form");
  const count = bar?.querySelector("output");
  if (!bar || !form || !count) {
    return;
  }
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name="proteins"]')];
  const all = form.querySelector<HTMLInputElement>("input.all");
  let selected = new Set<string>();

  const show = (): void => {
    for (const box of boxes) {
      box.checked = selected.has(box.value);
    }
    const numHere = boxes.filter((box) => box.checked).length;
    if (all) {
      all.checked = numHere > 0 && numHere === boxes.length;
      all.indeterminate = numHere > 0 && !all.checked;
    }
    count.textContent = selected.size > 0 ? `${selected.size.toLocaleString("en")} selected` : "None selected";
    for (const button of bar.querySelectorAll("button")) {
      button.disabled = selected.size === 0 || (button.hasAttribute("data-single") && selected.size > 1);
    }
  };
  const load = (): void => {
    selected = read() ?? selected;
    show();
  };
  const change = (changed: HTMLInputElement[], isSelected: boolean): void => {
    for (const { value } of changed) {
      if (!isSelected) {
        selected.delete(value);
      } else if (selected.size < MOST) {
        selected.add(value);
      }
    }
    write(selected);
    show();
    if (isSelected && changed.some(({ value }) => !selected.has(value))) {
      count.textContent += ", the maximum";
    }
  };

  for (const box of boxes) {
    box.addEventListener("change", () => change([box], box.checked));
  }
  all?.addEventListener("change", () => change(boxes, all.checked));
  bar.querySelector(".clear")?.addEventListener("click", () => {
    selected.clear();
    write(selected);
    show();
  });
  form.addEventListener("formdata", ({ formData }) => formData.set("proteins", [...selected].join(" ")));
  window.addEventListener("storage", load);
  // A browser that returns to a page restores its check boxes.
  window.addEventListener("pageshow", load);
  load();
}

// Returns the kept selection, or nothing if the browser keeps nothing.
function read(): Set<string> | undefined {
  try {
    return new Set((localStorage.getItem(KEY) ?? "").split(" ").filter(Boolean).slice(0, MOST));
  } catch {
    return undefined;
  }
}

function write(selected: Set<string>): void {
  try {
    localStorage.setItem(KEY, [...selected].join(" "));
  } catch {
    // The selection lasts for this page.
  }
}
