// A row of the table of attributes.

import { button } from "../buttons";
import { element } from "./element";

const LINES_MAX = 8;

let numRows = 0;

/** An attribute that can be changed, removed and restored. The key of a new one can be typed. */
export class Row {
  readonly element: HTMLTableRowElement;
  readonly #key: HTMLInputElement | string;
  readonly #value = document.createElement("textarea");
  /** The given value as the box shows it: boxes change line breaks. */
  #shown = "";
  #given = "";
  #isRemoved = false;
  readonly #remove: HTMLButtonElement;
  readonly #problem: HTMLElement;
  readonly #beside = element("div", { className: "beside" });
  readonly #id = `attribute-${(numRows += 1)}`;

  /** Makes a row; without a key, for a new attribute. `discard` removes a new one. */
  constructor(key: string | undefined, value: string, discard: (row: Row) => void) {
    this.#problem = element("span", { className: "problem", id: `${this.#id}-problem` });
    this.#key = key ?? this.#newKey();
    const head = element("th", {}, this.#key);
    head.scope = "row";
    this.#value.id = this.#id;
    this.#value.spellcheck = false;
    this.set(value);
    this.#labelValue();
    this.#value.addEventListener("input", () => this.#grow());
    this.#remove = button("Remove", () => (key === undefined ? discard(this) : this.#toggleRemoved()));
    this.#labelRemove();
    const field = element("td", { className: "value" }, this.#value, this.#problem, this.#beside);
    this.element = element("tr", {}, head, field, element("td", {}, this.#remove));
  }

  get key(): string {
    return typeof this.#key === "string" ? this.#key : this.#key.value;
  }

  /** The value, or undefined if the attribute is removed. */
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

  /** Shows the problems of the attribute; clears them if there are none. */
  showProblems(reasons: string[]): void {
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

  /** Shows the value of someone else beside this one, with a button to use it. */
  showTheirs(theirs: string | undefined): void {
    const take = button("Use theirs", () => {
      this.set(theirs);
      this.hideTheirs();
      this.#value.focus();
    });
    take.setAttribute("aria-label", `Use theirs for ${this.key}`);
    const what =
      theirs === undefined
        ? [element("em", {}, "They removed it.")]
        : ["Theirs: ", element("q", { className: "theirs" }, theirs)];
    this.#beside.replaceChildren(element("span", {}, ...what), take);
  }

  /** Removes the value of someone else. */
  hideTheirs(): void {
    this.#beside.replaceChildren();
  }

  #newKey(): HTMLInputElement {
    const input = document.createElement("input");
    input.setAttribute("aria-label", "Name of the new attribute");
    input.autocomplete = "off";
    input.addEventListener("input", () => {
      this.#labelValue();
      this.#labelRemove();
    });
    return input;
  }

  #labelValue(): void {
    this.#value.setAttribute("aria-label", `Value of ${this.key || "the new attribute"}`);
  }

  #labelRemove(): void {
    this.#remove.setAttribute("aria-label", `${this.#remove.textContent} ${this.key || "the new attribute"}`);
  }

  #toggleRemoved(): void {
    this.#setRemoved(!this.#isRemoved);
    this.hideTheirs();
  }

  #setRemoved(isRemoved: boolean): void {
    if (isRemoved !== this.#isRemoved) {
      this.#isRemoved = isRemoved;
      this.#value.disabled = isRemoved;
      this.#value.placeholder = isRemoved ? "removed" : "";
      this.element.classList.toggle("removed", isRemoved);
      this.#remove.textContent = isRemoved ? "Keep" : "Remove";
      this.#labelRemove();
    }
  }

  #grow(): void {
    this.#value.rows = Math.min(LINES_MAX, this.#value.value.split("\n").length);
  }
}
