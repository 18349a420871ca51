// A row of the table of attributes.

import { button } from "../buttons";
import { element } from "./element";

const LINES_MAX = 8;

let numRows = 0;

/** An attribute that can be changed, removed, and brought back. A new one has a key that can be typed. */
export class Row {
  readonly element: HTMLTableRowElement;
  readonly #key: HTMLInputElement | string;
  readonly #value = document.createElement("textarea");
  /** What the box made of the value it was given: it knows one kind of line break only. */
  #shown = "";
  #given = "";
  #isRemoved = false;
  readonly #remove: HTMLButtonElement;
  readonly #problem: HTMLElement;
  readonly #beside = element("div", { className: "beside" });
  readonly #id = `attribute-${(numRows += 1)}`;

  /** Makes a row for an attribute, or for a new one if it has no key. `discard` takes a new one away. */
  constructor(key: string | undefined, value: string, discard: (row: Row) => void) {
    this.#problem = element("span", { className: "problem", id: `${this.#id}-problem` });
    this.#key = key ?? this.#newKey();
    const head = element("th", {}, this.#key);
    head.scope = "row";
    this.#value.id = this.#id;
    this.#value.spellcheck = false;
    this.set(value);
    this.#name();
    this.#value.addEventListener("input", () => this.#grow());
    this.#remove = button("Remove", () => (key === undefined ? discard(this) : this.#toggleRemoved()));
    this.#nameRemove();
    const field = element("td", { className: "value" }, this.#value, this.#problem, this.#beside);
    this.element = element("tr", {}, head, field, element("td", {}, this.#remove));
  }

  get key(): string {
    return typeof this.#key === "string" ? this.#key : this.#key.value;
  }

  /** Its value, or nothing if it is to be removed. */
  get value(): string | undefined {
    if (this.#isRemoved) {
      return undefined;
    }
    return this.#value.value === this.#shown ? this.#given : this.#value.value;
  }

  set(value: string | undefined): void {
    if (value === undefined) {
      this.#setRemoved(true);
      return;
    }
    this.#setRemoved(false);
    this.#value.value = value;
    this.#given = value;
    this.#shown = this.#value.value;
    this.#grow();
  }

  focus(): void {
    (typeof this.#key === "string" ? this.#value : this.#key).focus();
  }

  /** Says what is wrong with it, or nothing. */
  complain(reasons: string[]): void {
    this.#problem.textContent = reasons.length > 0 ? `It ${reasons.join("; ")}.` : "";
    const field = typeof this.#key !== "string" && this.#key.value.trim() === "" ? this.#key : this.#value;
    for (const input of [this.#value, ...(typeof this.#key === "string" ? [] : [this.#key])]) {
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-describedby");
    }
    if (reasons.length > 0) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", this.#problem.id);
    }
  }

  /** Shows what somebody else made of the value beside it, with a button that takes it. */
  showTheirs(theirs: string | undefined): void {
    const take = button("Use theirs", () => {
      this.set(theirs);
      this.settle();
      this.#value.focus();
    });
    take.setAttribute("aria-label", `Use theirs for ${this.key}`);
    const what =
      theirs === undefined
        ? [element("em", {}, "They removed it.")]
        : ["Theirs: ", element("q", { className: "theirs" }, theirs)];
    this.#beside.replaceChildren(element("span", {}, ...what), take);
  }

  /** Takes away what was beside the value. */
  settle(): void {
    this.#beside.replaceChildren();
  }

  #newKey(): HTMLInputElement {
    const input = document.createElement("input");
    input.setAttribute("aria-label", "Name of the new attribute");
    input.autocomplete = "off";
    input.addEventListener("input", () => {
      this.#name();
      this.#nameRemove();
    });
    return input;
  }

  #name(): void {
    this.#value.setAttribute("aria-label", `Value of ${this.key || "the new attribute"}`);
  }

  #nameRemove(): void {
    this.#remove.setAttribute("aria-label", `${this.#remove.textContent} ${this.key || "the new attribute"}`);
  }

  #toggleRemoved(): void {
    this.#setRemoved(!this.#isRemoved);
    this.settle();
  }

  #setRemoved(isRemoved: boolean): void {
    if (isRemoved !== this.#isRemoved) {
      this.#isRemoved = isRemoved;
      this.#value.disabled = isRemoved;
      this.#value.placeholder = isRemoved ? "removed" : "";
      this.element.classList.toggle("removed", isRemoved);
      this.#remove.textContent = isRemoved ? "Keep" : "Remove";
      this.#nameRemove();
    }
  }

  #grow(): void {
    this.#value.rows = Math.min(LINES_MAX, this.#value.value.split("\n").length);
  }
}
