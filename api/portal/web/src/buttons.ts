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
