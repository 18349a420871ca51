// Reads and changes a profile with a token. The token stays in the memory of this page and is
// forgotten when the user leaves the page.

import { showCreation } from "./profile/creation";
import { showEditor } from "./profile/editor";
import { element } from "./profile/element";
import { Service } from "./profile/service";

// Start of the message for a group without a profile; unknown groups have another message.
const NO_PROFILE = "Profile was not found";

const place = document.getElementById("profile");
const tokenForm = document.getElementById("token-form");
const tokenInput = document.getElementById("token");
if (place && tokenForm instanceof HTMLFormElement && tokenInput instanceof HTMLInputElement) {
  listen(place, tokenForm, tokenInput);
}
showDomainForm();

function listen(place: HTMLElement, form: HTMLFormElement, input: HTMLInputElement): void {
  const forget = (): void => {
    place.replaceChildren();
    form.hidden = false;
    input.value = "";
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const token = input.value.trim().replace(/^Bearer\s+/i, "");
    if (token === "") {
      input.focus();
      return;
    }
    void show(place, new Service(token, place.dataset["profiles"] ?? ""), () => {
      forget();
      input.focus();
    }).then((isShown) => {
      if (isShown) {
        input.value = "";
        form.hidden = true;
      }
    });
  });
  // The browser may keep the page and show it again.
  addEventListener("pagehide", forget);
}

// Returns whether the token was accepted.
async function show(place: HTMLElement, service: Service, forget: () => void): Promise<boolean> {
  const { path = "", domain = "" } = place.dataset;
  const answer = await service.read(path);
  if ("profile" in answer) {
    showEditor(place, service, path, answer.profile, forget);
    return true;
  }
  const { problem } = answer;
  if (problem.status === 404 && domain !== "" && problem.message.startsWith(NO_PROFILE)) {
    showCreation(place, service, domain, (profile) => showEditor(place, service, path, profile, forget), forget);
    return true;
  }
  place.replaceChildren(element("p", { className: "problem", role: "alert" }, problem.text));
  return false;
}

function showDomainForm(): void {
  const form = document.getElementById("domain-form");
  const input = document.getElementById("domain");
  if (form instanceof HTMLFormElement && input instanceof HTMLInputElement) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const reference = input.value.trim();
      if (reference !== "") {
        location.assign(`${form.dataset["domains"]}/${encodeURIComponent(reference)}`);
      }
    });
  }
}
