// Buttons of pictures.

/** Makes a button. A label explains a text that is too short, such as `+`. */
export function button(text: string, onClick: () => void, label?: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = text;
  if (label) {
    button.setAttribute("aria-label", label);
    button.title = label;
  }
  button.addEventListener("click", onClick);
  return button;
}
