// A message about the last action: a text, with optional lines below it.

import { element } from "./element";

export class Messages {
  readonly element = element("div", { className: "messages", role: "status" });

  show(text: string): void {
    this.element.replaceChildren(element("p", {}, text));
  }

  showProblem(text: string, lines: string[] = []): void {
    const list = lines.length > 0 ? [element("ul", { className: "problem" }, ...lines.map((line) => element("li", {}, line)))] : [];
    this.element.replaceChildren(element("p", { className: "problem" }, text), ...list);
  }
}
