// The scheme of colours is that of the browser.
const dark = matchMedia("(prefers-color-scheme: dark)");
const setScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", setScheme);
setScheme();

// Swagger UI only finds groups by their names. This finds operations by their words.
const find = (groups, text) => {
  const words = text.toLowerCase().split(/\s+/);
  const textOf = (operation) =>
    ["path", "method"].map((key) => operation.get(key)).join(" ") +
    ["summary", "description", "operationId"].map((key) => " " + operation.getIn(["operation", key], "")).join("");
  const matches = (text) => words.every((word) => text.toLowerCase().includes(word));
  return groups
    .map((group, name) => group.update("operations", (all) => all.filter((operation) => matches(name + " " + textOf(operation)))))
    .filter((group) => group.get("operations").size > 0);
};
// Swagger UI puts links into buttons; the addresses of operations that are open are in the address bar nevertheless.
const DeepLink = (_, { React }) => ({ text }) => React.createElement("span", null, text);

// Swagger UI gives wrong states to buttons, wrong levels to headings, and no names to some fields and buttons.
const root = document.getElementById("swagger-ui");
const repair = () => {
  for (const button of root.querySelectorAll("[aria-expanded]")) {
    const isOpen = button.closest(".opblock, .opblock-tag-section, .models")?.classList.contains("is-open") ?? false;
    if (!["true", "false"].includes(button.ariaExpanded)) button.dataset.repaired = "";
    if ("repaired" in button.dataset && button.ariaExpanded !== String(isOpen)) button.ariaExpanded = String(isOpen);
  }
  for (const field of root.querySelectorAll("select:not([aria-label]), textarea:not([aria-label])")) {
    field.ariaLabel = field.closest("[data-param-name]")?.dataset.paramName ?? (field.matches("textarea") ? "Body" : "Choice");
  }
  for (const button of root.querySelectorAll(".copy-to-clipboard button:not([aria-label])")) button.ariaLabel = "Copy";
  const finder = root.querySelector(".operation-filter-input:not([aria-label])");
  if (finder) finder.ariaLabel = finder.placeholder = "Find operations";
  for (const block of root.querySelectorAll("pre:not([tabindex])")) block.tabIndex = 0;
  for (const title of root.querySelectorAll("h1:not([aria-level])")) title.ariaLevel = "2";
  for (const table of root.querySelectorAll("table[role=region]")) table.removeAttribute("role");
};
new MutationObserver(repair).observe(root, { attributeFilter: ["aria-expanded", "class"], childList: true, subtree: true });

// The address is relative, so that the page works behind any proxy. Nothing of a request leaves for an outside validator.
const ui = SwaggerUIBundle({
  dom_id: "#swagger-ui",
  url: "../openapi.json",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  plugins: [{ fn: { opsFilter: find }, wrapComponents: { DeepLink } }],
  tryItOutEnabled: true,
  validatorUrl: "none",
});

// The groups of what is found are open.
let waiting;
root.addEventListener("input", ({ target }) => {
  if (!target.matches(".operation-filter-input")) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const names = ui.specSelectors.taggedOperations().keySeq();
    names.forEach((name) => void ui.layoutActions.show(["operations-tag", name], target.value.length > 2));
  }, 300);
});
