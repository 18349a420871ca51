// Buttons that copy a text.

// How long a button says that it has copied, in milliseconds.
const DONE_MS = 2000;

/** Shows the buttons, which do nothing without this script. */
export function showCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button.copy[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => void copy(button));
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const isCopied = await toClipboard(button.dataset["copy"] ?? "");
  tell(isCopied ? "Copied." : "The browser blocked copying.");
  if (isCopied) {
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), DONE_MS);
  }
}

// Browsers have no clipboard for pages that come over HTTP from another machine; the older command works there.
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byCommand(text);
  }
}

function byCommand(text: string): boolean {
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

// Tells those who do not see the button.
function tell(text: string): void {
  const place = document.getElementById("told");
  if (!place) {
    return;
  }
  place.textContent = "";
  // A text that is the same as before would not be read out again.
  setTimeout(() => (place.textContent = text), 50);
}
