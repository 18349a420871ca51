// The table of attributes.

import { button } from "../buttons";
import { element } from "./element";
import { Row } from "./row";
import type { Attributes } from "./service";
import { byKey } from "./violations";

export class AttributeTable {
  readonly element: HTMLElement;
  readonly #body = document.createElement("tbody");
  #rows: Row[] = [];

  constructor(caption: string, attributes: Attributes) {
    const headings = ["Attribute", "Value", ""].map((text) => element("th", {}, text));
    headings.forEach((heading) => (heading.scope = "col"));
    headings[2]?.append(element("span", { className: "hidden" }, "Remove"));
    const head = element("thead", {}, element("tr", {}, ...headings));
    const table = element("table", { className: "attributes" }, element("caption", { className: "hidden" }, caption), head, this.#body);
    const add = button("Add an attribute", () => this.#add(undefined, "").focus());
    this.element = element("div", {}, element("div", { className: "wide" }, table), element("p", {}, add));
    this.show(attributes);
  }

  show(attributes: Attributes): void {
    this.#rows = [];
    this.#body.replaceChildren();
    for (const [key, value] of Object.entries(attributes)) {
      this.#add(key, value);
    }
  }

  /** Returns the attributes. If a key is empty or repeated, marks its row and returns nothing. */
  read(): Attributes | undefined {
    const values = new Map<string, string>();
    const seen = new Set<string>();
    let isGood = true;
    for (const row of this.#rows) {
      const [key, value] = [row.key, row.value];
      const problem = key.trim() === "" ? "needs a name" : seen.has(key) ? "is used twice" : undefined;
      row.showProblems(problem ? [problem] : []);
      if (problem && isGood) {
        isGood = false;
        row.focus();
      }
      seen.add(key);
      if (value !== undefined) {
        values.set(key, value);
      }
    }
    return isGood ? Object.fromEntries(values) : undefined;
  }

  /** Shows violations of a schema at their rows; returns those without a row. */
  showProblems(details: string[]): string[] {
    const { of, others } = byKey(details, this.#rows.map((row) => row.key));
    for (const row of this.#rows) {
      row.showProblems(of.get(row.key) ?? []);
    }
    this.#rows.find((row) => of.has(row.key))?.focus();
    return others;
  }

  /** Returns the row of a key; adds a missing one. */
  row(key: string): Row {
    return this.#rows.find((row) => row.key === key) ?? this.#add(key, "");
  }

  #add(key: string | undefined, value: string): Row {
    const row = new Row(key, value, (row) => this.#discard(row));
    this.#rows.push(row);
    this.#body.append(row.element);
    return row;
  }

  #discard(row: Row): void {
    const index = this.#rows.indexOf(row);
    this.#rows.splice(index, 1);
    row.element.remove();
    (this.#rows[index] ?? this.#rows.at(-1))?.focus();
  }
}
