// Offers to create the missing profile of a group.

import { button } from "../buttons";
import { element } from "./element";
import { Messages } from "./messages";
import type { Profile, Service } from "./service";
import { AttributeTable } from "./table";

export function showCreation(
  place: HTMLElement,
  service: Service,
  domain: string,
  show: (profile: Profile) => void,
  forget: () => void,
): void {
  const form = document.createElement("form");
  const messages = new Messages();
  const table = new AttributeTable("Attributes of the new profile", {});
  const schema = document.createElement("textarea");
  schema.id = "schema";
  schema.rows = 6;
  schema.spellcheck = false;
  const create = element("button", {}, "Create the profile");
  form.className = "builder";
  form.setAttribute("aria-label", "New profile");
  form.noValidate = true;
  form.append(
    element("h2", {}, "Create a profile"),
    element("p", {}, "This group has no profile yet. Its managers can create one; its members can read it."),
    table.element,
    fieldOf(schema),
    messages.element,
    element("p", { className: "tools" }, create, button("Forget the token", forget)),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const attributes = table.read();
    if (!attributes) {
      messages.showProblem("Not created: each attribute needs a unique name.");
      return;
    }
    create.disabled = true;
    void service.create(domain, attributes, schema.value.trim()).then((answer) => {
      create.disabled = false;
      if ("profile" in answer) {
        show(answer.profile);
      } else {
        messages.showProblem(`Not created. ${answer.problem.text}`, table.showProblems(answer.problem.details));
      }
    });
  });
  place.replaceChildren(form);
}

function fieldOf(schema: HTMLTextAreaElement): HTMLElement {
  const label = element("label", {}, "Schema (optional)");
  label.htmlFor = schema.id;
  const hint = element("span", { className: "note", id: "schema-hint" });
  hint.textContent = "A JSON Schema (Draft 4) or its URL. The attributes must always conform to it, and it cannot be changed later.";
  schema.setAttribute("aria-describedby", hint.id);
  return element("p", { className: "field long" }, label, schema, hint);
}
