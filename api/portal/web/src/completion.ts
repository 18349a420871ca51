// Suggestions while typing, in a list that the browser shows. Without them, forms still work.

interface Suggestion {
  text: string;
  what: string;
}

// Delay after the last keystroke, in milliseconds.
const PAUSE_MS = 150;

const LETTERS_MIN = 2;

// No name is longer, and pasted lists would not fit into an address.
const LETTERS_MAX = 200;

/** Adds suggestions to all inputs with the address of a list. */
export function completeInputs(): void {
  const list = document.getElementById("suggestions");
  if (!(list instanceof HTMLDataListElement)) {
    return;
  }
  for (const input of document.querySelectorAll<HTMLInputElement>("input[data-completion]")) {
    complete(input, list);
  }
}

function complete(input: HTMLInputElement, list: HTMLDataListElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = new AbortController();
  const stop = (): void => {
    clearTimeout(timer);
    request.abort();
  };
  input.addEventListener("input", () => {
    stop();
    const text = input.value.trim();
    const isChosen = [...list.options].some((option) => option.value === text);
    if (isChosen || text.length < LETTERS_MIN || text.length > LETTERS_MAX) {
      return;
    }
    request = new AbortController();
    const { signal } = request;
    timer = setTimeout(() => {
      void suggestions(input.dataset["completion"] ?? "", text, signal).then((found) => {
        if (found && !signal.aborted) {
          list.replaceChildren(...found.map(option));
        }
      });
    }, PAUSE_MS);
  });
  // All inputs share one list.
  input.addEventListener("focus", () => list.replaceChildren());
  input.addEventListener("blur", stop);
}

async function suggestions(address: string, text: string, signal: AbortSignal): Promise<Suggestion[] | undefined> {
  try {
    const answer = await fetch(`${address}?text=${encodeURIComponent(text)}`, { signal });
    return answer.ok ? ((await answer.json()) as Suggestion[]) : undefined;
  } catch {
    return undefined;
  }
}

function option(suggestion: Suggestion): HTMLOptionElement {
  const option = document.createElement("option");
  option.value = suggestion.text;
  option.label = suggestion.what;
  return option;
}
