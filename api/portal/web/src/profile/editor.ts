// Shows a profile and saves changes.

import { button } from "../buttons";
import { type Changes, apply, changesBetween, conflicts } from "./changes";
import { element } from "./element";
import { Messages } from "./messages";
import type { Problem } from "./problem";
import type { Answer, Profile, Service } from "./service";
import { AttributeTable } from "./table";

/** Replaces the contents of an element with the editor of a profile. */
export function showEditor(place: HTMLElement, service: Service, path: string, profile: Profile, forget: () => void): void {
  place.replaceChildren(new Editor(service, path, profile, forget).element);
}

class Editor {
  readonly element = document.createElement("form");
  readonly #service: Service;
  readonly #path: string;
  readonly #table: AttributeTable;
  readonly #messages = new Messages();
  readonly #save = element("button", {}, "Save");
  /** The profile as last read from the server. */
  #profile: Profile;

  constructor(service: Service, path: string, profile: Profile, forget: () => void) {
    this.#service = service;
    this.#path = path;
    this.#profile = profile;
    this.#table = new AttributeTable("Attributes", profile.attributes);
    this.element.setAttribute("aria-label", "Profile");
    this.element.noValidate = true;
    const facts = element("dl", { className: "facts" }, fact("Profile", element("code", {}, profile.reference)));
    const buttons = element("p", { className: "tools" }, this.#save, button("Forget the token", forget));
    this.element.append(facts, ...schemaOf(profile), this.#table.element, this.#messages.element, buttons);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#saveAll();
    });
  }

  async #saveAll(): Promise<void> {
    const attributes = this.#table.read();
    if (!attributes) {
      this.#messages.showProblem("Not saved: each attribute needs a unique name.");
      return;
    }
    const changes = changesBetween(this.#profile.attributes, attributes);
    if (changes.size === 0) {
      this.#messages.show("There are no changes to save.");
      return;
    }
    this.#save.disabled = true;
    const answer = await this.#send(changes);
    this.#save.disabled = false;
    if ("profile" in answer) {
      this.#take(answer.profile);
      this.#table.show(answer.profile.attributes);
      this.#messages.show("Saved.");
    } else if (answer.problem.status === 412) {
      await this.#explainConflict(changes);
    } else {
      this.#showProblem(answer.problem);
    }
  }

  // Saves all changes in one request, so that the schema never checks half of them. Only a
  // replacement can remove attributes.
  #send(changes: Changes): Promise<Answer> {
    const hasRemoved = [...changes.values()].includes(undefined);
    const changed = apply({}, changes);
    return hasRemoved
      ? this.#service.replace(this.#profile, apply(this.#profile.attributes, changes))
      : this.#service.merge(this.#profile, changed);
  }

  #showProblem(problem: Problem): void {
    const others = this.#table.showProblems(problem.details);
    this.#messages.showProblem(`Not saved. ${problem.text}`, others);
  }

  // Takes over changes saved by someone else. For attributes changed on both sides, shows both.
  async #explainConflict(mine: Changes): Promise<void> {
    const answer = await this.#service.read(this.#path);
    if ("problem" in answer) {
      this.#showProblem(answer.problem);
      return;
    }
    const theirs = changesBetween(this.#profile.attributes, answer.profile.attributes);
    const both = conflicts(mine, theirs);
    this.#take(answer.profile);
    this.#table.show(apply(answer.profile.attributes, mine));
    for (const { key, mine: value, theirs: other } of both) {
      const row = this.#table.row(key);
      row.set(value);
      row.showTheirs(other);
    }
    const advice =
      both.length > 0
        ? "If you both changed an attribute, their value is shown beside yours: use theirs, or save again to keep yours."
        : "Your changes and theirs do not overlap. Save again to keep both.";
    this.#messages.showProblem(`Not saved: someone else has changed this profile. ${advice}`);
    this.#save.textContent = "Save again";
  }

  #take(profile: Profile): void {
    this.#profile = profile;
    this.#save.textContent = "Save";
  }
}

function fact(name: string, value: Node): HTMLElement {
  return element("div", {}, element("dt", {}, name), element("dd", {}, value));
}

function schemaOf({ schema }: Profile): HTMLElement[] {
  if (schema === undefined) {
    return [];
  }
  const text = element("pre", { className: "schema" }, element("code", {}, readable(schema)));
  text.tabIndex = 0;
  text.setAttribute("role", "region");
  text.setAttribute("aria-label", "Schema");
  return [element("details", {}, element("summary", {}, "Schema of the attributes"), text)];
}

function readable(schema: string): string {
  try {
    return JSON.stringify(JSON.parse(schema), undefined, 2);
  } catch {
    return schema;
  }
}
