// Buttons that copy a text.

import { announce } from "./announcement.js";

// Time for which a button shows that it has copied, in milliseconds.
const DONE_MS = 2000;

/** Shows the buttons, which are hidden because they do nothing without this script. */
export function showCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button.copy[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => void copy(button));
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const isCopied = await toClipboard(button.dataset["copy"] ?? "");
  announce(isCopied ? "Copied." : "The browser blocked copying.");
  if (isCopied) {
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), DONE_MS);
  }
}

// Pages over HTTP from another machine have no clipboard; the older command works there.
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

function copyByCommand(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.className = "hidden";
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) {
    focused.focus({ preventScroll: true });
  }
  return isCopied;
}
