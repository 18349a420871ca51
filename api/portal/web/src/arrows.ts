// Groups of links and buttons that Tab reaches once; arrow keys go through them.

const GROUPS = "header > .menus, .above, .chips, .tools, .choices, :not(.tools) > .files, .hits thead tr";

// A button behind a list of choices is the next stop after it.
const CANDIDATES = "a[href], button:not(select ~ button)";

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Makes each group one stop for Tab. Without this script, Tab reaches all their controls. */
export function walkByArrows(): void {
  const groups = [...document.querySelectorAll<HTMLElement>(GROUPS)];
  for (const group of groups) {
    settle(group);
    // The tools of a map are added later.
    new MutationObserver(() => settle(group)).observe(group, { childList: true });
    group.addEventListener("focusin", ({ target }) => settle(group, target));
    group.addEventListener("keydown", (event) => walk(group, event));
  }
  addEventListener("resize", () => groups.forEach((group) => settle(group)));
}

// Controls in open menus are reached by Tab as usual.
function membersOf(group: HTMLElement): HTMLElement[] {
  const candidates = [...group.querySelectorAll<HTMLElement>(CANDIDATES)];
  return candidates.filter((candidate) => candidate.checkVisibility({ visibilityProperty: true }) && !candidate.closest(":popover-open"));
}

// Lets Tab reach the focused member, otherwise the one that it reached before, the current or the first one.
function settle(group: HTMLElement, focused?: EventTarget | null): void {
  const members = membersOf(group);
  const chosen =
    members.find((member) => member === focused) ??
    members.find((member) => member.hasAttribute("data-stop")) ??
    members.find((member) => member.hasAttribute("aria-current")) ??
    members[0];
  for (const candidate of group.querySelectorAll<HTMLElement>(CANDIDATES)) {
    candidate.tabIndex = candidate === chosen || !members.includes(candidate) ? 0 : -1;
    candidate.toggleAttribute("data-stop", candidate === chosen);
  }
}

function walk(group: HTMLElement, event: KeyboardEvent): void {
  const members = membersOf(group);
  const place = members.indexOf(event.target as HTMLElement);
  if (place < 0 || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
    return;
  }
  const step = STEPS[event.key];
  const next = event.key === "Home" ? 0 : event.key === "End" ? -1 : step && (place + step) % members.length;
  if (next !== undefined) {
    event.preventDefault();
    members.at(next)?.focus();
  }
}
