// Buttons of pictures.

/** Makes a button. One whose text says too little has a label, too. */
export function button(text: string, act: () => void, label?: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = text;
  if (label) {
    button.setAttribute("aria-label", label);
    button.title = label;
  }
  button.addEventListener("click", act);
  return button;
}

/** Makes a group of buttons that has a name. */
export function toolbar(label: string, ...buttons: HTMLButtonElement[]): HTMLElement {
  const tools = document.createElement("div");
  tools.className = "tools";
  tools.setAttribute("role", "group");
  tools.setAttribute("aria-label", label);
  tools.append(...buttons);
  return tools;
}
