// Elements made from text: no part of a profile is parsed as HTML.

interface Look {
  className?: string;
  id?: string;
  role?: string;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { className, id, role }: Look,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className) {
    element.className = className;
  }
  if (id) {
    element.id = id;
  }
  if (role) {
    element.setAttribute("role", role);
  }
  element.append(...content);
  return element;
}
