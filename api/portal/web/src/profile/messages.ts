// What is said about the last step: a text, and perhaps lines below it.

import { element } from "./element";

export class Messages {
  readonly element = element("div", { className: "messages", role: "status" });

  tell(text: string): void {
    this.element.replaceChildren(element("p", {}, text));
  }

  complain(text: string, lines: string[] = []): void {
    const list = lines.length > 0 ? [element("ul", { className: "problem" }, ...lines.map((line) => element("li", {}, line)))] : [];
    this.element.replaceChildren(element("p", { className: "problem" }, text), ...list);
  }
}
